import { beforeEach, describe, expect, it } from 'vitest'
import { Metrics } from '../../src/metrics/metrics.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Answer, type Caller, send, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'

const metrics = new Metrics()
const service = await startService({}, undefined, undefined, { metrics })

const ask = (caller: Caller, ids: unknown, more: object = {}): Promise<Answer> =>
  caller.rest('POST', '/org/entitlements', { subscriber_ids: ids, ...more })
const snapshotOf = (caller: Caller, id: string) =>
  vendor(caller).get(`/org/subscribers/${encodeURIComponent(id)}/entitlements`)
const used = async (caller: Caller): Promise<number> => (await vendor(caller).get('/org/eval-usage')).used

/** A vendor with a plan that grants one feature of each kind, and these subscribers on it. */
async function createVendorWith(ids: readonly string[], on: TestService = service): Promise<Caller> {
  const caller = await on.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', grantOfEach)
  for (const id of ids) {
    await setup.subscriber(id)
    await setup.subscribe(id, 'pro')
  }
  return caller
}

async function limit(caller: Caller, limits: { rateLimit?: number; allotment?: number }): Promise<void> {
  const where = { organizationId: caller.organizationId }
  await service.database.prisma.evalCounter.update({ where, data: limits })
}

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('POST /org/entitlements', () => {
  it('answers with the snapshot of each subscriber in the requested order, and names unknown ids', async () => {
    const caller = await createVendorWith(['acme', 'globex', 'ünï"cödé'])
    const setup = vendor(caller)
    await setup.subscriber('free')
    await setup.override('globex', 'seats', { kind: 'limit', limit: null, expires_at: '2999-01-01T00:00:00Z' })

    const answer = await ask(caller, ['ünï"cödé', 'nobody', 'globex', 'free', 'acme'], { other: 1 })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const snapshots = []
    for (const id of ['ünï"cödé', 'globex', 'free', 'acme']) snapshots.push(await snapshotOf(caller, id))
    expect(answer.body).toEqual({ snapshots, unknown: ['nobody'], left: [] })
  })

  it('shows every write that was answered earlier, even of overrides too large for one statement', async () => {
    const caller = await createVendorWith(['acme', 'globex'])
    const setup = vendor(caller)
    await setup.feature('theme', { kind: 'config', value_type: 'json' })
    for (let round = 0; round < 5; round++) {
      await setup.override('acme', 'theme', { kind: 'config', value: { round, text: 'é'.repeat(20_000) } })
      await setup.override('globex', 'seats', { kind: 'limit', limit: round })

      const { body } = await ask(caller, ['globex', 'acme'])

      expect(body.snapshots[0].entitlements[2]).toMatchObject({ feature: 'seats', limit: round })
      expect(body.snapshots[1].entitlements[0]).toMatchObject({ feature: 'theme', value: { round } })
    }
  })

  it('counts once against the rate, and each snapshot against the allotment', async () => {
    const caller = await createVendorWith(['a', 'b', 'c'])
    await limit(caller, { rateLimit: 1_000 })
    const usedThisSecond = async () => {
      const where = { organizationId: caller.organizationId }
      return (await service.database.prisma.evalCounter.findUniqueOrThrow({ where })).secondUsed
    }

    expect(await ask(caller, ['a', 'b', 'c', 'nobody'])).toMatchObject({ status: 200 })

    expect(await usedThisSecond()).toBe(1)
    expect(await used(caller)).toBe(3)
    await limit(caller, { rateLimit: 0 })
    expectRefusal(await ask(caller, ['a']), 'RATE_LIMITED', { retry_after_seconds: 1 })
    expect(await used(caller)).toBe(3)
  })

  it('is 409 and counts nothing if the allotment does not suffice for all known subscribers', async () => {
    const caller = await createVendorWith(['a', 'b', 'c'])
    await limit(caller, { allotment: 4 })
    await ask(caller, ['a', 'b'])

    expectRefusal(await ask(caller, ['a', 'b', 'c']), 'CONFLICT', { field: 'evals', value: 4 })
    expect(await used(caller)).toBe(2)
    expect(await ask(caller, ['a', 'b', 'nobody'])).toMatchObject({ status: 200 })
    expectRefusal(await ask(caller, ['a']), 'CONFLICT', { field: 'evals', value: 4 })
    expect(await ask(caller, ['nobody'])).toMatchObject({ status: 200, body: { unknown: ['nobody'] } })
    expect(await used(caller)).toBe(4)
  })

  it.each([
    ['a body without subscriber_ids', undefined, ['subscriber_ids', /required/]],
    ['a string instead of a list', 'acme', ['subscriber_ids', /list of 1 to 100/]],
    ['an empty list', [], ['subscriber_ids', /list of 1 to 100/]],
    ['too many ids', Array.from({ length: 101 }, (_, n) => `s${n}`), ['subscriber_ids', /list of 1 to 100/]],
    ['a repeated id', ['a', 'b', 'a'], ['subscriber_ids', /list of 1 to 100 .* but "a" is given twice/]],
    ['a malformed id', ['a', 'b c'], ['subscriber_ids', /list of 1 to 100/]],
    ['a number as an id', ['a', 5], ['subscriber_ids', /list of 1 to 100/]],
  ] as const)('refuses %s', async (_what, ids, detail) => {
    const caller = await service.organization('evaluator')

    expectInvalid(await ask(caller, ids), detail as never)
  })

  it('accepts a key, but not a subscriber token', async () => {
    const caller = await createVendorWith(['acme'])
    const { body } = await caller.rest('POST', '/org/subscribers/acme/tokens')
    const url = `${service.url}/org/entitlements`

    const byToken = await send(url, 'POST', { subscriber_ids: ['acme'] }, { authorization: `Bearer ${body.token}` })

    expectRefusal(byToken, 'UNAUTHORIZED', null)
    expect(await used(caller)).toBe(0)
  })

  it('neither returns nor counts snapshots beyond MAX_ANSWER_BYTES, and names their subscribers in left', async () => {
    const small = await startService({ MAX_ANSWER_BYTES: '6000' })
    const ids = ['a', 'b', 'c', 'd', 'e']
    const caller = await createVendorWith(ids, small)
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'string' })
    for (const id of ids) await vendor(caller).override(id, 'theme', { kind: 'config', value: id.repeat(2_000) })

    const first = await ask(caller, ['nobody', ...ids])

    expect(first.body.snapshots.map(({ subscriber_id: id }: { subscriber_id: string }) => id)).toEqual(['a', 'b'])
    expect(first.body).toMatchObject({ unknown: ['nobody'], left: ['c', 'd', 'e'] })
    expect(Buffer.byteLength(JSON.stringify(first.body))).toBeLessThanOrEqual(6_000)
    await until(async () => (await used(caller)) === 2)
    const second = await ask(caller, first.body.left)
    expect(second.body.left).toEqual(['e'])
  })

  it('answers with the first snapshot even if it alone exceeds MAX_ANSWER_BYTES', async () => {
    const small = await startService({ MAX_ANSWER_BYTES: '100' })
    const caller = await createVendorWith(['a', 'b'], small)

    const { body } = await ask(caller, ['a', 'b'])

    expect(body).toMatchObject({ snapshots: [{ subscriber_id: 'a' }], left: ['b'] })
  })

  it('counts each snapshot as an eval in the metrics', async () => {
    const caller = await createVendorWith(['a', 'b'])
    const granted = () => metrics.evals.toJson().values.find(({ labels }) => labels.outcome === 'granted')?.value ?? 0
    const before = granted()

    await ask(caller, ['a', 'b', 'nobody'])

    expect(granted() - before).toBeGreaterThanOrEqual(2)
  })
})

const query =
  'query ($ids: [ID!]!) { entitlementsOf(subscriberIds: $ids) { snapshots { subscriberId plan validUntil entitlements { feature allowed limit value source } } unknown left } }'

describe('entitlementsOf in GraphQL', () => {
  it('answers and counts as REST does', async () => {
    const caller = await createVendorWith(['acme', 'globex'])
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 9, expires_at: '2999-01-01T00:00:00Z' })

    const { body } = await caller.graphql(query, { ids: ['globex', 'nobody', 'acme'] })

    expect(body.data.entitlementsOf).toMatchObject({
      snapshots: [
        { subscriberId: 'globex', plan: 'pro', validUntil: null },
        { subscriberId: 'acme', plan: 'pro', validUntil: '2999-01-01T00:00:00.000Z' },
      ],
      unknown: ['nobody'],
      left: [],
    })
    expect(body.data.entitlementsOf.snapshots[1].entitlements[1]).toMatchObject({ feature: 'seats', limit: 9 })
    expect(await used(caller)).toBe(2)
  })

  it('refuses as REST does, with the field names of GraphQL', async () => {
    const caller = await createVendorWith(['acme'])

    const { body } = await caller.graphql(query, { ids: ['acme', 'acme'] })

    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'subscriberIds' }] },
    })
  })

  it('leaves out snapshots that do not fit into one answer, so that further requests get them', async () => {
    const small = await startService({ MAX_ANSWER_BYTES: '20000' })
    const ids = ['a', 'b', 'c', 'd', 'e']
    const caller = await createVendorWith(ids, small)
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'string' })
    for (const id of ids) await vendor(caller).override(id, 'theme', { kind: 'config', value: id.repeat(4_000) })

    let left: string[] = ids
    const answered: string[] = []
    while (left.length > 0) {
      const { body } = await caller.graphql(query, { ids: left })
      expect(body.errors).toBeUndefined()
      answered.push(...body.data.entitlementsOf.snapshots.map((each: { subscriberId: string }) => each.subscriberId))
      left = body.data.entitlementsOf.left
    }
    expect(answered).toEqual(ids)
  })
})
