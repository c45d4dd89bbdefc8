import { describe, expect, it } from 'vitest'
import { answerOf, database, openGate, seedVendor } from './harness.ts'
import {
  cancelSubscription,
  seedFeature,
  seedKey,
  seedOrganization,
  seedOverride,
  seedPlan,
  seedSubscriber,
  seedSubscription,
} from './seed.ts'

const seats = (limit: number | null, source: string, expiresAt: Date | null = null) => ({
  feature: 'seats',
  kind: 'limit',
  allowed: limit !== 0,
  limit,
  source,
  expires_at: expiresAt?.toISOString() ?? null,
})

describe('an eval', () => {
  it('sees every write that committed before it was sent, whatever else is running', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedVendor()
    const check = () => gate.evaluate({ keyHash, subscriberId: 'acme', features: ['seats'] })
    const snapshot = () => gate.evaluate({ keyHash, subscriberId: 'acme', features: null })
    const stop = new AbortController()
    const others = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) await check()
    })

    for (let round = 1; round <= 20; round++) {
      await seedPlan(database, organizationId, 'pro', new Map([['seats', { kind: 'limit', limit: round }]]))
      expect(answerOf(await check())).toEqual([seats(round, 'plan')])

      await seedOverride(database, organizationId, 'acme', 'seats', { kind: 'limit', limit: round + 100 })
      expect(answerOf(await snapshot())).toEqual([seats(round + 100, 'override')])

      await database.query('delete from "override" where organization_id = $1', [organizationId])
      expect(answerOf(await check())).toEqual([seats(round, 'plan')])

      await cancelSubscription(database, organizationId, 'acme')
      expect(answerOf(await snapshot())).toEqual([seats(0, 'none')])

      await seedSubscription(database, organizationId, 'acme', 'pro')
      expect(answerOf(await check())).toEqual([seats(round, 'plan')])
    }
    stop.abort()
    await Promise.all(others)
  })

  it('sees that features were created and deleted', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedVendor()
    const check = () => gate.evaluate({ keyHash, subscriberId: 'acme', features: ['seats', 'sso'] })
    expect(await check()).toEqual({ kind: 'unknown_feature', features: ['sso'] })

    await seedFeature(database, organizationId, { key: 'sso', kind: 'flag' })
    expect(answerOf(await check())).toMatchObject([{ feature: 'seats' }, { feature: 'sso', allowed: false }])

    await database.query(
      `with version as (update organization set catalog_version = gen_random_uuid() where organization_id = $1)
       delete from feature where organization_id = $1 and feature_key = 'sso'`,
      [organizationId],
    )
    expect(await check()).toEqual({ kind: 'unknown_feature', features: ['sso'] })
  })

  it('ignores an override from its expires_at on', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedVendor()
    const evaluate = (features: string[] | null) => gate.evaluate({ keyHash, subscriberId: 'acme', features })
    const soon = new Date(Date.now() + 60_000)

    await seedOverride(database, organizationId, 'acme', 'seats', { kind: 'limit', limit: null, expiresAt: soon })
    const live = await evaluate(null)
    expect(answerOf(live)).toEqual([seats(null, 'override', soon)])
    expect(live).toMatchObject({ plan: 'pro', entitlements: { validUntil: soon } })

    const past = new Date(Date.now() - 1)
    await seedOverride(database, organizationId, 'acme', 'seats', { kind: 'limit', limit: null, expiresAt: past })
    expect(answerOf(await evaluate(['seats']))).toEqual([seats(5, 'plan')])
    expect(await evaluate(null)).toMatchObject({ entitlements: { validUntil: null } })
  })

  it('is refused at once if its key is revoked, its member is disabled, or its role lacks the label', async () => {
    await using gate = openGate({ mayEvaluate: (role) => role !== 'viewer' })
    const { organizationId, memberId, keyHash } = await seedVendor()
    const spare = { organizationId, memberId, keyHash: Buffer.alloc(32, organizationId).toString('hex') }
    await seedKey(database, spare)
    const kindOf = async (hash: string) =>
      (await gate.evaluate({ keyHash: hash, subscriberId: 'acme', features: ['seats'] })).kind
    const setMember = (assignment: string) =>
      database.query(`update member set ${assignment} where organization_id = $1`, [organizationId])
    expect(await Promise.all([kindOf(keyHash), kindOf(spare.keyHash)])).toEqual(['granted', 'granted'])

    await database.query(`delete from api_key where organization_id = $1 and key_hash = decode($2, 'hex')`, [
      organizationId,
      keyHash,
    ])
    expect(await Promise.all([kindOf(keyHash), kindOf(spare.keyHash)])).toEqual(['unauthorized', 'granted'])

    await setMember(`role = 'viewer'`)
    expect(await kindOf(spare.keyHash)).toBe('forbidden')

    await setMember(`status = 'disabled'`)
    expect(await kindOf(spare.keyHash)).toBe('unauthorized')

    await setMember(`status = 'active', role = 'evaluator'`)
    expect(await kindOf(spare.keyHash)).toBe('granted')
  })

  it('lists features newest first, including keys such as __proto__', async () => {
    await using gate = openGate()
    const { organizationId, keyHash } = await seedOrganization(database)
    const timeAt = (ms: number) => new Date(1_790_000_000_000 + ms)
    await seedFeature(database, organizationId, { key: 'b', kind: 'flag', createdAt: timeAt(5) })
    await seedFeature(database, organizationId, { key: '__proto__', kind: 'config', createdAt: timeAt(9) })
    await seedFeature(database, organizationId, { key: 'a', kind: 'flag', createdAt: timeAt(5) })
    await seedFeature(database, organizationId, { key: 'constructor', kind: 'limit', createdAt: timeAt(0) })
    const value = { b: 1, a: ['x"\\', '\u00e9\u{1f600}'], n: null }
    await seedPlan(database, organizationId, '__proto__', new Map([['__proto__', { kind: 'config', value }]]))
    const subscriberId = 'a"b\\c{,}\'\u00e9\u{1f600}'
    await seedSubscriber(database, organizationId, subscriberId, '__proto__')
    await seedOverride(database, organizationId, subscriberId, 'constructor', { kind: 'limit', limit: 2 ** 53 - 1 })

    const snapshot = await gate.evaluate({ keyHash, subscriberId, features: null })
    const check = await gate.evaluate({ keyHash, subscriberId, features: ['constructor', '__proto__', 'constructor'] })

    const config = { feature: '__proto__', kind: 'config', allowed: true, value, source: 'plan', expires_at: null }
    const flag = { kind: 'flag', allowed: false, source: 'none', expires_at: null }
    const limit = {
      feature: 'constructor',
      kind: 'limit',
      allowed: true,
      limit: 9007199254740991,
      source: 'override',
      expires_at: null,
    }
    expect(snapshot).toMatchObject({ organizationId, plan: '__proto__' })
    expect(answerOf(snapshot)).toEqual([config, { feature: 'a', ...flag }, { feature: 'b', ...flag }, limit])
    expect(answerOf(check)).toEqual([limit, config, limit])
  })

  it("never finds another organization's subscriber or feature, even in one batch with evals of that organization", async () => {
    await using gate = openGate()
    const ours = await seedVendor()
    const theirs = await seedVendor()
    await seedSubscriber(database, theirs.organizationId, 'theirs', 'pro')
    await seedFeature(database, theirs.organizationId, { key: 'secret', kind: 'flag' })
    const kindOf = async (keyHash: string, subscriberId: string, feature: string) =>
      (await gate.evaluate({ keyHash, subscriberId, features: [feature] })).kind

    for (let round = 0; round < 3; round++) {
      const kinds = await Promise.all([
        kindOf(ours.keyHash, 'theirs', 'seats'),
        kindOf(theirs.keyHash, 'theirs', 'seats'),
        kindOf(ours.keyHash, 'acme', 'secret'),
        kindOf(theirs.keyHash, 'theirs', 'secret'),
        kindOf(Buffer.alloc(32).toString('hex'), 'acme', 'seats'),
      ])

      expect(kinds).toEqual(['unknown_subscriber', 'granted', 'unknown_feature', 'granted', 'unauthorized'])
    }
  })

  it('is answered from a catalog that is too large for the cache', async () => {
    await using gate = openGate({ maxCatalogBytes: 1 })
    const { keyHash } = await seedVendor()
    const check = () => gate.evaluate({ keyHash, subscriberId: 'acme', features: ['seats'] })

    expect(answerOf(await check())).toEqual([seats(5, 'plan')])
    expect((await Promise.all([check(), check()])).map(answerOf)).toEqual([[seats(5, 'plan')], [seats(5, 'plan')]])
  })
})
