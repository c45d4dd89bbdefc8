import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createEntitlements, type Entitlements, type EntitlementsOptions } from '../../../src/client/index.ts'
import { atEnd } from '../../support/at-end.ts'
import { patient } from '../../support/client.ts'
import { startDeliveryTest } from '../../support/delivery.ts'
import { findFreePort } from '../../support/free-port.ts'
import { startProxy } from '../../support/proxy.ts'
import type { TestService } from '../../support/service.ts'
import { vendor } from '../../support/vendor.ts'

export type AppOptions = { entitlements: Entitlements; port: number }

/**
 * Starts a vendor's app, closed after the test: `GET /export` needs `sso`, `GET /seats` needs `seats` and answers denied requests
 * with `deniedBody`, `POST /hook` receives webhooks, and `POST /echo` answers with the JSON that it got. The customer is in the
 * header `x-customer`; looking up a customer in `failedLookups` fails, and `deniedBody` fails for those in `failedAnswers`.
 */
export type StartApp = (options: AppOptions) => Promise<void>

/** The values that `customerOf` throws. Express would run the next handler for `undefined`, and the next route for `route`. */
const failedLookups = new Map<unknown, unknown>([
  ['broken', new Error('The customer could not be found.')],
  ['broken with undefined', undefined],
  ['broken with route', 'route'],
])

/** The values that `deniedBody` throws. */
const failedAnswers = new Map<unknown, unknown>([
  ['unanswered', new Error('The answer could not be written.')],
  ['unanswered-with-undefined', undefined],
  ['unanswered-with-route', 'route'],
])

export function customerOf(header: string | undefined): string | undefined {
  if (failedLookups.has(header)) throw failedLookups.get(header)
  return header
}

export function deniedBody({ feature, subscriber, detail }: { feature: string; subscriber: unknown; detail: unknown }) {
  if (failedAnswers.has(subscriber)) throw failedAnswers.get(subscriber)
  return { buy: feature, subscriber, source: (detail as { source: string } | null)?.source }
}

/** Sends a request to the vendor's app; returns its answer. */
async function request(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  const retryAfter = answer.headers.get('retry-after')
  return { status: answer.status, body: isJson && text ? JSON.parse(text) : text, retryAfter }
}

/** Starts the service and whatever the apps of a test file share. Call it once in each file. */
export async function prepareApps() {
  const delivery = await startDeliveryTest()
  const { service } = delivery
  return { delivery, service, startProduct: (...args: StartArguments) => startProduct(service, ...args) }
}

export type Prepared = Awaited<ReturnType<typeof prepareApps>>
type StartArguments = [start: StartApp, options?: Partial<EntitlementsOptions>]

/** `acme` is on a plan with `sso`, `bare` on none. The webhook's address is the app's. */
async function startProduct(service: TestService, ...[start, options = {}]: StartArguments) {
  const admin = await service.organization()
  const setup = vendor(admin)
  await setup.features()
  await setup.plan('pro', { sso: { kind: 'flag' } })
  for (const id of ['acme', 'bare']) await setup.subscriber(id)
  await setup.subscribe('acme', 'pro')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { body } = await admin.rest('PUT', '/org/webhook', { url: `${url}/hook` })
  const secret: string = body.secret
  const entitlements = createEntitlements({
    baseUrl: service.url,
    apiKey: admin.key,
    freshness: 'webhook',
    webhookSecret: secret,
    ...patient,
    ...options,
  })
  atEnd(() => entitlements.close())
  await start({ entitlements, port })
  return {
    admin,
    setup,
    entitlements,
    url,
    secret,
    get: (path: string, customer?: string) =>
      request(url + path, customer === undefined ? {} : { headers: { 'x-customer': customer } }),
    post: (path: string, sent?: string, headers: Record<string, string> = {}) =>
      request(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(sent !== undefined && { body: sent }),
      }),
    hook: (sent: string, headers = signed(sent, secret)) =>
      request(`${url}/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: sent,
      }),
  }
}

export function signed(body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-service-webhook-timestamp': timestamp, 'x-service-webhook-signature': signature }
}

/** A body with a double space, which would be lost if the body were parsed and serialized again. */
export const event = '{"type":"entitlements.stale",  "subscriber_id":"acme", "id":"1"}'

/** Expects that the app answers each of these customers with 500, and does not run the route. */
async function expectServerErrors(get: Get, path: string, customers: Iterable<unknown>): Promise<void> {
  for (const customer of customers) {
    const { status, body } = await get(path, `${customer}`)
    expect([customer, status]).toEqual([customer, 500])
    expect(JSON.stringify(body)).not.toContain('exported')
  }
}

type Get = Awaited<ReturnType<typeof startProduct>>['get']

export function describeApp(framework: string, { delivery, service, startProduct }: Prepared, start: StartApp): void {
  describe(`requireEntitlement in ${framework}`, () => {
    it('passes on the requests of a subscriber who may use the feature, and answers other requests with 403', async () => {
      const { get } = await startProduct(start)

      expect(await get('/export', 'acme')).toMatchObject({ status: 200, body: { exported: true } })
      const denied = await get('/export', 'bare')
      expect([denied.status, denied.body]).toEqual([
        403,
        {
          error: {
            code: 'NOT_ENTITLED',
            message: 'This request needs the feature "sso".',
            feature: 'sso',
            problem: null,
          },
        },
      ])
      expect((await get('/export', 'nobody')).body.error.code).toBe('NOT_ENTITLED')
    })

    it('answers 403 without a subscriber, and sends the service no request', async () => {
      const { get, entitlements } = await startProduct(start, { baseUrl: 'http://127.0.0.1:9' })
      const failures: unknown[] = []
      entitlements.on('error', (failure) => failures.push(failure))

      for (const customer of [undefined, '']) {
        const { status, body } = await get('/export', customer)
        expect([status, body.error.code, body.error.feature]).toEqual([403, 'NO_SUBSCRIBER', 'sso'])
      }
      expect(failures).toEqual([])
    })

    it('lets onDenied answer, with 403 unless it sets another status', async () => {
      const { get } = await startProduct(start)

      const named = await get('/seats', 'acme')
      expect([named.status, named.body]).toEqual([403, { buy: 'seats', subscriber: 'acme', source: 'none' }])
      const unnamed = await get('/seats')
      expect([unnamed.status, unnamed.body]).toEqual([403, { buy: 'seats', subscriber: null }])
    })

    it('denies the request when the subscriber could not be determined', async () => {
      const { get } = await startProduct(start)

      await expectServerErrors(get, '/export', failedLookups.keys())
    })

    it('answers 500 if onDenied throws, and does not run the route', async () => {
      const { get } = await startProduct(start)

      await expectServerErrors(get, '/seats', failedAnswers.keys())
    })

    it.each([
      ['last-known', 'acme', 200],
      ['last-known', 'bare', 403],
      ['deny', 'acme', 503],
      ['allow', 'bare', 200],
    ] as const)(
      'answers, with onUnavailable %s, the customer %s with %i while the service is unavailable',
      async (onUnavailable, customer, status) => {
        const proxy = await startProxy(Number(new URL(service.url).port))
        atEnd(() => proxy.close())
        const baseUrl = `http://127.0.0.1:${proxy.port}`
        const away = { baseUrl, onUnavailable, freshness: { seconds: 0 }, timeoutMs: 300 }
        const { get } = await startProduct(start, away)
        await expect.poll(async () => (await get('/export', 'acme')).status).toBe(200)
        await expect.poll(async () => (await get('/export', 'bare')).status).toBe(403)

        proxy.routeTo(null)

        const answer = await get('/export', customer)
        expect(answer.status).toBe(status)
        if (status === 503) {
          expect(answer.body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', problem: 'unavailable' })
          expect(answer.retryAfter).toBe('1')
        }
      },
    )
  })

  describe(`webhookHandler in ${framework}`, () => {
    it('receives a change from the service, and answers 204 to its delivery', async () => {
      const { admin, setup, get } = await startProduct(start)
      expect((await get('/export', 'bare')).status).toBe(403)

      await delivery.worker()
      await setup.override('bare', 'sso', { kind: 'flag', allowed: true })

      await expect.poll(async () => (await get('/export', 'bare')).status).toBe(200)
      await delivery.settled(admin, 'delivered')
    })

    it('answers 401 to a request that is not signed with the secret, with the reason', async () => {
      const { hook } = await startProduct(start)

      for (const headers of [{}, signed(event, 'another')]) {
        const { status, body } = await hook(event, headers)
        expect([status, body.error.code]).toEqual([401, 'WEBHOOK_REFUSED'])
        expect(body.error.message).toMatch(/sign/)
      }
      expect((await hook(event)).status).toBe(204)
    })

    it('answers 400 to a signed body that is not an event, and 401 to an empty one', async () => {
      const { hook, post } = await startProduct(start)

      expect((await hook('not JSON')).status).toBe(400)
      expect((await post('/hook')).status).toBe(401)
    })

    it('accepts a body of any content type', async () => {
      const { hook, secret } = await startProduct(start)

      for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/octet-stream']) {
        expect([type, (await hook(event, { ...signed(event, secret), 'content-type': type })).status]).toEqual([
          type,
          204,
        ])
      }
    })

    it('answers 413 to a body of more than a mebibyte, and serves later requests', async () => {
      const { hook } = await startProduct(start)

      expect((await hook(JSON.stringify('x'.repeat(2_000_000)))).status).toBe(413)
      expect((await hook(event)).status).toBe(204)
    })

    it('does not change how other routes read bodies', async () => {
      const { post } = await startProduct(start)

      expect(await post('/echo', '{"some":["json"]}')).toMatchObject({ status: 200, body: { some: ['json'] } })
    })
  })
}
