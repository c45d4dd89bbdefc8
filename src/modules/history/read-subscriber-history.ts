import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { isSameJson } from '../../core/json.ts'
import { type Page, pageFields, toPage } from '../../core/pagination.ts'
import type { Queries } from '../../database/prisma.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import { type Entitlement, isLive, resolve } from '../../gate/resolution/entitlement.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { findCreator } from '../audit/find-creator.ts'
import { toOverrideInForce } from '../entitlements/explanation.ts'
import { loadActingMembers } from '../members/acting-member.ts'
import { pastReadRate } from '../past/past-read-rate.ts'
import { loadStartOfPast } from '../past/versions.ts'
import { loadSubscriber, type Subscriber } from '../subscribers/subscriber.ts'
import { type Boundary, boundaryKinds, creationPart, loadBoundaries, type PastScope } from './boundaries.ts'
import { type Cause, type HistoryItem, historyAnswer } from './history.ts'
import { type HistoryPosition, itemCursor, newestFirst, toItemId, toPosition } from './position.ts'
import { loadStates, type State } from './states.ts'

const historyInput = defineInput(
  {
    ...pageFields(itemCursor()),
    feature: asScalar('ID', z.string().regex(keyPattern).describe('the key of a feature')).optional(),
  },
  { unknown: 'reject', term: 'query parameter' },
)

type HistoryInput = ReturnType<typeof historyInput.parse>

export const readSubscriberHistory = defineRead({
  name: 'subscriberHistory',
  summary: "Read how a subscriber's entitlements changed, newest first.",
  about:
    'Each item is a change of what a check answered for one feature, and says why it changed and who did it; items of one ' +
    'change have the same `group`. The oldest item is the creation of the subscriber. A page ends early at 16 MiB of values. Does not count as an eval.',
  route: '/org/subscribers/{subscriber_id}/history',
  service: 'api',
  labels: ['overrides:read'],
  rate: pastReadRate,
  input: historyInput,
  answer: historyAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ db, readRows, organizationId, path, input, now }): Promise<Page<HistoryItem>> {
    const subscriber = await loadSubscriber(db, organizationId, path.subscriber_id)
    return loadHistory({ db, readRows, now }, subscriber, input)
  },
})

/** Loads a page for each of several subscribers, by subscriber id. */
export async function loadSubscriberHistories(
  { db, readRows, organizationId, now }: ReadScope,
  ids: readonly string[],
  input: HistoryInput,
): Promise<Map<string, Page<HistoryItem>>> {
  const pages = new Map<string, Page<HistoryItem>>()
  const subscribers = await db.subscriber.findMany({ where: { organizationId, id: { in: [...ids] } } })
  for (const subscriber of subscribers)
    pages.set(subscriber.id, await loadHistory({ db, readRows, now }, subscriber, input))
  return pages
}

/** An item before the name of its member is loaded. */
type ItemWithoutName = Omit<HistoryItem, 'id' | 'group' | 'at' | 'by'> & {
  position: HistoryPosition
  memberId: string | null
}

const maxPageBytes = 16 * 1024 * 1024
/**
 * The maximum number of boundaries that a statement reads. The number starts at the page size, and doubles until the page is
 * full.
 */
const maxBoundariesAtOnce = 2000

async function loadHistory(
  { db, readRows, now }: Pick<ReadScope, 'db' | 'readRows' | 'now'>,
  subscriber: Subscriber,
  { feature, limit, starting_after }: HistoryInput,
): Promise<Page<HistoryItem>> {
  const { organizationId, id, createdAt } = subscriber
  const beginning = await loadStartOfPast(db, subscriber)
  const isComplete = beginning <= createdAt
  // The state just before the beginning is unknown, unless the beginning is the creation.
  const after = isComplete ? new Date(createdAt.getTime() - 1) : beginning
  const scope: PastScope = { readRows, subscriber, feature, now, after }
  const start = toPosition(starting_after, now)
  const pause = pauseAfterSlices(organizationId)
  const found: ItemWithoutName[] = []
  let bytes = 0
  let from: HistoryPosition | null = start
  const isFull = () => found.length > limit || (found.length > 0 && bytes > maxPageBytes)
  for (let times = 1; from && !isFull(); times *= 2) {
    const size = { boundaries: Math.min((limit + 1) * times, maxBoundariesAtOnce), changesOfPlan: times }
    const { boundaries, next } = await loadBoundaries(scope, from, size)
    from = next
    for (let rest = boundaries; rest.length > 0 && !isFull(); ) {
      const { states, bytes: readBytes } = await loadStates(scope, rest.slice(0, 2 * (limit + 1 - found.length)))
      for (const [position, [before, after]] of states.entries()) {
        await pause()
        for (const item of toItems(rest[position] as Boundary, before, after)) found.push(item)
      }
      bytes += readBytes
      rest = rest.slice(states.length)
      if (isFull()) from = rest[0] ?? from
    }
  }
  const creation = { ms: createdAt.getTime(), part: creationPart }
  const includesCreation = isComplete && feature === undefined && newestFirst(start, creation) < 0
  if (from === null && found.length <= limit && includesCreation) {
    const memberId = await findCreator(db, organizationId, {
      id,
      routes: ['/org/subscribers', '/org/subscribers/import'],
    })
    found.push({
      position: creation,
      feature: null,
      cause: 'subscriber',
      from: null,
      to: null,
      note: null,
      plan: null,
      memberId,
    })
  }
  const { items, hasMore } = toPage(found, limit)
  return { items: await addMemberNames(db, organizationId, items), hasMore: hasMore || from !== null }
}

async function addMemberNames(
  db: Queries,
  organizationId: string,
  items: readonly ItemWithoutName[],
): Promise<HistoryItem[]> {
  const memberIds = [...new Set(items.flatMap(({ memberId }) => memberId ?? []))]
  const members = await loadActingMembers(db, organizationId, memberIds)
  return items.map(({ position, memberId, ...item }) => ({
    ...item,
    id: toItemId(position),
    group: toItemId({ ms: position.ms, part: position.part.slice(0, 1) }),
    at: new Date(position.ms),
    by: members.get(memberId ?? '') ?? null,
  }))
}

/**
 * Returns the item of a boundary, or nothing if a check answered the same before, or if another boundary of the same time
 * caused the change.
 */
function toItems(boundary: Boundary, before: State, after: State): ItemWithoutName[] {
  const { ms, part, feature, before: oldSubscription, after: newSubscription } = boundary
  const [from, to] = [entitlementOf(feature, before, after, ms - 1), entitlementOf(feature, after, before, ms)]
  if (!from || !to || isSameEntitlement(from, to)) return []
  const { cause, memberId, note } = reasonOf()
  const kind = cause === 'plan' || cause === 'expiry' ? cause : 'own'
  if (!part.startsWith(boundaryKinds[kind])) return []
  return [{ position: { ms, part }, feature, cause, from, to, memberId, note, plan: newSubscription?.planKey ?? null }]

  function reasonOf(): { cause: Cause; memberId: string | null; note: string | null } {
    if (after.overrideSince?.getTime() === ms)
      return { cause: 'override', memberId: after.overrideSetBy, note: after.overrideNote }
    if (before.overrideId !== after.overrideId)
      return { cause: 'override', memberId: before.overrideEndedBy, note: null }
    if (isSameGrant(before, after)) return { cause: 'expiry', memberId: null, note: null }
    if (oldSubscription?.planKey !== newSubscription?.planKey) {
      const isNew = newSubscription?.createdAt.getTime() === ms
      const memberId = isNew ? newSubscription.createdBy : (oldSubscription?.canceledBy ?? null)
      return { cause: 'subscription', memberId, note: null }
    }
    if (after.grantSince?.getTime() === ms) return { cause: 'plan', memberId: after.grantSetBy, note: after.grantNote }
    return { cause: 'plan', memberId: before.grantEndedBy, note: before.grantEndNote }
  }
}

/** Compares values as text, as the statements that find the boundaries do. */
function isSameGrant(one: State, other: State): boolean {
  return one.grantKind === other.grantKind && one.grantLimit === other.grantLimit && one.grantValue === other.grantValue
}

/** The answer of a check at that time; null if the feature's kind at that time is unknown. */
function entitlementOf(feature: string, state: State, other: State, ms: number): Entitlement | null {
  const {
    overrideKind,
    overrideLimit,
    overrideValue,
    allowed,
    startsAt,
    expiresAt,
    grantKind,
    grantLimit,
    grantValue,
  } = state
  const override = overrideKind && {
    ...toOverrideInForce({ kind: overrideKind, limit: overrideLimit, value: overrideValue, allowed }),
    startsAt,
    expiresAt,
  }
  const grant = grantKind && toOverrideInForce({ kind: grantKind, limit: grantLimit, value: grantValue })
  const live = override && isLive(override, new Date(ms)) ? override : null
  const kind = live?.kind ?? grant?.kind ?? overrideKind ?? other.overrideKind ?? other.grantKind
  return kind && resolve({ key: feature, kind }, live ? null : grant, live, new Date(ms))
}

function isSameEntitlement(one: Entitlement, other: Entitlement): boolean {
  const [before, after] = [one, other].map(({ expiresAt, ...rest }) => ({
    ...rest,
    valueJson: null,
    expires: expiresAt?.getTime(),
  }))
  return isSameJson(before, after) && isSameText(valueTextOf(one), valueTextOf(other))
}

function valueTextOf(entitlement: Entitlement): string {
  return (entitlement.kind === 'config' ? entitlement.valueJson : null) ?? 'null'
}

/** Parses the texts only if they differ. They may still be equal, because the order of an object's fields does not matter. */
function isSameText(one: string, other: string): boolean {
  return one === other || isSameJson(JSON.parse(one), JSON.parse(other))
}
