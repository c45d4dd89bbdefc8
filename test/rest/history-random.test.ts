import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { randomOf } from '../client/world/virtual-time.ts'
import { firstSeed, randomRuns } from '../support/random.ts'
import { type Answer, type Caller, sharedService, startService } from '../support/service.ts'

/*
 * Verifies the answers about the past: makes random writes, takes snapshots between them, notes the database's time of each,
 * and later compares each snapshot with an explanation of that moment and with the history up to it. A case is one snapshot;
 * a run has a seed, and takes up to 24 snapshots.
 */
const casesPerRun = 24
const concurrentRuns = 3

const service = await sharedService()
// Another process of the same installation, as far as the database can tell.
const other = await startService()

type Entitlement = { feature: string; kind: string; source: string }
type Snapshot = { at: string; plan: string | null; entitlements: Entitlement[]; overrides: object[] }
type Item = { id: string; at: string; feature: string | null; from: unknown; to: Entitlement }
type Random = { below(limit: number): number; one<T>(list: readonly T[]): T }

const features = ['flag', 'seats', 'theme', 'extra']
const kinds = { flag: 'flag', seats: 'limit', theme: 'config' } as const
const plans = ['pro', 'max']
const subscribers = ['acme', 'bolt']

/** The delays after which some overrides start or expire. */
const soonMs = [30, 60, 120]

/** A value that is too large for the details of an audit entry. */
const large = 'x'.repeat(20_000)

function grantOf(kind: string, random: Random): Record<string, unknown> {
  if (kind === 'flag') return { kind }
  if (kind === 'limit') return { kind, limit: random.one([null, 0, 1, 2, 3]) }
  return { kind, value: random.one(['a', { b: [1, null], a: 2 }, { a: 2, b: [1, null] }, 7, false, large]) }
}

/** A random write: its method, path and body. Many of them are refused. */
function randomWrite(random: Random, kindOfExtra: string, now: number): [string, string, unknown?] {
  const id = random.one(subscribers)
  const feature = random.one(features)
  const kind = feature === 'extra' ? kindOfExtra : kinds[feature as keyof typeof kinds]
  const subscriber = `/org/subscribers/${id}`
  const override = () => ({
    ...grantOf(kind, random),
    ...(kind === 'flag' && { allowed: random.below(2) === 0 }),
    ...(random.below(2) === 0 && {
      expires_at: random.one([null, ...[-1000, ...soonMs, 86_400_000].map((ms) => new Date(now + ms).toISOString())]),
    }),
    ...(random.below(3) === 0 && {
      starts_at: random.one([null, ...[-1000, ...soonMs, 86_400_000].map((ms) => new Date(now + ms).toISOString())]),
    }),
    ...(random.below(4) === 0 && { note: random.one(['one', 'two']) }),
  })
  const grants = () =>
    Object.fromEntries(
      features
        .filter(() => random.below(2) === 0)
        .map((key) => [key, grantOf(key === 'extra' ? kindOfExtra : kinds[key as keyof typeof kinds], random)]),
    )
  switch (random.below(14)) {
    case 0:
    case 1:
    case 2:
      return ['PUT', `${subscriber}/overrides/${feature}`, override()]
    case 3:
      return ['DELETE', `${subscriber}/overrides/${feature}`]
    case 4:
      return ['POST', `${subscriber}/subscriptions`, { plan_id: random.one(plans) }]
    case 5:
      return ['POST', `${subscriber}/subscriptions/change`, { plan_id: random.one(plans) }]
    case 6:
      return ['CANCEL', subscriber]
    case 7:
    case 8:
    case 9:
      return ['PATCH', `/org/plans/${random.one(plans)}`, { grants: grants(), name: random.one(['A', 'B']) }]
    case 10:
      return ['POST', '/org/features', { key: 'extra', name: 'Extra', kind: kindOfExtra }]
    case 11:
      return ['DELETE', '/org/features/extra']
    case 12:
      return random.below(3) === 0 ? ['DELETE', subscriber] : ['POST', '/org/subscribers', { subscriber_id: id }]
    default: {
      const line = () => ({
        subscriber_id: random.one(subscribers),
        ...(random.below(2) === 0 && { plan_id: random.one([null, ...plans]) }),
        ...(random.below(2) === 0 && { overrides: { [feature]: random.below(3) === 0 ? null : override() } }),
      })
      return ['IMPORT', '', [line(), line()].map((each) => JSON.stringify(each)).join('\n')]
    }
  }
}

async function send(caller: Caller, url: string, [method, path, body]: [string, string, unknown?]): Promise<void> {
  const headers = { 'x-api-key': caller.key }
  if (method === 'IMPORT') {
    const typed = { ...headers, 'content-type': 'application/x-ndjson' }
    await fetch(`${url}/org/subscribers/import`, { method: 'POST', headers: typed, body: body as string })
    return
  }
  if (method === 'CANCEL') {
    const { subscriptions } = await (await fetch(`${url}${path}/subscriptions?limit=100`, { headers })).json()
    const active = subscriptions?.find(({ status }: { status: string }) => status === 'active')
    if (active) await fetch(`${url}${path}/subscriptions/${active.id}/cancel`, { method: 'POST', headers })
    return
  }
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.status, `${method} ${path} ${JSON.stringify(body)} ${await response.clone().text()}`).toBeLessThan(
    500,
  )
}

async function databaseTime(): Promise<Date> {
  const { rows } = await service.database.pool.query<{ now: Date }>('select clock_timestamp() as now')
  return (rows[0] as { now: Date }).now
}

/**
 * The subscriber's entitlements, at a time when nothing changes; null if there is no subscriber, or an override just
 * started or expired.
 */
async function takeSnapshot(caller: Caller, id: string): Promise<Snapshot | null> {
  const { status, body } = await caller.rest('GET', `/org/subscribers/${id}/entitlements`)
  if (status !== 200) return null
  const at = await databaseTime()
  if (body.valid_until !== null && Date.parse(body.valid_until) <= at.getTime()) return null
  const { body: stored } = await caller.rest('GET', `/org/subscribers/${id}/overrides?include_expired=true`)
  const overrides = stored.overrides.filter(
    ({ starts_at: start, updated_at: since, expires_at: end }: Record<string, string | null>) =>
      !start && Date.parse(since as string) <= at.getTime() && (!end || Date.parse(end) > at.getTime()),
  )
  // Waits for the next millisecond, so that the next write has a later time.
  while ((await databaseTime()).getTime() === at.getTime());
  return { at: at.toISOString(), plan: body.plan, entitlements: body.entitlements, overrides }
}

/** Sends the request again if it was refused because 20 such reads were already answered in this second. */
async function ask(caller: Caller, path: string): Promise<Answer> {
  const answer = await caller.rest('GET', path)
  if (answer.status !== 429) return answer
  await setTimeout(200)
  return ask(caller, path)
}

async function readWholeHistory(caller: Caller, id: string, filter = ''): Promise<Item[]> {
  const items: Item[] = []
  for (let after = filter; ; ) {
    const { status, body } = await ask(caller, `/org/subscribers/${id}/history?limit=7${after}`)
    expect(status).toBe(200)
    items.push(...body.history)
    if (!body.has_more) return items
    after = `${filter}&starting_after=${body.history.at(-1).id}`
  }
}

/** A feature's state at a moment, according to the history; undefined before the feature's first change. */
function foldUpTo(items: readonly Item[], feature: string, at: string): Entitlement | undefined {
  return items.find((item) => item.feature === feature && item.at <= at)?.to
}

const byFeature = (one: { feature: unknown }, two: { feature: unknown }) =>
  String(one.feature).localeCompare(String(two.feature))

const isNothing = (entitlement: Entitlement | undefined) => entitlement === undefined || entitlement.source === 'none'

async function run(seed: number, writers: number): Promise<void> {
  const next = randomOf(seed)
  const random: Random = {
    below: (limit) => Math.floor(next() * limit),
    one: (list) => list[Math.floor(next() * list.length)] as never,
  }
  const caller = await service.organization()
  for (const [key, kind] of Object.entries(kinds)) {
    const fields = kind === 'config' ? { value_type: 'json' } : {}
    await send(caller, service.url, ['POST', '/org/features', { key, name: key, kind, ...fields }])
  }
  for (const key of plans) await send(caller, service.url, ['POST', '/org/plans', { key, name: 'A' }])
  for (const id of subscribers) await send(caller, service.url, ['POST', '/org/subscribers', { subscriber_id: id }])

  let kindOfExtra = 'flag'
  /** The snapshots since each subscriber was last created. */
  const snapshotsById = new Map<string, Snapshot[]>(subscribers.map((id) => [id, []]))
  for (let step = 0; step < 12; step += 1) {
    if (step % 4 === 3) kindOfExtra = random.one(['flag', 'limit'])
    const now = Date.now()
    const writes = Array.from({ length: writers }, () => randomWrite(random, kindOfExtra, now))
    const urls = [service.url, other.url]
    await Promise.all(writes.map((write, index) => send(caller, urls[index % 2] as string, write)))
    for (const id of subscribers) {
      const isDeleted = writes.some(([method, path]) => method === 'DELETE' && path === `/org/subscribers/${id}`)
      if (isDeleted) snapshotsById.set(id, [])
      const snapshot = await takeSnapshot(caller, id)
      if (snapshot) snapshotsById.get(id)?.push(snapshot)
    }
  }

  // Waits until the soon starts and expiries are over, so that none happens between two reads of the same history.
  const endsAt = Date.now() + Math.max(...soonMs)
  while ((await databaseTime()).getTime() <= endsAt) await setTimeout(10)

  for (const [id, snapshots] of snapshotsById) {
    const subscriber = await caller.rest('GET', `/org/subscribers/${id}`)
    if (subscriber.status !== 200) continue
    await assertExact(caller, `/org/subscribers/${id}`, [subscriber.body, ...(snapshots.at(-1)?.overrides ?? [])])
    const items = await readWholeHistory(caller, id)
    assertChain(items, seed)
    const one = random.one(features)
    const ofOne = items.filter(({ feature }) => feature === one)
    expect(await readWholeHistory(caller, id, `&feature=${one}`), `seed ${seed}, ${id}`).toEqual(ofOne)
    for (const { at, plan, entitlements, overrides } of snapshots) {
      const where = `seed ${seed}, ${writers} writers, ${id} at ${at}`
      const { status, body } = await ask(caller, `/org/subscribers/${id}/explanation?at=${at}`)
      expect(status, `${where}: ${JSON.stringify(body)}`).toBe(200)
      expect(body.plan, where).toBe(plan)
      expect(
        body.items.map(({ entitlement }: { entitlement: unknown }) => entitlement),
        where,
      ).toEqual(entitlements)
      const explained = body.items.flatMap(({ override }: { override: object | null }) => override ?? [])
      expect(explained.map(toState).sort(byFeature), where).toEqual(overrides.map(toState).sort(byFeature))
      for (const entitlement of entitlements) {
        const folded = foldUpTo(items, entitlement.feature, at)
        if (isNothing(entitlement)) expect(isNothing(folded), `${where}: ${JSON.stringify(folded)}`).toBe(true)
        else expect(folded, where).toEqual(entitlement)
      }
    }
  }
}

/** Expects an explanation at the time when the subscriber was created, and each override at the time of its update. */
async function assertExact(caller: Caller, path: string, [subscriber, ...overrides]: readonly object[]): Promise<void> {
  const { created_at } = subscriber as { created_at: string }
  expect((await ask(caller, `${path}/explanation?at=${created_at}`)).status).toBe(200)
  for (const override of overrides) {
    const { feature, updated_at } = override as { feature: string; updated_at: string }
    const { body } = await ask(caller, `${path}/explanation?at=${updated_at}`)
    expect(body.items.find((item: { feature: string }) => item.feature === feature)).toMatchObject({ override })
  }
}

/** Expects that each item starts from the value to which the previous item of the same feature led. */
function assertChain(items: readonly Item[], seed: number): void {
  for (const [index, { feature, from }] of items.entries()) {
    if (feature === null) continue
    const before = items.slice(index + 1).find((item) => item.feature === feature)
    if (before && !isNothing(before.to)) expect(from, `seed ${seed}`).toEqual(before.to)
    else expect(isNothing(from as Entitlement), `seed ${seed}`).toBe(true)
  }
}

/** A live override without its id, and without the times of its writes, which are only approximate in the log. */
function toState(override: object) {
  const { feature, allowed, limit, value, expires_at, note } = override as Record<string, unknown>
  return { feature, allowed, limit, value, expires_at, note }
}

it.each([1, 3])('explanations and histories match earlier snapshots, with %i writers at once', async (writers) => {
  let seed = firstSeed
  const end = firstSeed + Math.max(1, Math.round(randomRuns / 2 / casesPerRun))
  const work = async () => {
    while (seed < end) await run(seed++, writers)
  }

  await Promise.all(Array.from({ length: concurrentRuns }, work))
})
