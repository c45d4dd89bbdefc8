import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  ConnectionError,
  createApi,
  EntitlementsError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
} from '../../src/client/api/index.ts'
import { failureOf } from '../support/client-api.ts'
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts'
import { findFreePort } from '../support/free-port.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

/** The client of a new organization, whose requests meet these faults before they reach the service. */
async function clientWith(faults: Fault[], options: { timeoutMs?: number } = {}) {
  const { key, rest } = await service.organization()
  const proxy = await startFaultyProxy(service.url)
  proxy.faults.push(...faults)
  const written: string[] = []
  const onWrite = (operation: string) => written.push(operation)
  const api = createApi({ baseUrl: proxy.url, apiKey: key, onWrite, ...options })
  return { api, rest, proxy, written }
}

const flag = { key: 'export', name: 'Export', kind: 'flag' } as const

/** A refusal by the service itself, not by a proxy. */
function refusal(status: number, code: string, retryAfter?: string): Fault {
  const error = { type: 'api_error', code, message: 'Try again.', request_id: 'req_1', details: null }
  const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) }
  return { status, headers, body: JSON.stringify({ error }) }
}

describe('a request is repeated', () => {
  it.each<[string, Fault]>([
    ['cannot be reached', 'refuse'],
    ['loses its answer', 'lose'],
    ['is unavailable', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['refuses too many requests', refusal(429, 'RATE_LIMITED', '0')],
    ['has a proxy that answers 502', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['has a proxy that answers 504', { status: 504 }],
  ])('while the service %s', async (_, fault) => {
    const { api, proxy } = await clientWith([fault, fault])

    expect(await api.getOrganization()).toMatchObject({ name: 'Acme' })
    expect(proxy.requests.length).toBe(3)
  })

  it('after the time that the service asks for', async () => {
    const { api, proxy } = await clientWith([refusal(429, 'RATE_LIMITED', '1')])

    await api.getOrganization()

    const [first, second] = proxy.requests.map(({ atMs }) => atMs) as [number, number]
    expect(second - first).toBeGreaterThanOrEqual(995)
  })

  it('at the date that a proxy asks for', async () => {
    const { api, proxy } = await clientWith([])
    const date = new Date(Date.now() + 2_000).toUTCString()
    proxy.faults.push({ status: 503, headers: { 'retry-after': date } })

    await api.getOrganization()

    expect(proxy.requests).toHaveLength(2)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date))
  })

  it('and writes once, although the first answer was lost', async () => {
    const { api, rest, proxy, written } = await clientWith(['lose', 'lose'])

    const feature = await api.createFeature(flag)

    expect(feature).toMatchObject({ key: 'export' })
    const keys = proxy.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys.length).toBe(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    const { body } = await rest('GET', '/org/audit-events?method=POST')
    expect(body.audit_events.map(({ params, status }: Record<string, unknown>) => [params, status])).toEqual([
      [expect.anything(), 201],
    ])
    expect(written).toEqual(['createFeature'])
  })

  it('with the key of the caller, so that a call after a restart is the same write', async () => {
    const { api, proxy } = await clientWith([])

    const first = await api.createFeature(flag, { idempotencyKey: 'order-1' })
    const again = await api.createFeature(flag, { idempotencyKey: 'order-1' })

    expect(again).toEqual(first)
    expect(proxy.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', 'order-1'])
  })

  it('while the service still runs its first attempt', async () => {
    const running = { field: 'idempotency_key', value: 'order-1' }
    const error = { type: 'invalid_request_error', code: 'CONFLICT', message: 'Repeat it.', details: running }
    const { api, proxy } = await clientWith([{ status: 409, body: JSON.stringify({ error }) }])

    expect(await api.createFeature(flag)).toMatchObject({ key: 'export' })
    expect(proxy.requests.length).toBe(2)
  })
})

describe('a request is not repeated', () => {
  it('when it may already have run, and a repetition would run it twice', async () => {
    const { api, proxy, written } = await clientWith([])
    const { service_account_id: id } = await api.createServiceAccount({ name: 'CI', role: 'viewer' })
    proxy.faults.push('lose')

    const error = await failureOf(api.createApiKey({ service_account_id: id, name: 'a' }))

    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'NO_ANSWER', status: null })
    expect((await api.listApiKeys({ service_account_id: id })).keys.map(({ name }) => name)).toEqual(['a'])
    // The key may exist, so the caller is notified as after a success.
    expect(written).toEqual(['createServiceAccount', 'createApiKey'])
  })

  it.each([
    [429, 'RATE_LIMITED', 1],
    [503, 'SERVICE_UNAVAILABLE', 0],
  ])(
    'after %i if the request could then run twice; it is repeated only if the service has not started it',
    async (status, code, expected) => {
      const { api, proxy } = await clientWith([])
      const { service_account_id: id } = await api.createServiceAccount({ name: 'CI', role: 'viewer' })
      proxy.faults.push(refusal(status, code, '0'))

      await api.createApiKey({ service_account_id: id, name: 'a' }).catch(() => {})

      expect((await api.listApiKeys({ service_account_id: id })).keys.length).toBe(expected)
    },
  )

  it.each([
    [400, 'INVALID_JSON'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [500, 'INTERNAL_ERROR'],
  ])('after %i, because the answer would be the same', async (status, code) => {
    const { api, proxy } = await clientWith([refusal(status, code)])

    expect(await failureOf(api.getOrganization())).toMatchObject({ status, code })
    expect(proxy.requests.length).toBe(1)
  })

  it('when the service asks to wait beyond the time limit', async () => {
    const { api, proxy } = await clientWith([refusal(429, 'RATE_LIMITED', '60')])

    const error = await failureOf(api.getOrganization())

    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error).toMatchObject({ retryAfterSeconds: 60, requestId: 'req_1' })
    expect(proxy.requests.length).toBe(1)
  })
})

describe('a call ends', () => {
  it('at its time limit when there is no answer', async () => {
    const { api, written } = await clientWith(['hang', 'hang'], { timeoutMs: 300 })

    const error = await failureOf(api.createFeature(flag))

    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({
      name: 'TimeoutError',
      code: 'TIMED_OUT',
      status: null,
      message: expect.stringMatching(/within 300 ms/),
    })
    expect(await failureOf(api.getOrganization({}, { timeoutMs: 100 }))).toMatchObject({
      message: expect.stringMatching(/within 100 ms/),
    })
    expect(written).toEqual(['createFeature'])
  })

  it('with the last refusal when repetitions would take longer than its time limit', async () => {
    const refusals = ['0', '90'].map((seconds) => refusal(503, 'SERVICE_UNAVAILABLE', seconds))
    const { api, proxy } = await clientWith(refusals, { timeoutMs: 60_000 })

    const error = await failureOf(api.getOrganization())

    expect(error).toBeInstanceOf(ServiceUnavailableError)
    expect(error).toMatchObject({ retryAfterSeconds: 90 })
    expect(proxy.requests.length).toBe(2)
  })

  it('with the reason of its abort signal', async () => {
    const { api, proxy } = await clientWith(['hang', refusal(429, 'RATE_LIMITED', '5')])
    const [during, waiting] = [new AbortController(), new AbortController()]

    const hanging = failureOf(api.getOrganization({}, { signal: during.signal }))
    await expect.poll(() => proxy.requests.length).toBe(1)
    during.abort(new Error('the user left'))
    const repeating = failureOf(api.getOrganization({}, { signal: waiting.signal }))
    await expect.poll(() => proxy.requests.length).toBe(2)
    waiting.abort('enough')

    expect(await hanging).toEqual(new Error('the user left'))
    expect(await repeating).toBe('enough')
    expect(await failureOf(api.getOrganization({}, { signal: waiting.signal }))).toBe('enough')
  })

  it('later if the request asks the service to wait for a change', async () => {
    const { api } = await clientWith([], { timeoutMs: 1_900 })
    const { cursor } = await api.getChanges()

    expect(await api.getChanges({ after: cursor, wait: 2 })).toMatchObject({ changes: [] })
  })

  it('with the network error when nothing listens at the address', async () => {
    // Makes the waits between attempts long, so that the last wait would end after the time limit.
    vi.spyOn(Math, 'random').mockReturnValue(0.9)
    onTestFinished(() => void vi.restoreAllMocks())
    const api = createApi({ baseUrl: `http://127.0.0.1:${await findFreePort()}`, timeoutMs: 2_500 })

    expect(await failureOf(api.getService())).toMatchObject({
      code: 'NO_ANSWER',
      message: expect.stringMatching(/did not answer: .*ECONNREFUSED/),
    })
  })
})

describe('an answer that does not come from the service', () => {
  it.each<[string, Fault]>([
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in to the network</h1>' }],
    ['a page that was not found', { status: 404, body: '<h1>Not found</h1>' }],
    ['JSON of another program', { status: 404, body: '{"message":"no route"}' }],
  ])('throws UNEXPECTED_ANSWER: %s', async (_, fault) => {
    const { api } = await clientWith([fault])

    const error = await failureOf(api.getOrganization())

    expect((error as Error).constructor).toBe(EntitlementsError)
    expect(error).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: expect.stringMatching(/Is it the address of the service\?$/),
    })
  })

  it('does not redirect the request, which would send the key elsewhere', async () => {
    const elsewhere = await startFaultyProxy(service.url)
    const { api } = await clientWith([{ status: 307, headers: { location: `${elsewhere.url}/org` } }])

    expect(await failureOf(api.getOrganization())).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 307 })
    expect(elsewhere.requests).toEqual([])
  })
})
