import { isSameValue, overrideValue, toValue, type Value } from '../../../components/text/value.ts'
import type { BulkCatalogQuery, BulkSubscriberFragment } from '../../../generated/bulk.ts'

/** What is done to many subscribers. */
export type BulkChange =
  | { type: 'give'; feature: string; value: Value; startsAt: string | null; expiresAt: string | null; note: string }
  | { type: 'end'; feature: string }
  /** null cancels the subscription. */
  | { type: 'plan'; planKey: string | null }

export type Reached = BulkSubscriberFragment
export type Catalog = {
  features: NonNullable<BulkCatalogQuery['features']>
  plans: NonNullable<BulkCatalogQuery['plans']>
}

type Override = NonNullable<Reached['overrides']>[number]

/** Whether it changes anything for the subscriber; what changes nothing is not sent. */
export function isChanged(reached: Reached, change: BulkChange): boolean {
  if (change.type === 'end') return findOverride(reached, change.feature) !== undefined
  return change.type === 'give' || (reached.activeSubscription?.planId ?? null) !== change.planKey
}

/** In force, scheduled or expired. */
function findOverride({ overrides }: Reached, feature: string): Override | undefined {
  return overrides?.find((override) => override.feature === feature)
}

/** The line of an import that makes the change. */
export function toLine({ subscriberId }: Reached, change: BulkChange): object {
  if (change.type === 'plan') return { subscriber_id: subscriberId, plan_id: change.planKey }
  return { subscriber_id: subscriberId, overrides: { [change.feature]: change.type === 'end' ? null : toBody(change) } }
}

/** The line that brings back what the subscriber had before. */
export function toUndoLine(reached: Reached, change: BulkChange): object {
  const { subscriberId, activeSubscription } = reached
  if (change.type === 'plan') return { subscriber_id: subscriberId, plan_id: activeSubscription?.planId ?? null }
  const override = findOverride(reached, change.feature)
  const before = override ? toBody({ ...override, value: overrideValue(override), note: override.note ?? '' }) : null
  return { subscriber_id: subscriberId, overrides: { [change.feature]: before } }
}

type Body = { value: Value; startsAt: string | null; expiresAt: string | null; note: string }

/** In the words of REST. A start that has passed is left out: the override is in force. */
function toBody({ value, startsAt, expiresAt, note }: Body): object {
  const isAhead = startsAt !== null && new Date(startsAt) > new Date()
  return {
    ...value,
    kind: value.kind.toLowerCase(),
    expires_at: expiresAt,
    ...(isAhead && { starts_at: startsAt }),
    ...(note.trim() && { note: note.trim() }),
  }
}

export type FeatureEffect = { feature: string; name: string; from: Value | null; to: Value | null; isLoss: boolean }

/** What the change does to the subscriber's features, by the catalog that was read. Losses first. */
export function effectsOf(reached: Reached, change: BulkChange, catalog: Catalog): FeatureEffect[] {
  const planKey = reached.activeSubscription?.planId ?? null
  const names = new Map(catalog.features.map(({ key, name }) => [key, name]))
  const effectOf = (feature: string, from: Value | null, to: Value | null) =>
    isSameValue(from, to) ? [] : [{ feature, name: names.get(feature) ?? feature, from, to, isLoss: isLoss(from, to) }]
  if (change.type === 'plan') {
    const [before, after] = [grantsOf(planKey, catalog), grantsOf(change.planKey, catalog)]
    const keys = [...new Set([...before.keys(), ...after.keys()])]
    const effects = keys.flatMap((key) => effectOf(key, before.get(key) ?? null, after.get(key) ?? null))
    return effects.sort((one, other) => Number(other.isLoss) - Number(one.isLoss))
  }
  const granted = grantsOf(planKey, catalog).get(change.feature) ?? null
  const override = findOverride(reached, change.feature)
  const now = override && isInForce(override) ? overrideValue(override) : granted
  return effectOf(change.feature, now, change.type === 'end' ? granted : change.value)
}

function grantsOf(planKey: string | null, { plans }: Catalog): ReadonlyMap<string, Value> {
  const plan = plans.find(({ key }) => key === planKey)
  return new Map(plan?.grants.map((grant) => [grant.feature, toValue(grant)]))
}

function isInForce({ startsAt, expiresAt }: Override): boolean {
  const now = new Date()
  return (startsAt === null || new Date(startsAt) <= now) && (expiresAt === null || new Date(expiresAt) > now)
}

/** Nothing, a flag that is off, or a lower limit than before. */
function isLoss(from: Value | null, to: Value | null): boolean {
  if (isAllowed(from) !== isAllowed(to)) return isAllowed(from)
  if (from?.kind !== 'LIMIT' || to?.kind !== 'LIMIT') return false
  return (to.limit ?? Number.POSITIVE_INFINITY) < (from.limit ?? Number.POSITIVE_INFINITY)
}

function isAllowed(value: Value | null): boolean {
  return value !== null && (value.kind !== 'FLAG' || value.allowed)
}
