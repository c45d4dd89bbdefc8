import { describe, expect, it } from 'vitest'
import { createEntitlements } from '../../src/client/index.ts'
import { patient, startClient, startVendor } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

describe('the client', () => {
  it('answers checks, limits and config values from one request for each subscriber', async () => {
    const { access } = await startVendor(service)
    const { entitlements, snapshotRequests } = startClient(access)
    await entitlements.waitUntilReady()

    const answers = await Promise.all([
      entitlements.check('acme', 'sso'),
      entitlements.limit('acme', 'seats'),
      entitlements.value('acme', 'color'),
      entitlements.check('acme', 'sso'),
    ])

    expect(answers).toEqual([true, 5, 'red', true])
    expect(await entitlements.snapshot('acme')).toMatchObject({ subscriber_id: 'acme', plan: 'pro' })
    expect(snapshotRequests).toEqual(['/org/subscribers/acme/entitlements'])
  })

  it('reports the source, the age and the expiry of an answer', async () => {
    const { admin, access } = await startVendor(service)
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: null, expires_at: '2099-01-01T00:00:00Z' })
    const { entitlements } = startClient(access)
    await entitlements.waitUntilReady()

    const first = await entitlements.checkDetail('acme', 'seats')
    const second = await entitlements.checkDetail('acme', 'seats')

    expect(first).toEqual({
      allowed: true,
      kind: 'limit',
      limit: Number.POSITIVE_INFINITY,
      value: null,
      source: 'override',
      expiresAt: new Date('2099-01-01T00:00:00Z'),
      from: 'network',
      ageMs: expect.any(Number),
      problem: null,
    })
    expect(second).toMatchObject({ from: 'cache', problem: null })
    expect(await entitlements.limit('acme', 'seats')).toBe(Number.POSITIVE_INFINITY)
  })

  it('denies an unknown subscriber, and sends no other request while this answer is cached', async () => {
    const { admin, access } = await startVendor(service)
    const { entitlements, snapshotRequests, sleep } = startClient(access)
    await entitlements.waitUntilReady()

    expect(await entitlements.check('nobody', 'sso')).toBe(false)
    expect(await entitlements.checkDetail('nobody', 'sso')).toMatchObject({
      problem: 'unknown_subscriber',
      from: 'cache',
    })
    expect(await entitlements.snapshot('nobody')).toBeNull()
    expect(snapshotRequests.length).toBe(1)

    await vendor(admin).subscriber('nobody')
    sleep(5_001)
    expect(await entitlements.checkDetail('nobody', 'sso')).toMatchObject({
      allowed: false,
      problem: null,
      source: 'none',
    })
  })

  it('returns the default for a feature that the catalog lacks, or denies if there is no default, and warns once', async () => {
    const { access } = await startVendor(service)
    const warnings: string[] = []
    const ignore = () => {}
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (message: string) => void warnings.push(message),
    }
    const { entitlements } = startClient({ ...access, logger, defaults: { upcoming: true } })

    expect(await entitlements.check('acme', 'exprot')).toBe(false)
    expect(await entitlements.check('acme', 'exprot')).toBe(false)
    expect(await entitlements.checkDetail('acme', 'upcoming')).toMatchObject({
      allowed: true,
      from: 'default',
      problem: 'unknown_feature',
    })
    expect(warnings.filter((warning) => warning.includes('exprot'))).toEqual(['The catalog has no feature "exprot".'])
  })

  it('caches answers up to its maximum of subscribers, and evicts the least recently used', async () => {
    const { admin, access } = await startVendor(service)
    for (const id of ['s1', 's2', 's3']) await vendor(admin).subscriber(id)
    const { entitlements, snapshotRequests } = startClient({ ...access, maxSubscribers: 2 })
    await entitlements.waitUntilReady()

    for (const id of ['s1', 's2', 's3', 's3', 's2', 's1']) await entitlements.check(id, 'sso')

    expect(snapshotRequests.length).toBeLessThanOrEqual(5)
    expect(snapshotRequests.length).toBeGreaterThan(3)
  })

  it('asks once for a subscriber that several callers wait for, even if one of them needs a newer answer', async () => {
    const { admin, access } = await startVendor(service)
    await vendor(admin).subscriber('globex')
    const { entitlements, snapshotRequests, countBulkRequests } = startClient({
      ...access,
      freshness: { seconds: 60 },
    })

    const answers = await Promise.all([
      entitlements.check('acme', 'sso'),
      entitlements.check('globex', 'sso'),
      entitlements.refresh('acme').then((snapshot) => snapshot?.plan),
    ])

    expect(answers).toEqual([true, false, 'pro'])
    expect([countBulkRequests(), snapshotRequests]).toEqual([1, []])
    expect(entitlements.peek('acme', 'sso')).toMatchObject({ allowed: true, from: 'cache' })
  })

  it('denies ids that no URL can contain, without a request', async () => {
    const { entitlements, snapshotRequests } = startClient({
      ...(await startVendor(service)).access,
      onUnavailable: 'allow',
    })

    for (const id of ['', '.', '..', '\ud800']) {
      expect(await entitlements.checkDetail(id, 'sso')).toMatchObject({ allowed: false, problem: 'unknown_subscriber' })
    }
    expect(snapshotRequests).toEqual([])
  })

  it('answers at once from its cache, without a request', async () => {
    const { access } = await startVendor(service)
    const { entitlements, snapshotRequests } = startClient(access)
    await entitlements.waitUntilReady()

    expect(entitlements.peek('acme', 'sso')).toBeNull()
    await entitlements.check('acme', 'sso')
    expect(entitlements.peek('acme', 'sso')).toMatchObject({ allowed: true, from: 'cache' })
    expect(snapshotRequests.length).toBe(1)
  })

  it('answers only from its bootstrap when it is offline', async () => {
    const { access } = await startVendor(service)
    const snapshot = await createEntitlements({ ...access, ...patient }).snapshot('acme')

    const { entitlements, snapshotRequests } = startClient({
      offline: true,
      bootstrap: snapshot ?? [],
      defaults: { sso: true },
    })
    await entitlements.waitUntilReady()

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 5, from: 'last-known' })
    expect(await entitlements.checkDetail('globex', 'sso')).toMatchObject({ allowed: true, from: 'default' })
    expect(await entitlements.check('globex', 'color')).toBe(false)
    expect(snapshotRequests).toEqual([])
  })

  it('returns the default of a config, whatever its type, without a warning', async () => {
    const warnings: string[] = []
    const logger = { ...console, warn: (message: string) => void warnings.push(message) }
    const { entitlements } = startClient({
      offline: true,
      logger,
      defaults: { color: 'blue', retries: 3, beta: true, dark: false, rules: { max: 2 } },
    })

    expect(await entitlements.value('acme', 'color')).toBe('blue')
    expect(await entitlements.value('acme', 'retries')).toBe(3)
    expect(await entitlements.value('acme', 'beta')).toBe(true)
    expect(await entitlements.value('acme', 'dark')).toBe(false)
    expect(await entitlements.value('acme', 'rules')).toEqual({ max: 2 })
    expect(await entitlements.value('acme', 'unknown')).toBeNull()
    expect(warnings).toEqual([])
  })

  it('denies with an empty bootstrap, as for an unknown subscriber', async () => {
    const { entitlements } = startClient({ offline: true, bootstrap: null })

    expect(await entitlements.check('globex', 'sso')).toBe(false)
  })
})

describe('options that cannot work are refused at once', () => {
  it.each([
    [{ apiKey: 'ent_1' }, 'baseUrl'],
    [{ baseUrl: 'localhost:4000', apiKey: 'ent_1' }, 'baseUrl'],
    [{ baseUrl: 'http://localhost:4000' }, 'apiKey or token'],
    [{ baseUrl: 'http://localhost:4000', apiKey: '' }, 'apiKey is empty'],
    [{ baseUrl: 'http://localhost:4000', apiKey: 'ent_…' }, 'apiKey or token contains an invalid character'],
    [{ baseUrl: 'http://localhost:4000', apiKey: 'ent_1', webhookSecret: '' }, 'webhookSecret is empty'],
    [{ baseUrl: 'http://localhost:4000', apiKey: 'ent_1', token: 'eyJ' }, 'not both'],
    [{ baseUrl: 'http://localhost:4000', apiKey: 'ent_1', maxSubscribers: 0 }, 'maxSubscribers'],
    [{ baseUrl: 'http://localhost:4000', apiKey: 'ent_1', timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ baseUrl: 'http://localhost:4000', apiKey: 'ent_1', freshness: { seconds: -1 } }, 'freshness.seconds'],
  ])('%j', (options, reason) => {
    expect(() => createEntitlements(options)).toThrow(reason)
  })
})
