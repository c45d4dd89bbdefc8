import { validationError } from '../../core/errors.ts'
import type { Override, PlanGrant } from '../../database/generated/client.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import { type Grant, isLive } from '../../gate/resolution/entitlement.ts'
import {
  firstChangeAfter,
  type LoggedChange,
  loadCatalogChanges,
  loadCreationsOfFeature,
} from '../audit/read-logged-changes.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import type { GrantState, OverrideState, PastValue } from './known.ts'
import { inOrderOfTime, OutOfReach, Reach, tooFarBack } from './order.ts'
import { PlanPast } from './plan-past.ts'
import { type SubscriberPast, withSubscriberPast } from './subscriber-past.ts'

/** What decided a feature's entitlement at a moment; an unknown one has something that the log does not have. */
export type PastFeature =
  | { key: string; isKnown: true; kind: FeatureKind; grant: PlanGrant | null; override: Override | null }
  | { key: string; isKnown: false }

type Asked = {
  at: Date
  now: Date
  /** The plan to suppose instead of the one then: null for none; undefined for the one that it was. */
  ifPlan: { key: string; createdAt: Date } | null | undefined
}

/** The features of that moment, newest first, with what decided their entitlements; 422 before the log begins. */
export async function loadPastFeatures(
  db: Queries,
  subscriber: Subscriber,
  { at, now, ifPlan }: Asked,
): Promise<{ plan: string | null; features: PastFeature[] }> {
  const { organizationId } = subscriber
  const scope = { db, organizationId, reach: new Reach() }
  const isLater = ({ micros }: { micros: number }) => Math.floor(micros / 1000) > at.getTime()
  try {
    return await withSubscriberPast(scope, { subscriber, now }, async (past, isAll) => {
      if (at < past.beginning) {
        if (isAll) throw beforeBeginning(past.beginning)
        return null
      }
      const then = stateAt(past, isLater)
      const plan = ifPlan === undefined ? then.plan : (ifPlan?.key ?? null)
      const granted = plan === null || (ifPlan && ifPlan.createdAt > at) ? null : await PlanPast.open(plan, scope)
      await granted?.goBackTo(isLater)
      const features: PastFeature[] = []
      for (const { key, kind } of await loadCatalogAt(db, organizationId, at, isLater)) {
        const grant = granted ? await granted.grantOf(key) : null
        const override = overrideAt(past, key, then.overrides.has(key) ? then.overrides.get(key) : null, {
          at,
          isLater,
        })
        features.push(
          toPastFeature(
            { organizationId, subscriberId: subscriber.id, planKey: plan ?? '', key, kind },
            grant,
            override,
          ),
        )
      }
      return { plan, features }
    })
  } catch (error) {
    throw error instanceof OutOfReach ? tooFarBack('at') : error
  }
}

function beforeBeginning(beginning: Date) {
  const since = beginning.toISOString()
  const message = `at must not be before ${since}: since then the log has what is needed to explain this subscriber.`
  return validationError([{ path: 'at', message }])
}

type PlaceOfFeature = {
  organizationId: string
  subscriberId: string
  planKey: string
  key: string
  kind: FeatureKind | undefined
}

function toPastFeature(place: PlaceOfFeature, grant: GrantState, override: ReturnType<typeof overrideAt>): PastFeature {
  const { organizationId, subscriberId, planKey, key } = place
  const kind = place.kind ?? grant?.kind ?? override?.kind
  if (kind === undefined || grant === undefined || override === undefined) return { key, isKnown: false }
  return {
    key,
    isKnown: true,
    kind,
    grant: grant && toGrantRow({ organizationId, planKey, featureKey: key }, grant),
    override: override && { ...override, organizationId, subscriberId, featureKey: key },
  }
}

type IsLater = (change: { micros: number }) => boolean

/** Undoes what came later. */
function stateAt(past: SubscriberPast, isLater: IsLater) {
  const overrides = new Map(past.overrides)
  let { plan } = past
  for (const change of past.changes) {
    if (change.kind === 'expiry' || !isLater(change)) continue
    for (const [feature, { before }] of change.overrides) overrides.set(feature, before)
    if (change.plan) plan = change.plan.from
  }
  return { plan, overrides }
}

/**
 * The override that was live then; null if there was none, undefined if the log does not have it. One that did not change since
 * is the row itself. Of another, the times are those of its changes; one that an import created and that is gone has the id of
 * the entry of its line.
 */
function overrideAt(
  { ofOverrides, rows }: SubscriberPast,
  feature: string,
  state: OverrideState,
  { at, isLater }: { at: Date; isLater: IsLater },
): Omit<Override, 'organizationId' | 'subscriberId' | 'featureKey'> | null | undefined {
  if (!state) return state
  if (state.expiresAt === undefined) return undefined
  if (!isLive({ expiresAt: state.expiresAt }, at)) return null
  const changes = ofOverrides.get(feature) ?? []
  const later = changes.filter(({ entry }) => isLater(entry))
  const row = rows.get(feature)
  if (row && later.length === 0) return row

  const earlier = changes.slice(0, changes.length - later.length)
  const last = earlier.at(-1)
  const creation = earlier.findLast(({ before }) => before === null)?.entry
  const stays = later.every(({ before, after }) => before && after) ? row : undefined
  const id = stays?.id ?? (creation?.details?.override_id as string | undefined) ?? creation?.id
  const createdAt = stays?.createdAt ?? (creation && toDate(creation))
  if (state.value === undefined || id === undefined || createdAt === undefined) return undefined
  return {
    id,
    ...toColumns(state.value),
    expiresAt: state.expiresAt,
    expiryMarked: false,
    note: state.note ?? null,
    setBy: last?.entry.memberId ?? null,
    createdAt,
    updatedAt: last ? toDate(last.entry) : createdAt,
  }
}

function toColumns(value: PastValue): Pick<Override, 'kind' | 'allowed' | 'limit' | 'value'> {
  return {
    kind: value.kind,
    allowed: value.kind === 'flag' ? value.allowed : null,
    limit: value.kind === 'limit' && value.limit !== null ? BigInt(value.limit) : null,
    value: value.kind === 'config' ? value.valueJson : null,
  }
}

function toGrantRow(place: Pick<PlanGrant, 'organizationId' | 'planKey' | 'featureKey'>, grant: Grant): PlanGrant {
  const limit = grant.kind === 'limit' && grant.limit !== null ? BigInt(grant.limit) : null
  return { ...place, kind: grant.kind, limit, value: grant.kind === 'config' ? grant.valueJson : null }
}

function toDate({ micros }: LoggedChange): Date {
  return new Date(Math.floor(micros / 1000))
}

/** The most features that may have been created and deleted since. */
const maxCatalogChanges = 20_000

/** The features that were there, newest first; the kind of a deleted one is not known if the log begins after its creation. */
async function loadCatalogAt(db: Queries, organizationId: string, at: Date, isLater: IsLater) {
  const present = await db.feature.findMany({
    where: { organizationId },
    select: { key: true, kind: true, createdAt: true },
  })
  const since = firstChangeAfter(at.getTime())
  const { changes, isWhole } = await loadCatalogChanges(db, organizationId, { since, limit: maxCatalogChanges })
  if (!isWhole) throw new OutOfReach()
  const nextByKey = new Map<string, LoggedChange>()
  for (const change of changes.filter(isLater).sort(inOrderOfTime)) {
    const key = change.key ?? ''
    if (!nextByKey.has(key)) nextByKey.set(key, change)
  }
  const stayed = present.filter(({ key }) => !nextByKey.has(key))
  const deleted = [...nextByKey].flatMap(([key, { method }]) => (method === 'DELETE' ? [key] : []))
  const gone: { key: string; kind: FeatureKind | undefined; createdAt: Date }[] = []
  for (const key of deleted) {
    const creations = await loadCreationsOfFeature(db, organizationId, key)
    const creation = creations.sort(inOrderOfTime).findLast((change) => !isLater(change))
    const kind = creation?.details?.kind as FeatureKind | undefined
    gone.push({ key, kind, createdAt: creation ? toDate(creation) : new Date(0) })
  }
  return [...stayed, ...gone].sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.key < other.key ? -1 : 1),
  )
}
