import type { Override } from '../../database/generated/client.ts'
import { type LoggedChange, loadLogBeginning, loadSubscriberChanges, routes } from '../audit/read-logged-changes.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import { type OverrideState, type PastValue, toChange } from './known.ts'
import { inOrderOfTime } from './order.ts'
import { complete, type OverrideChange, toOverrideChanges } from './override-changes.ts'
import type { PastScope } from './plan-past.ts'

/** The newest entries of a subscriber that are read, and how many of them first; what is older counts as before the log. */
const maxEntries = 20_000
const newestEntries = 300

/** Something that happened to a subscriber: an entry, or the expiry of an override. */
export type SubscriberChange =
  | {
      kind: 'entry'
      micros: number
      entry: LoggedChange
      overrides: ReadonlyMap<string, OverrideChange>
      plan: { from: string | null; to: string | null } | null
      isCreation: boolean
    }
  | { kind: 'expiry'; micros: number; feature: string; entry: null }

/** A subscriber's present life, as the log and its rows have it. */
export type SubscriberPast = {
  /** Whether all of its entries in the log were read. */
  isWhole: boolean
  /** Since when everything is known. */
  beginning: Date
  /** Newest first. */
  changes: readonly SubscriberChange[]
  /** Those of each override, oldest first. */
  ofOverrides: ReadonlyMap<string, readonly OverrideChange[]>
  /** The overrides now, by feature key. */
  overrides: Map<string, OverrideState>
  rows: ReadonlyMap<string, Override>
  plan: string | null
}

/**
 * Reads the newest entries, which nearly always are all. If `use` returns null, because it needs older ones, or if the newest
 * alone do not say everything of the time that they cover, reads all.
 */
export async function withSubscriberPast<Result>(
  scope: PastScope,
  { subscriber, now }: { subscriber: Subscriber; now: Date },
  use: (past: SubscriberPast, isAll: boolean) => Promise<Result | null>,
): Promise<Result> {
  const newest = await loadSubscriberPast(scope, subscriber, now, newestEntries)
  if (newest.isWhole) return (await use(newest, true)) as Result
  const result = saysEverything(newest) ? await use(newest, false) : null
  return result ?? ((await use(await loadSubscriberPast(scope, subscriber, now, maxEntries), true)) as Result)
}

function saysEverything({ ofOverrides }: SubscriberPast): boolean {
  const states = [...ofOverrides.values()].flat().flatMap(({ before, after }) => [before, after])
  return states.every((state) => state === null || (state?.value !== undefined && state.expiresAt !== undefined))
}

/** Reads the rows first: what changes meanwhile is then in the log, whose entries say what was before them. */
async function loadSubscriberPast(
  { db, organizationId, feature }: PastScope,
  subscriber: Subscriber,
  now: Date,
  limit: number,
): Promise<SubscriberPast> {
  const of = { organizationId, subscriberId: subscriber.id }
  const overrides = await db.override.findMany({
    where: { ...of, ...(feature !== undefined && { featureKey: feature }) },
  })
  const active = await db.subscription.findFirst({ where: { ...of, status: 'active' } })
  const { changes: entries, isWhole } = await loadSubscriberChanges(db, subscriber, { limit, feature })
  const life = inPresentLife(entries, subscriber)
  const creation = life[0] && isCreationOf(life[0], subscriber.id) ? life[0] : null
  const rows = new Map(overrides.map((override) => [override.featureKey, override]))

  const changes = life.map((entry) => toSubscriberChange(entry, subscriber.id, feature))
  const lists = changes.flatMap(({ overrides }) => [...overrides])
  const ofOverrides = new Map(
    Array.from(
      Map.groupBy(lists, ([key]) => key),
      ([key, list]) => [key, list.map(([, change]) => change)],
    ),
  )
  const moves = changes.flatMap(({ entry, plan }) => (plan ? [{ entry, plan }] : []))
  settleOrder(moves, (later, earlier) => later.plan.from === earlier.plan.to)
  for (const [key, list] of ofOverrides) {
    settleOrder(list, follows)
    complete(list, creation && isWhole ? null : undefined, toState(rows.get(key)))
  }
  const expiries = [...new Set([...ofOverrides.keys(), ...rows.keys()])].flatMap((key) =>
    findExpiries(ofOverrides.get(key) ?? [], rows.get(key), now).map((micros) => ({ feature: key, micros })),
  )
  const beginning = await findBeginning()
  const lastPlan = moves.at(-1)?.plan
  return {
    isWhole,
    beginning,
    changes: [
      ...changes.map((change) => ({ ...change, micros: change.entry.micros })),
      ...expiries.map((expiry) => ({ kind: 'expiry' as const, entry: null, ...expiry })),
    ]
      .filter(({ micros }) => micros >= beginning.getTime() * 1000)
      .sort(newestFirst),
    ofOverrides,
    overrides: new Map(
      [...ofOverrides.keys(), ...rows.keys()].map((key) => {
        const last = ofOverrides.get(key)?.at(-1)
        return [key, last ? last.after : toState(rows.get(key))]
      }),
    ),
    rows,
    plan: lastPlan ? lastPlan.to : (active?.planKey ?? null),
  }

  async function findBeginning(): Promise<Date> {
    const oldest = life[0]
    if (!isWhole && oldest) return new Date(Math.ceil(oldest.micros / 1000))
    if (creation) return new Date(Math.floor(creation.micros / 1000))
    const logged = (await loadLogBeginning(db, organizationId)) ?? now
    return logged > subscriber.createdAt ? logged : subscriber.createdAt
  }
}

/** Where two things of one moment have no other order: an expiry comes before an entry. */
function newestFirst(one: SubscriberChange, other: SubscriberChange): number {
  if (one.micros !== other.micros) return other.micros - one.micros
  if (one.kind === 'entry' && other.kind === 'entry') return inOrderOfTime(other.entry, one.entry)
  if (one.kind === 'expiry' && other.kind === 'expiry') return one.feature < other.feature ? -1 : 1
  return one.kind === 'entry' ? -1 : 1
}

/** Oldest first, from the creation on: an id that is used again has another life before. */
function inPresentLife(entries: readonly LoggedChange[], { id, createdAt }: Subscriber): LoggedChange[] {
  const sorted = [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort(inOrderOfTime)
  const creation = sorted.findLastIndex((entry) => isCreationOf(entry, id))
  if (creation !== -1) return sorted.slice(creation)
  return sorted.filter(({ micros }) => micros >= createdAt.getTime() * 1000)
}

function isCreationOf({ route, createdId }: LoggedChange, id: string): boolean {
  return createdId === id && (route === routes.subscribers || route === routes.imported)
}

function toSubscriberChange(entry: LoggedChange, id: string, feature: string | undefined) {
  const overrides = [...toOverrideChanges(entry)].filter(([key]) => feature === undefined || key === feature)
  return {
    kind: 'entry' as const,
    micros: entry.micros,
    entry,
    overrides: new Map(overrides),
    plan: toPlanChange(entry),
    isCreation: isCreationOf(entry, id),
  }
}

/** Null if the plan stays the same. */
function toPlanChange({ route, details }: LoggedChange): { from: string | null; to: string | null } | null {
  const plan = details?.plan_id
  if (plan === undefined || route === routes.subscribers) return null
  const change = toChange(plan)
  if (change) return { from: change.from as string | null, to: change.to as string | null }
  return route.endsWith('/cancel') ? { from: plan as string, to: null } : { from: null, to: plan as string }
}

/**
 * Old entries have only the time of their request: two that changed the same thing exchange their places and moments, if only
 * then they follow from each other.
 */
function settleOrder<Change extends { entry: LoggedChange }>(
  list: Change[],
  follows: (later: Change, earlier: Change) => boolean,
): void {
  let exchanges = 10 * list.length
  for (let place = 1; place < list.length && exchanges > 0; place += 1) {
    const [one, other] = [list[place - 1], list[place]]
    if (!one || !other || one.entry.isExact || other.entry.isExact) continue
    if (follows(other, one) || !follows(one, other)) continue
    const [earlier, later] = [one.entry.micros, other.entry.micros]
    other.entry.micros = earlier
    one.entry.micros = Math.max(later, earlier + 1)
    list.splice(place - 1, 2, other, one)
    exchanges -= 1
    place = Math.max(0, place - 2)
  }
}

/** Whether nothing that both say contradicts that `later` came directly after `earlier`. */
function follows(later: OverrideChange, earlier: OverrideChange): boolean {
  const [before, after] = [later.before, earlier.after]
  if (before === undefined || after === undefined) return true
  if (before === null || after === null) return before === after
  return [
    [before.value, after.value],
    [before.expiresAt, after.expiresAt],
  ].every(([one, other]) => one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other))
}

/** When the override expired, each time, in microseconds: at the end that it had, unless it changed before. */
function findExpiries(list: readonly OverrideChange[], row: Override | undefined, now: Date): number[] {
  const first = list[0] ? list[0].before : toState(row)
  const since = list[0] ? 0 : (row?.updatedAt.getTime() ?? 0) * 1000
  const states = [
    { micros: since, state: first },
    ...list.map(({ entry, after }) => ({ micros: entry.micros, state: after })),
  ]
  return states.flatMap(({ micros, state }, place) => {
    const end = state?.expiresAt?.getTime()
    const until = states[place + 1]?.micros ?? now.getTime() * 1000
    return end !== undefined && end * 1000 > micros && end * 1000 <= until ? [end * 1000] : []
  })
}

function toState(row: Override | undefined): OverrideState {
  if (!row) return null
  return { value: toPastValue(row), expiresAt: row.expiresAt, note: row.note }
}

function toPastValue(row: Override): PastValue {
  switch (row.kind) {
    case 'flag':
      return { kind: 'flag', allowed: row.allowed === true }
    case 'limit':
      return { kind: 'limit', limit: row.limit === null ? null : Number(row.limit) }
    case 'config':
      return { kind: 'config', valueJson: row.value as string }
  }
}
