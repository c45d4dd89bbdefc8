import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startClient, startVendor } from '../support/client.ts'
import { startProxy } from '../support/proxy.ts'
import { sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

describe('with the feed', () => {
  it.each([
    ['an override', (admin) => vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 7 })],
    [
      'the grants of its plan',
      (admin) => admin.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 7 } } }),
    ],
    [
      'its plan',
      async (admin) => {
        await vendor(admin).plan('team', { seats: { kind: 'limit', limit: 7 } })
        await admin.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'team' })
      },
    ],
  ] satisfies [string, (admin: Awaited<ReturnType<typeof startVendor>>['admin']) => Promise<unknown>][])(
    'cached answers are requested again after a change of %s',
    async (_name, change) => {
      const { admin, access } = await startVendor(service)
      const { entitlements, snapshotRequests } = startClient(access)
      await entitlements.waitUntilReady()
      expect(await entitlements.limit('acme', 'seats')).toBe(5)

      await change(admin)

      await until(async () => (await entitlements.limit('acme', 'seats')) === 7)
      expect(snapshotRequests.length).toBe(2)
    },
  )

  it('the client also learns of new features, and of overrides whose end was moved to an earlier time', async () => {
    const { admin, access } = await startVendor(service)
    const { feature, override } = vendor(admin)
    await override('acme', 'sso', { kind: 'flag', allowed: false, expires_at: '2099-01-01T00:00:00Z' })
    const { entitlements } = startClient(access)
    await entitlements.waitUntilReady()
    expect(await entitlements.checkDetail('acme', 'export')).toMatchObject({ problem: 'unknown_feature' })

    await feature('export')
    await until(async () => (await entitlements.checkDetail('acme', 'export')).problem === null)

    await override('acme', 'sso', { kind: 'flag', allowed: false, expires_at: '2098-01-01T00:00:00Z' })
    await until(async () => (await entitlements.snapshot('acme'))?.valid_until === '2098-01-01T00:00:00.000Z')
  })

  it('the client asks again at the end of an override, even without an event', async () => {
    const { admin, access } = await startVendor(service)
    const endsAt = new Date(Date.now() + 3_600_000).toISOString()
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9, expires_at: endsAt })
    const { entitlements, snapshotRequests, sleep } = startClient({ ...access, freshness: { seconds: 86_400 } })
    expect(await entitlements.limit('acme', 'seats')).toBe(9)
    await entitlements.check('acme', 'sso')
    expect(snapshotRequests.length).toBe(1)

    // Only the client's clock moves: by the service's clock, the override is still in force.
    sleep(3_660_000)
    await entitlements.limit('acme', 'seats')

    expect(snapshotRequests.length).toBe(2)
  })

  it('listeners learn which subscriber changed, and in which features', async () => {
    const { admin, access } = await startVendor(service)
    const { entitlements } = startClient(access)
    await entitlements.waitUntilReady()
    const changes: unknown[] = []
    const stop = entitlements.on('changed', (event) => changes.push(event))

    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    await until(() => changes.length > 0)
    stop()

    expect(changes).toEqual([{ subscriber: 'acme', features: ['sso'] }])
  })

  it('listeners learn of a plan change that happens during a request, whose answer is not cached', async () => {
    const { admin, access } = await startVendor(service)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init)
      if (String(url).endsWith('/entitlements')) await released
      return answer
    }
    const { entitlements, snapshotRequests } = startClient({ ...access, timeoutMs: 60_000 }, slow as never)
    await entitlements.waitUntilReady()
    const changed: string[] = []
    entitlements.on('changed', ({ subscriber }) => changed.push(subscriber))

    const first = entitlements.limit('acme', 'seats')
    await until(() => snapshotRequests.length === 1)
    await admin.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 7 } } })
    await until(() => changed.length > 0)
    release()
    await first

    expect(changed).toEqual(['acme'])
    expect(await entitlements.limit('acme', 'seats')).toBe(7)
  })

  it('answers are requested again after ten seconds of silence', async () => {
    const { admin, access } = await startVendor(service)
    const proxy = await startProxy(Number(new URL(service.url).port))
    const { entitlements, snapshotRequests, sleep } = startClient({
      ...access,
      baseUrl: `http://127.0.0.1:${proxy.port}`,
    })
    await entitlements.waitUntilReady()
    await entitlements.check('acme', 'sso')

    sleep(10_001)
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    const detail = await entitlements.checkDetail('acme', 'sso')

    expect(detail).toMatchObject({ allowed: false, from: 'network' })
    expect(snapshotRequests.length).toBeGreaterThanOrEqual(2)
    await proxy.close()
  })

  it('a broken connection resumes at its cursor, and gets the changes that it missed', async () => {
    const { admin, access } = await startVendor(service)
    const port = Number(new URL(service.url).port)
    const proxy = await startProxy(port)
    const { entitlements, countFeedRequests } = startClient({ ...access, baseUrl: `http://127.0.0.1:${proxy.port}` })
    await entitlements.waitUntilReady()
    await entitlements.check('acme', 'sso')
    const changed: string[] = []
    entitlements.on('changed', ({ subscriber }) => changed.push(subscriber))

    proxy.routeTo(null)
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    proxy.routeTo(port)

    await until(() => changed.length > 0)
    expect(changed).toEqual(['acme'])
    expect(await entitlements.check('acme', 'sso')).toBe(false)
    expect(countFeedRequests()).toBeGreaterThan(1)
    await entitlements.close()
    await proxy.close()
  })

  it('a platform that cannot read streams polls for changes', async () => {
    const { admin, access } = await startVendor(service)
    const withoutStreams: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init)
      const { status, headers } = answer
      if (!headers.get('content-type')?.includes('event-stream')) return answer
      await answer.body?.cancel()
      return { status, headers, body: null, text: async () => '' } as Response
    }
    const { entitlements } = startClient(access, withoutStreams as never)
    await entitlements.waitUntilReady()
    expect(await entitlements.check('acme', 'sso')).toBe(true)

    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })

    await until(async () => (await entitlements.check('acme', 'sso')) === false)
  })

  it("a write through the client is seen by the client's next check", async () => {
    const { admin, access } = await startVendor(service)
    const { entitlements } = startClient({ baseUrl: access.baseUrl, apiKey: admin.key, freshness: { seconds: 3_600 } })
    expect(await entitlements.limit('acme', 'seats')).toBe(5)

    await entitlements.api.putOverride({ subscriber_id: 'acme', feature_key: 'seats', kind: 'limit', limit: 8 })
    expect(await entitlements.limit('acme', 'seats')).toBe(8)

    await entitlements.api.deleteOverride({ subscriber_id: 'acme', feature_key: 'seats' })
    await entitlements.api.updatePlan({ key: 'pro', grants: { seats: { kind: 'limit', limit: 2 } } })
    expect(await entitlements.limit('acme', 'seats')).toBe(2)
  })

  it('a write that changes no answer leaves the answers in the cache', async () => {
    const { admin, access } = await startVendor(service)
    const key = { baseUrl: access.baseUrl, apiKey: admin.key }
    const { entitlements, snapshotRequests } = startClient({ ...key, freshness: { seconds: 3_600 } })
    await entitlements.check('acme', 'sso')
    const changed: string[] = []
    entitlements.on('changed', ({ subscriber }) => changed.push(subscriber))

    await entitlements.api.createSubscriberToken({ subscriber_id: 'acme' })
    await entitlements.api.createInvite({ role: 'viewer' })
    await entitlements.api.importSubscribers({ lines: [{ subscriber_id: 'acme', plan_id: null }], dry_run: true })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ allowed: true, from: 'cache' })
    expect(snapshotRequests.length).toBe(1)
    expect(changed).toEqual([])
  })

  it('a refused key is reported at once by waitUntilReady', async () => {
    const { entitlements } = startClient({ baseUrl: service.url, apiKey: 'ent_wrong' })

    await expect(entitlements.waitUntilReady()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

describe('with webhooks', () => {
  const webhookSecret = 'whsec_test'
  const sign = (body: string, timestamp = String(Math.floor(Date.now() / 1_000))) => ({
    'x-service-webhook-timestamp': timestamp,
    'X-Service-Webhook-Signature': createHmac('sha256', webhookSecret).update(`${timestamp}.${body}`).digest('hex'),
  })
  const body = JSON.stringify({
    id: '1',
    type: 'entitlements.stale',
    subscriber_id: 'acme',
    cause: 'override',
    features: ['sso'],
  })

  it('a signed webhook makes the client request a new answer, and webhooks with a wrong signature are refused', async () => {
    const { admin, access } = await startVendor(service)
    const { entitlements } = startClient({
      ...access,
      freshness: 'webhook',
      webhookSecret: ['whsec_old', webhookSecret],
    })
    expect(await entitlements.check('acme', 'sso')).toBe(true)
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    expect(await entitlements.check('acme', 'sso')).toBe(true)

    const old = String(Math.floor(Date.now() / 1_000) - 3_600)
    for (const headers of [{}, { ...sign(body), 'X-Service-Webhook-Signature': '0'.repeat(64) }, sign(body, old)]) {
      expect(await entitlements.handleWebhook(body, headers)).toMatchObject({ status: 401, event: null })
    }
    expect(await entitlements.check('acme', 'sso')).toBe(true)
    expect(await entitlements.handleWebhook('no event', sign('no event'))).toMatchObject({ status: 400 })

    const answer = await entitlements.handleWebhook(new TextEncoder().encode(body), new Headers(sign(body)))
    expect(answer).toMatchObject({ status: 204, event: { subscriber_id: 'acme' }, problem: null })
    expect(await entitlements.check('acme', 'sso')).toBe(false)
  })

  it('an answer is at most five minutes old, however many webhooks are lost', async () => {
    const { admin, access } = await startVendor(service)
    const { entitlements, snapshotRequests, sleep } = startClient({ ...access, freshness: 'webhook' })
    await entitlements.check('acme', 'sso')
    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })

    sleep(200_000)
    expect(await entitlements.check('acme', 'sso')).toBe(true)
    sleep(100_001)
    expect(await entitlements.check('acme', 'sso')).toBe(false)
    expect(snapshotRequests.length).toBe(2)
  })
})
