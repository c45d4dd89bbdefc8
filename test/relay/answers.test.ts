import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startVendor } from '../support/client.ts'
import { fc, randomRuns } from '../support/random.ts'
import { expectRefusal } from '../support/refusal.ts'
import { relayToken, startRelay } from '../support/relay.ts'
import { send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const check = '/org/subscribers/acme/entitlements/check'
const snapshot = '/org/subscribers/acme/entitlements'

/** Creates a vendor, and starts a relay for its product; resolves when the relay is ready. */
async function startVendorRelay(env: Record<string, string> = {}) {
  const { admin, access } = await startVendor(service)
  const relay = await startRelay(access, env)
  await until(async () => (await send(`${relay.url}/readyz`, 'GET')).body.status === 'ready')
  return { admin, access, relay, ...vendor(admin) }
}

/** The status, the body and a few headers of an answer, without the request id, which always differs. */
async function comparableAnswerOf(url: string, key: string, method: string, path: string, body?: string) {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, ...type },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  const headers = Object.fromEntries(answer.headers)
  return {
    status: answer.status,
    type: headers['content-type'],
    cache: headers['cache-control'],
    text: text.replace(/req_\w{26}/, 'req_'),
    etag: headers.etag,
  }
}

/** Requests the snapshot with headers that fetch does not allow; resolves to the status. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url + snapshot, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })
}

describe('a relay', () => {
  it.each([
    ['a check', 'POST', check, '{"feature":"seats"}'],
    ['several features', 'POST', check, '{"features":["color","sso"]}'],
    ['a snapshot, with its ETag', 'GET', snapshot, undefined],
    ['a flag', 'POST', '/ofrep/v1/evaluate/flags/seats', '{"context":{"targetingKey":"acme"}}'],
    ['an unknown subscriber', 'POST', '/org/subscribers/nobody/entitlements/check', '{"feature":"seats"}'],
    ['the snapshot of an unknown subscriber', 'GET', '/org/subscribers/nobody/entitlements', undefined],
    ['an id that no subscriber can have', 'GET', '/org/subscribers/a%20b/entitlements', undefined],
    ['an id that is wrongly encoded', 'GET', '/org/subscribers/%E0/entitlements', undefined],
    ['an unknown feature', 'POST', check, '{"feature":"none"}'],
    ['unknown features', 'POST', check, '{"features":["sso","none","other"]}'],
    ['no feature', 'POST', check, '{}'],
    ['both feature and features', 'POST', check, '{"feature":"sso","features":["sso"]}'],
    ['a repeated feature', 'POST', check, '{"features":["sso","sso"]}'],
    ['a body that is not JSON', 'POST', check, '{'],
    ['no body', 'POST', check, undefined],
    ['many subscribers', 'POST', '/org/entitlements', '{"subscriber_ids":["nobody","acme"]}'],
    ['many subscribers, one of them twice', 'POST', '/org/entitlements', '{"subscriber_ids":["acme","acme"]}'],
    ['a flag without a targeting key', 'POST', '/ofrep/v1/evaluate/flags/seats', '{}'],
    ['an unknown flag', 'POST', '/ofrep/v1/evaluate/flags/none', '{"context":{"targetingKey":"acme"}}'],
    ['a flag of an unknown subscriber', 'POST', '/ofrep/v1/evaluate/flags/sso', '{"context":{"targetingKey":"no"}}'],
    ['all flags of an unknown subscriber', 'POST', '/ofrep/v1/evaluate/flags', '{"context":{"targetingKey":"no"}}'],
    ['all flags, requested with a body that is not JSON', 'POST', '/ofrep/v1/evaluate/flags', '{'],
  ])('answers as the service does, byte for byte: %s', async (_what, method, path, body) => {
    const { relay, access } = await startVendorRelay()

    const ofService = await comparableAnswerOf(access.baseUrl, access.apiKey, method, path, body)
    // The relay answers first from the upstream, then from memory.
    expect(await comparableAnswerOf(relay.url, relayToken, method, path, body)).toEqual(ofService)
    expect(await comparableAnswerOf(relay.url, relayToken, method, path, body)).toEqual(ofService)
  })

  it('answers all flags, and a body that is too large or of another type, as the service does', async () => {
    const { relay, access } = await startVendorRelay()
    const flags = ['POST', '/ofrep/v1/evaluate/flags', '{"context":{"targetingKey":"acme"}}'] as const
    const { etag: _, ...ofService } = await comparableAnswerOf(access.baseUrl, access.apiKey, ...flags)
    const large = ['POST', check, `{"feature":"${'a'.repeat(1_100_000)}"}`] as const

    expect(await comparableAnswerOf(relay.url, relayToken, ...flags)).toMatchObject(ofService)
    expect(await comparableAnswerOf(relay.url, relayToken, ...large)).toEqual(
      await comparableAnswerOf(access.baseUrl, access.apiKey, ...large),
    )
    const text = { 'content-type': 'text/plain' }
    expectRefusal(await relay.caller.rest('POST', check, '{}', text), 'UNSUPPORTED_MEDIA_TYPE', null)
  })

  it('refuses a request for flags with two credentials, as the service does', async () => {
    const { relay, access } = await startVendorRelay()
    const refuse = async (url: string, key: string, path: string) => {
      const headers = { 'x-api-key': key, authorization: `Bearer ${key}` }
      const { status, body } = await send(url + path, 'POST', { context: { targetingKey: 'acme' } }, headers)
      return { status, code: body.error?.code }
    }

    for (const path of ['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/seats']) {
      const ofService = await refuse(access.baseUrl, access.apiKey, path)
      expect(ofService).toEqual({ status: 401, code: 'UNAUTHORIZED' })
      expect(await refuse(relay.url, relayToken, path)).toEqual(ofService)
    }
  })

  it('answers any config value of an override as the service does', async () => {
    const { relay, access, admin, feature } = await startVendorRelay()
    await feature('any', { kind: 'config', value_type: 'json' })
    const json = fc.jsonValue({ maxDepth: 4 })
    const cases = fc.sample(json, Math.min(randomRuns, 50))
    for (const value of cases) {
      const put = await admin.rest('PUT', '/org/subscribers/acme/overrides/any', { kind: 'config', value })
      // The service takes only numbers that every client reads exactly.
      if (put.status !== 200) continue
      const ofService = await comparableAnswerOf(access.baseUrl, access.apiKey, 'GET', snapshot)
      const parts = ['GET', snapshot] as const
      await until(async () => (await comparableAnswerOf(relay.url, relayToken, ...parts)).text === ofService.text)
      const one = ['POST', check, '{"feature":"any"}'] as const
      expect(await comparableAnswerOf(relay.url, relayToken, ...one)).toEqual(
        await comparableAnswerOf(access.baseUrl, access.apiKey, ...one),
      )
    }
  })
})

describe('an answer of a relay', () => {
  it('shows its source and its age, and comes from memory without another request to the upstream', async () => {
    const { relay } = await startVendorRelay()

    const first = await relay.caller.rest('POST', check, { feature: 'seats' })
    const requests = relay.upstreamRequests.filter((each) => !each.endsWith('/changes'))
    const second = await relay.caller.rest('POST', check, { feature: 'sso' })
    const third = await relay.caller.rest('GET', snapshot)

    expect(first.headers.get('x-entitlements-from')).toBe('upstream')
    expect(first.headers.get('age')).toBe('0')
    expect(second.headers.get('x-entitlements-from')).toBe('cache')
    expect(Number(second.headers.get('age'))).toBeLessThanOrEqual(10)
    expect(third.headers.get('x-entitlements-from')).toBe('cache')
    expect(requests).toEqual(['GET /org/subscribers/acme/entitlements'])
    expect(relay.upstreamRequests.filter((each) => !each.endsWith('/changes'))).toEqual(requests)
  })

  it('changes once the relay has received a change', async () => {
    const { relay, override } = await startVendorRelay()
    const limit = async () => (await relay.caller.rest('POST', check, { feature: 'seats' })).body.limit
    expect(await limit()).toBe(5)

    await override('acme', 'seats', { kind: 'limit', limit: 9 })

    await until(async () => (await limit()) === 9)
  })

  it('is 304 for a caller who already has the answer, until the answer changes', async () => {
    const { relay, override } = await startVendorRelay()
    const first = await relay.caller.rest('GET', snapshot)
    const etag = first.headers.get('etag') as string
    const again = () => relay.caller.rest('GET', snapshot, undefined, { 'if-none-match': etag })

    expect(await again()).toMatchObject({ status: 304, body: undefined })
    await override('acme', 'seats', { kind: 'limit', limit: 9 })
    await until(async () => (await again()).status === 200)
  })

  it('about many subscribers takes one request to the upstream', async () => {
    const { relay, subscriber } = await startVendorRelay()
    for (const id of ['ada', 'bob', 'cy']) await subscriber(id)

    const { body } = await relay.caller.rest('POST', '/org/entitlements', { subscriber_ids: ['ada', 'bob', 'cy'] })

    expect(body.snapshots).toHaveLength(3)
    expect(relay.upstreamRequests.filter((each) => !each.endsWith('/changes'))).toEqual(['POST /org/entitlements'])
  })

  it('about many subscribers leaves out subscribers that do not fit into MAX_ANSWER_BYTES', async () => {
    const { relay, subscriber } = await startVendorRelay({ MAX_ANSWER_BYTES: '600' })
    for (const id of ['ada', 'bob', 'cy']) await subscriber(id)

    const { body } = await relay.caller.rest('POST', '/org/entitlements', {
      subscriber_ids: ['ada', 'no', 'bob', 'cy'],
    })

    expect(body.snapshots.map((each: { subscriber_id: string }) => each.subscriber_id)).toEqual(['ada'])
    expect([body.unknown, body.left]).toEqual([['no'], ['bob', 'cy']])
  })

  it('no longer contains a subscriber that was deleted', async () => {
    const { relay, admin } = await startVendorRelay()
    expect((await relay.caller.rest('GET', snapshot)).status).toBe(200)

    await admin.rest('DELETE', '/org/subscribers/acme')

    await until(async () => (await relay.caller.rest('GET', snapshot)).status === 404)
  })
})

describe('the callers of a relay', () => {
  it('may send any of RELAY_TOKENS, as an API key or as a Bearer token', async () => {
    const { relay } = await startVendorRelay({ RELAY_TOKENS: 'one-token, another-token' })
    const ask = (headers: Record<string, string>) => send(`${relay.url}${snapshot}`, 'GET', undefined, headers)

    for (const token of ['one-token', 'another-token']) {
      expect((await ask({ 'x-api-key': token })).status).toBe(200)
      expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(200)
    }
  })

  it('are 401 with another token, none, or the key of the service, whatever the body', async () => {
    const { relay, access } = await startVendorRelay()
    const wrong = [{}, { 'x-api-key': 'other' }, { 'x-api-key': access.apiKey }, { authorization: 'Bearer other' }]

    for (const headers of wrong) {
      for (const [method, path, body] of [
        ['POST', check, '{'],
        ['GET', snapshot, undefined],
        ['POST', '/org/entitlements', '{}'],
        ['GET', '/org/changes', undefined],
        ['POST', '/ofrep/v1/evaluate/flags', '{}'],
        ['POST', '/ofrep/v1/evaluate/flags/sso', '{}'],
        ['GET', '/ofrep/v1/events?token=other', undefined],
      ] as const) {
        const requestHeaders: Record<string, string> = { ...(headers as object) }
        expectRefusal(await send(relay.url + path, method, body, requestHeaders), 'UNAUTHORIZED', null)
      }
    }
  })

  it("need no token if none is configured, but must be on the relay's machine and use one of its own names", async () => {
    const { relay } = await startVendorRelay({ RELAY_TOKENS: '' })

    expect((await send(`${relay.url}${snapshot}`, 'GET')).status).toBe(200)
    expect(await statusOf(relay.url, { host: 'rebound.example' })).toBe(401)
  })

  it.each(['/org', '/org/subscribers', '/graphql', '/console', '/docs', '/org/plans/pro'])(
    'get a 404 for %s that names the address of the service',
    async (path) => {
      const { relay, access } = await startVendorRelay()

      const answer = await fetch(relay.url + path, { headers: { 'x-api-key': relayToken } })

      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({
        error: { code: 'NOT_FOUND', details: null, message: expect.stringContaining(access.baseUrl) },
      })
    },
  )
})

describe('the health check of a relay', () => {
  it('requires no credentials, and reports that the relay is ready once the upstream has answered', async () => {
    const { relay } = await startVendorRelay()

    expect(await send(`${relay.url}/healthz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await send(`${relay.url}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('reports that the relay is not ready before the first answer', async () => {
    const relay = await startRelay({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ent_key' })

    expect(await send(`${relay.url}/readyz`, 'GET')).toMatchObject({ status: 503, body: { status: 'unavailable' } })
    expect((await send(`${relay.url}/healthz`, 'GET')).status).toBe(200)
  })
})
