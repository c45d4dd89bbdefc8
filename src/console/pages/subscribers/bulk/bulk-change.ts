import { effectOf, isLoss } from '../../../components/history/effect.ts'
import { startsLater } from '../../../components/text/starts-later.ts'
import { isSameValue, overrideValue, toRestValue, toValue, type Value } from '../../../components/text/value.ts'
import type { BulkCatalogQuery, BulkSubscriberFragment } from '../../../generated/bulk.ts'

export type BulkChange =
  | { type: 'give'; feature: string; value: Value; startsAt: string | null; expiresAt: string | null; note: string }
  | { type: 'end'; feature: string }
  /** null cancels the subscription. */
  | { type: 'plan'; planKey: string | null }

export type AffectedSubscriber = BulkSubscriberFragment
export type Catalog = {
  features: NonNullable<BulkCatalogQuery['features']>
  plans: NonNullable<BulkCatalogQuery['plans']>
}

type Override = NonNullable<AffectedSubscriber['overrides']>[number]

/** Whether a line is sent for the subscriber: not if they have no override to remove, or already have the plan. */
export function needsLine(reached: AffectedSubscriber, change: BulkChange): boolean {
  if (change.type === 'end') return findOverride(reached, change.feature) !== undefined
  return change.type === 'give' || (reached.activeSubscription?.planId ?? null) !== change.planKey
}

/** The override of the feature, whether in force, scheduled or expired. */
function findOverride({ overrides }: AffectedSubscriber, feature: string): Override | undefined {
  return overrides?.find((override) => override.feature === feature)
}

/** The line of an import that makes the change. */
export function toLine({ subscriberId }: AffectedSubscriber, change: BulkChange): object {
  if (change.type === 'plan') return { subscriber_id: subscriberId, plan_id: change.planKey }
  return { subscriber_id: subscriberId, overrides: { [change.feature]: change.type === 'end' ? null : toBody(change) } }
}

/** The line that restores what the subscriber had before, and the line that must precede it, if any. */
export function toUndoLines(reached: AffectedSubscriber, change: BulkChange): { line: object; precedingLine?: object } {
  const { subscriberId, activeSubscription } = reached
  if (change.type === 'plan') {
    return { line: { subscriber_id: subscriberId, plan_id: activeSubscription?.planId ?? null } }
  }
  const toOverrideLine = (body: object | null) => ({
    subscriber_id: subscriberId,
    overrides: { [change.feature]: body },
  })
  const override = findOverride(reached, change.feature)
  if (!override) return { line: toOverrideLine(null) }
  const line = toOverrideLine(toBody({ ...override, value: overrideValue(override), note: override.note ?? '' }))
  // The server does not let an override that starts later replace one that is in force.
  return startsLater(override.startsAt) ? { line, precedingLine: toOverrideLine(null) } : { line }
}

type Body = { value: Value; startsAt: string | null; expiresAt: string | null; note: string }

/** The body that writes the override by REST. A start in the past is left out, because the override is already in force. */
function toBody({ value, startsAt, expiresAt, note }: Body): object {
  return {
    ...toRestValue(value),
    expires_at: expiresAt,
    ...(startsLater(startsAt) && { starts_at: startsAt }),
    ...(note.trim() && { note: note.trim() }),
  }
}

export type FeatureEffect = { feature: string; name: string; from: Value | null; to: Value | null; isLoss: boolean }

/** The effects on the subscriber's features, according to the loaded catalog; losses first. */
export function effectsOf(reached: AffectedSubscriber, change: BulkChange, catalog: Catalog): FeatureEffect[] {
  const planKey = reached.activeSubscription?.planId ?? null
  const names = new Map(catalog.features.map(({ key, name }) => [key, name]))
  function toEffect(feature: string, from: Value | null, to: Value | null): FeatureEffect[] {
    if (isSameValue(from, to)) return []
    const effect = effectOf(toCheckAnswer(from), toCheckAnswer(to))
    return [{ feature, name: names.get(feature) ?? feature, from, to, isLoss: isLoss(effect) }]
  }
  if (change.type === 'plan') {
    const [before, after] = [grantsOf(planKey, catalog), grantsOf(change.planKey, catalog)]
    const keys = [...new Set([...before.keys(), ...after.keys()])]
    const effects = keys.flatMap((key) => toEffect(key, before.get(key) ?? null, after.get(key) ?? null))
    return effects.sort((one, other) => Number(other.isLoss) - Number(one.isLoss))
  }
  const granted = grantsOf(planKey, catalog).get(change.feature) ?? null
  const override = findOverride(reached, change.feature)
  const now = override && isInForce(override) ? overrideValue(override) : granted
  return toEffect(change.feature, now, change.type === 'end' ? granted : change.value)
}

function grantsOf(planKey: string | null, { plans }: Catalog): ReadonlyMap<string, Value> {
  const plan = plans.find(({ key }) => key === planKey)
  return new Map(plan?.grants.map((grant) => [grant.feature, toValue(grant)]))
}

function isInForce({ startsAt, expiresAt }: Override): boolean {
  return !startsLater(startsAt) && (expiresAt === null || new Date(expiresAt) > new Date())
}

/** What a check would answer for the value. */
function toCheckAnswer(value: Value | null) {
  const allowed = value !== null && (value.kind !== 'FLAG' || value.allowed)
  return { kind: value?.kind ?? 'FLAG', allowed, limit: value?.kind === 'LIMIT' ? value.limit : null } as const
}
