import { describe, expect, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { untilOthersWaitFor } from '../support/race.ts'
import {
  answerOf,
  countKinds,
  createClock,
  database,
  loadCounter,
  loadCurrentSecond,
  noon,
  openGate,
  seedVendor,
  setCounter,
} from './harness.ts'
import { seedKey } from './seed.ts'
import { loadTwoGates } from './two-gates.ts'

const check = (keyHash: string, subscriberId = 'acme', feature = 'seats') => ({
  keyHash,
  subscriberId,
  features: [feature],
})

describe('the rate limit', () => {
  it('admits exactly 100 of a thousand evals at once if it is 100, even with two keys of one organization', async () => {
    await using gate = openGate({ clock: noon, rateLimitPerSecond: 100 })
    const { organizationId, memberId, keyHash } = await seedVendor()
    const otherKey = Buffer.alloc(32, organizationId).toString('hex')
    await seedKey(database, { organizationId, memberId, keyHash: otherKey })
    await gate.evaluate(check(Buffer.alloc(32).toString('hex')))

    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => gate.evaluate(check(index % 3 === 0 ? otherKey : keyHash))),
    )

    expect(countKinds(outcomes)).toEqual({ granted: 100, rate_limited: 900 })
    // The first hundred to arrive are admitted, with either key.
    expect(outcomes.findIndex(({ kind }) => kind === 'rate_limited')).toBe(100)
    expect(await loadCounter(organizationId)).toMatchObject({ second_used: 100, day_used: 100, month_used: 100 })
  })

  it("is the organization's own limit if it has one, and does not affect other organizations", async () => {
    await using gate = openGate({ clock: noon, rateLimitPerSecond: 100 })
    const small = await seedVendor({ rateLimit: 3 })
    const other = await seedVendor()

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => gate.evaluate(check(index % 2 === 0 ? small.keyHash : other.keyHash))),
    )

    const even = (_: unknown, index: number) => index % 2 === 0
    expect(countKinds(outcomes.filter(even))).toEqual({ granted: 3, rate_limited: 7 })
    expect(countKinds(outcomes.filter((_, index) => index % 2 === 1))).toEqual({ granted: 10 })
  })

  it('applies to two gates together in every clock second', async () => {
    await waitIfNearMidnight()
    const rateLimit = 50
    const { organizationId, keyHash } = await seedVendor({ rateLimit })

    const before = await loadCurrentSecond()
    const { granted = 0 } = await loadTwoGates({ caller: () => ({ keyHash }), inFlight: 40, durationMs: 2_100 })
    const seconds = (await loadCurrentSecond()) - before + 1

    expect(granted).toBeLessThanOrEqual(rateLimit * seconds)
    // The load covers at least one whole second, in which the gates must admit the full rate.
    expect(granted).toBeGreaterThanOrEqual(rateLimit)
    expect(await loadCounter(organizationId)).toMatchObject({ month_used: granted })
  })

  it('counts an eval in the second in which it runs, however long it has waited', async () => {
    const { clock, set } = await createClock(1_800_000_000)
    await using gate = openGate({ clock })
    const { organizationId, keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))
    const client = await database.connect()
    await client.query('begin')
    await client.query('select from eval_counter where organization_id = $1 for update', [organizationId])

    const waiting = gate.evaluate(check(keyHash))
    await untilOthersWaitFor(client)
    await set(1_800_000_007)
    await client.query('commit')
    client.release()
    await waiting

    expect((await loadCounter(organizationId)).second).toEqual(new Date(1_800_000_007_000))
  })

  it('also counts evals that are refused as 404, 422 and 409, in order of arrival', async () => {
    await using gate = openGate({ clock: noon, rateLimitPerSecond: 4 })
    const { keyHash, organizationId } = await seedVendor({ allotment: 1 })

    const outcomes = await Promise.all([
      gate.evaluate(check(keyHash, 'nobody')),
      gate.evaluate(check(keyHash, 'acme', 'nothing')),
      gate.evaluate(check(keyHash)),
      gate.evaluate(check(keyHash)),
      gate.evaluate(check(keyHash, 'nobody')),
    ])

    const kinds = outcomes.map(({ kind }) => kind)
    expect(kinds).toEqual(['unknown_subscriber', 'unknown_feature', 'granted', 'exhausted', 'rate_limited'])
    expect(outcomes[3]).toEqual({ kind: 'exhausted', allotment: 1 })
    expect(await loadCounter(organizationId)).toMatchObject({ second_used: 4, day_used: 1, month_used: 1 })
  })
})

describe('the monthly allotment', () => {
  it('admits exactly 500 of 700 evals at once if it is 500', async () => {
    await using gate = openGate({ clock: noon })
    const { keyHash, organizationId } = await seedVendor({ allotment: 500 })

    const outcomes = await Promise.all(Array.from({ length: 700 }, () => gate.evaluate(check(keyHash))))

    expect(countKinds(outcomes)).toEqual({ granted: 500, exhausted: 200 })
    expect(await loadCounter(organizationId)).toMatchObject({ day_used: 500, month_used: 500 })
  })

  it('admits exactly 500 evals over two gates if it is 500', async () => {
    const { keyHash, organizationId } = await seedVendor({ allotment: 500 })

    const gate = { clock: noon }
    const outcomes = await loadTwoGates({ caller: () => ({ keyHash }), inFlight: 30, evals: 400, gate })

    expect(outcomes).toEqual({ granted: 500, exhausted: 300 })
    expect(await loadCounter(organizationId)).toMatchObject({ month_used: 500 })
  })

  it("is the server's default if the organization has none of its own, and unlimited at -1", async () => {
    await using gate = openGate({ clock: noon, monthlyAllotment: 2 })
    const common = await seedVendor()
    const unlimited = await seedVendor({ allotment: -1 })

    const outcomes = await Promise.all(Array.from({ length: 5 }, () => gate.evaluate(check(common.keyHash))))
    const free = await Promise.all(Array.from({ length: 5 }, () => gate.evaluate(check(unlimited.keyHash))))

    expect(countKinds(outcomes)).toEqual({ granted: 2, exhausted: 3 })
    expect(countKinds(free)).toEqual({ granted: 5 })
  })

  it('is not used up by refused evals', async () => {
    await using gate = openGate({ clock: noon })
    const { keyHash, organizationId } = await seedVendor({ allotment: 10, rateLimit: 6 })

    const outcomes = await Promise.all([
      gate.evaluate(check(keyHash, 'nobody')),
      gate.evaluate(check(keyHash, 'acme', '__proto__')),
      gate.evaluate(check(keyHash, 'acme', 'Not a key, at all"\\')),
      gate.evaluate(check(keyHash, 'a\0b')),
      gate.evaluate(check(keyHash, 'a\ud800')),
      gate.evaluate(check(keyHash)),
      gate.evaluate(check(keyHash)),
    ])

    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'unknown_subscriber',
      'unknown_feature',
      'unknown_feature',
      'unknown_subscriber',
      'unknown_subscriber',
      'granted',
      'rate_limited',
    ])
    expect(await loadCounter(organizationId)).toMatchObject({ second_used: 6, day_used: 1, month_used: 1 })
  })

  it('admits the very next eval after it is raised', async () => {
    await using gate = openGate({ clock: noon })
    const { keyHash, organizationId } = await seedVendor({ allotment: 1 })
    await gate.evaluate(check(keyHash))
    expect(answerOf(await gate.evaluate(check(keyHash)))).toBe('exhausted')

    await setCounter(organizationId, { allotment: '2' })

    expect(countKinds([await gate.evaluate(check(keyHash)), await gate.evaluate(check(keyHash))])).toEqual({
      granted: 1,
      exhausted: 1,
    })
  })
})
