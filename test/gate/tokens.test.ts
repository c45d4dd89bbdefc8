import { describe, expect, it } from 'vitest'
import type { TokenSubject } from '../../src/access/subscriber-token.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
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
} from './harness.ts'
import { seedSubscriber } from './seed.ts'
import { loadTwoGates } from './two-gates.ts'

/** A token of the subscriber, made by the organization's key. */
async function tokenSubjectOf(
  { organizationId }: { organizationId: string },
  subscriberId = 'acme',
): Promise<TokenSubject> {
  const { rows } = await database.query(
    `select k.key_id as "keyId", s.created_at as "subscriberSince" from api_key k, subscriber s
      where k.organization_id = $1 and s.organization_id = $1 and s.subscriber_id = $2`,
    [organizationId, subscriberId],
  )
  return { organizationId, subscriberId, ...rows[0], expiresAt: new Date('2036-01-01T00:00:00Z') }
}

const check = (tokenSubject: TokenSubject) => ({
  tokenSubject,
  subscriberId: tokenSubject.subscriberId,
  features: ['seats'],
})
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))

describe('evals with a subscriber token', () => {
  it('are answered like evals with a key', async () => {
    await using gate = openGate({ clock: noon })
    const vendor = await seedVendor()
    const tokenSubject = await tokenSubjectOf(vendor)

    const byToken = [
      await gate.evaluate(check(tokenSubject)),
      await gate.evaluate({ ...check(tokenSubject), features: null }),
    ]
    const { keyHash } = vendor
    const byKey = [
      await gate.evaluate({ keyHash, subscriberId: 'acme', features: ['seats'] }),
      await gate.evaluate({ keyHash, subscriberId: 'acme', features: null }),
    ]

    expect(byToken.map(answerOf)).toEqual(byKey.map(answerOf))
    expect(await loadCounter(vendor.organizationId)).toMatchObject({ month_used: 4 })
  })

  it("are limited to five a second for each subscriber, and refused evals do not count against the organization's limits", async () => {
    await using gate = openGate({ clock: noon, rateLimitPerSecond: 100 })
    const vendor = await seedVendor()
    await seedSubscriber(database, vendor.organizationId, 'other', 'pro')
    const [tokenSubject, other] = [await tokenSubjectOf(vendor), await tokenSubjectOf(vendor, 'other')]
    const byKey = { keyHash: vendor.keyHash, subscriberId: 'acme', features: ['seats'] }

    const outcomes = await Promise.all(
      times(90, (index) =>
        gate.evaluate(index % 3 === 0 ? check(tokenSubject) : index % 3 === 1 ? check(other) : byKey),
      ),
    )

    const outcomesOf = (rest: number) => outcomes.filter((_, index) => index % 3 === rest)
    for (const ofOne of [outcomesOf(0), outcomesOf(1)]) {
      expect(countKinds(ofOne)).toEqual({ granted: 5, subscriber_limited: 25 })
      expect(ofOne.findIndex(({ kind }) => kind === 'subscriber_limited')).toBe(5)
    }
    expect(countKinds(outcomesOf(2))).toEqual({ granted: 30 })
    expect(await loadCounter(vendor.organizationId)).toMatchObject({ second_used: 40, month_used: 40 })
  })

  it("count against the organization's rate limit and allotment, and are refused when these are used up", async () => {
    await using gate = openGate({ clock: noon })
    const vendor = await seedVendor({ rateLimit: 8, allotment: 2 })
    const tokenSubject = await tokenSubjectOf(vendor)

    const outcomes = await Promise.all(times(6, () => gate.evaluate(check(tokenSubject))))

    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'granted',
      'granted',
      'tokens_exhausted',
      'tokens_exhausted',
      'tokens_limited',
      'subscriber_limited',
    ])
  })

  it('are admitted again in the next second, but not when the clock steps back a little', async () => {
    const { clock, set } = await createClock(1_800_000_010)
    await using gate = openGate({ clock })
    const tokenSubject = await tokenSubjectOf(await seedVendor())
    const granted = async () =>
      countKinds(await Promise.all(times(7, () => gate.evaluate(check(tokenSubject))))).granted ?? 0

    expect(await granted()).toBe(5)
    expect(await granted()).toBe(0)
    await set(1_800_000_011)
    expect(await granted()).toBe(5)
    await set(1_800_000_008)
    expect(await granted()).toBe(0)
    // After a big step nobody waits for the clock to catch up.
    await set(1_700_000_000)
    expect(await granted()).toBe(5)
  })

  it('are limited to five in every clock second over two gates', async () => {
    const vendor = await seedVendor()
    const tokenSubject = await tokenSubjectOf(vendor)

    await waitIfNearMidnight()
    const before = await loadCurrentSecond()
    const { granted = 0 } = await loadTwoGates({ caller: () => ({ tokenSubject }), inFlight: 10, durationMs: 2_100 })
    const seconds = (await loadCurrentSecond()) - before + 1

    expect(granted).toBeLessThanOrEqual(5 * seconds)
    expect(granted).toBeGreaterThanOrEqual(5)
    expect(await loadCounter(vendor.organizationId)).toMatchObject({ month_used: granted })
  })

  it('never deadlock, even for many subscribers of two organizations in any order at two gates', async () => {
    await using one = openGate()
    await using two = openGate()
    const vendors = [await seedVendor(), await seedVendor()]
    const names = times(20, (index) => `s${index}`)
    const tokenSubjects: TokenSubject[] = []
    for (const vendor of vendors) {
      for (const name of names) {
        await seedSubscriber(database, vendor.organizationId, name, 'pro')
        tokenSubjects.push(await tokenSubjectOf(vendor, name))
      }
    }

    const outcomes = await Promise.all(
      times(2_000, (index) => {
        const tokenSubject = tokenSubjects[(index * (index % 2 === 0 ? 7 : 33)) % tokenSubjects.length] as TokenSubject
        return (index % 2 === 0 ? one : two).evaluate(check(tokenSubject))
      }),
    )

    expect(Object.keys(countKinds(outcomes)).toSorted()).toEqual(['granted', 'subscriber_limited'])
  })
})

describe('an eval with a subscriber token', () => {
  it('is unauthorized without a valid key, member or subscriber of the token, and forbidden without the label', async () => {
    await using gate = openGate({ mayEvaluate: (role) => role !== 'viewer' })
    const ends: [string, string][] = [
      ['delete from api_key where organization_id = $1', 'unauthorized'],
      [`update api_key set expires_at = now() where organization_id = $1`, 'unauthorized'],
      [`update member set status = 'disabled' where organization_id = $1`, 'unauthorized'],
      [`update member set role = 'viewer' where organization_id = $1`, 'forbidden'],
      [
        `update subscriber set created_at = created_at + interval '1 millisecond' where organization_id = $1`,
        'unauthorized',
      ],
      ['delete from subscriber where organization_id = $1', 'unauthorized'],
    ]
    for (const [end, kind] of ends) {
      const vendor = await seedVendor()
      const tokenSubject = await tokenSubjectOf(vendor)
      expect((await gate.evaluate(check(tokenSubject))).kind).toBe('granted')

      await database.query(end, [vendor.organizationId])

      expect((await gate.evaluate(check(tokenSubject))).kind, end).toBe(kind)
    }
  })
})

describe('evals with all subscriber tokens of an organization', () => {
  async function createTokenSubjects(limits: { rateLimit?: number; allotment?: number }, count: number) {
    const vendor = await seedVendor(limits)
    const names = times(count, (index) => `tokenSubject-${index}`)
    for (const name of names) await seedSubscriber(database, vendor.organizationId, name, 'pro')
    const tokenSubjects = await Promise.all(names.map((name) => tokenSubjectOf(vendor, name)))
    return { vendor, tokenSubjects, byKey: { keyHash: vendor.keyHash, subscriberId: 'acme', features: ['seats'] } }
  }

  it('get half of its rate limit, rounded up, over all processes, while its keys get the rest', async () => {
    await using one = openGate({ clock: noon })
    await using other = openGate({ clock: noon })
    const { vendor, tokenSubjects, byKey } = await createTokenSubjects({ rateLimit: 25 }, 10)

    const byTokens = await Promise.all(
      tokenSubjects.flatMap((tokenSubject) =>
        times(4, (n) => (n % 2 === 0 ? one : other).evaluate(check(tokenSubject))),
      ),
    )
    const byKeys = await Promise.all(times(14, () => one.evaluate(byKey)))

    expect(countKinds(byTokens)).toEqual({ granted: 13, tokens_limited: 27 })
    expect(countKinds(byKeys)).toEqual({ granted: 12, rate_limited: 2 })
    expect(await loadCounter(vendor.organizationId)).toMatchObject({ second_used: 25, month_used: 25 })
  })

  it('never displace evals with keys in the same batch', async () => {
    await using gate = openGate({ clock: noon })
    const { tokenSubjects, byKey } = await createTokenSubjects({ rateLimit: 20 }, 10)

    const outcomes = await Promise.all(
      times(60, (index) => gate.evaluate(index % 6 === 5 ? byKey : check(tokenSubjects[index % 10] as TokenSubject))),
    )

    const byKeys = outcomes.filter((_, index) => index % 6 === 5)
    const byTokens = outcomes.filter((_, index) => index % 6 !== 5)
    expect(countKinds(byKeys)).toEqual({ granted: 10 })
    expect(countKinds(byTokens)).toMatchObject({ granted: 10 })
  })

  it('are refused once keys and tokens have used nine tenths of the allotment, while keys can use the rest', async () => {
    await using gate = openGate({ clock: noon })
    const { vendor, tokenSubjects, byKey } = await createTokenSubjects({ rateLimit: 1_000, allotment: 20 }, 7)
    await Promise.all(times(10, () => gate.evaluate(byKey)))

    const mixed = await Promise.all(
      times(30, (index) => gate.evaluate(index % 3 === 2 ? byKey : check(tokenSubjects[index % 6] as TokenSubject))),
    )
    const later = [await gate.evaluate(check(tokenSubjects[6] as TokenSubject)), await gate.evaluate(byKey)]

    // In the order of arrival: six by tokens and two by keys, then only evals by keys.
    expect(mixed.slice(0, 8).map(({ kind }) => kind)).toEqual(Array(8).fill('granted'))
    const rest = mixed.slice(8)
    expect(countKinds(rest.filter((_, index) => (index + 8) % 3 === 2))).toEqual({ granted: 2, exhausted: 6 })
    expect(countKinds(rest.filter((_, index) => (index + 8) % 3 !== 2))).toEqual({ tokens_exhausted: 14 })
    expect(later.map(({ kind }) => kind)).toEqual(['tokens_exhausted', 'exhausted'])
    expect(await loadCounter(vendor.organizationId)).toMatchObject({ month_used: 20 })
  })
})
