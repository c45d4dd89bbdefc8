import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { EventSource } from 'undici'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createVault } from '../../src/core/vault.ts'
import { openStream } from '../changes/event-stream.ts'
import { createToken } from '../subscriber-tokens/token-subject.ts'
import { testMasterKey } from '../support/master-key.ts'
import { flagsOf } from '../support/ofrep.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, type LogEntry, send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const log: LogEntry[] = []
const service = await startService({ LOG_LEVEL: 'trace' }, log)
afterAll(() => OpenFeature.close())

const key = createVault(Buffer.from(testMasterKey, 'base64')).deriveKey('subscriber-token')
const path = '/ofrep/v1/evaluate/flags'

/** `acme`, with a token, is on `pro`, which grants `sso` and 5 `seats`; `other` is on `free`. */
async function seedOrganization() {
  const admin = await service.organization()
  const setup = vendor(admin)
  await setup.features()
  await setup.plan('pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  await setup.plan('free', { sso: { kind: 'flag' } })
  for (const [id, plan] of [
    ['acme', 'pro'],
    ['other', 'free'],
  ] as const) {
    await setup.subscriber(id)
    await setup.subscribe(id, plan)
  }
  const product = await service.member(admin.organizationId, 'evaluator')
  const token = await createToken(product)
  return { admin, setup, product, token, flags: flagsOf(service.url, { key: token }) }
}

type SeededOrganization = Awaited<ReturnType<typeof seedOrganization>>

/** The answer with all flags and the address: it has none if the service cannot read the cursor within a second. */
function allWithAddress({ flags }: Pick<SeededOrganization, 'flags'>): Promise<Answer> {
  return until(async () => {
    const answer = await flags.all('acme')
    return answer.body.eventStreams && answer
  })
}

async function addressOf(organization: Pick<SeededOrganization, 'flags'>): Promise<string> {
  const { body } = await allWithAddress(organization)
  return body.eventStreams[0].url
}

const refetch = '{"type":"refetchEvaluation"}'

async function listen(address: string, headers: Record<string, string> = {}) {
  const stream = await openStream(address, headers)
  return { ...stream, refetches: () => stream.events.filter(({ data }) => data === refetch).length }
}

const seats = (limit: number) => ({ kind: 'limit', limit })

describe("a subscriber's token", () => {
  it('evaluates the flags of its subscriber, in X-API-Key or as a Bearer token', async () => {
    const { product, token, flags } = await seedOrganization()
    const byKey = flagsOf(service.url, product)
    const one = await byKey.one('seats', 'acme')

    expect((await flags.one('seats', 'acme')).body).toEqual(one.body)
    expect((await flags.all('acme')).body.flags).toEqual((await byKey.all('acme')).body.flags)
    const context = { targetingKey: 'acme' }
    const bearer = { authorization: `Bearer ${token}` }
    const answer = await send(`${service.url}${path}/seats`, 'POST', { context }, bearer)
    expect(answer.body).toEqual(one.body)
  })

  it('evaluates no flags of another subscriber: 400 INVALID_CONTEXT', async () => {
    const { flags } = await seedOrganization()

    for (const targetingKey of ['other', 'nobody']) {
      const [one, all] = [await flags.one('sso', targetingKey), await flags.all(targetingKey)]
      expect([one.status, one.body]).toMatchObject([400, { key: 'sso', errorCode: 'INVALID_CONTEXT' }])
      expect([all.status, all.body]).toMatchObject([400, { errorCode: 'INVALID_CONTEXT' }])
    }
    expect((await flags.send(null, {})).body.errorCode).toBe('TARGETING_KEY_MISSING')
  })

  it('is refused with 401 together with a key, and after its subscriber was deleted', async () => {
    const { admin, product, token, flags } = await seedOrganization()

    const both = { authorization: `Bearer ${token}`, 'x-api-key': product.key }
    expectRefusal(await flags.send(null, { context: { targetingKey: 'acme' } }, both), 'UNAUTHORIZED', null)
    await admin.rest('DELETE', '/org/subscribers/acme')
    for (const body of [{ context: { targetingKey: 'acme' } }, '{'])
      expectRefusal(await flags.send('sso', body), 'UNAUTHORIZED', null)
  })

  it('may be sent by pages of any site', async () => {
    const { token } = await seedOrganization()
    for (const [at, method] of [
      [path, 'POST'],
      [`${path}/sso`, 'POST'],
      ['/ofrep/v1/events', 'GET'],
    ] as const) {
      const preflightHeaders = { origin: 'https://shop.example', 'access-control-request-method': method }
      const { status, headers } = await send(service.url + at, 'OPTIONS', undefined, preflightHeaders)
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
      expect(headers.get('access-control-allow-methods')).toBe(method)
    }
    const origin = 'https://shop.example'
    const { headers } = await send(service.url + path, 'POST', {}, { 'x-api-key': token, origin })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('the stream address in an answer with all flags', () => {
  it('is sent only in answers to a token, and affects neither the ETag of the flags nor a 304', async () => {
    const { product, flags } = await seedOrganization()

    const [first, second] = [await allWithAddress({ flags }), await allWithAddress({ flags })]
    const byKey = await flagsOf(service.url, product).all('acme')

    expect(first.body.eventStreams).toEqual([
      { type: 'sse', url: expect.stringMatching(`^${service.url}/ofrep/v1/events\\?token=[\\w.-]+$`) },
    ])
    expect(byKey.body.eventStreams).toBeUndefined()
    const tag = first.headers.get('etag') as string
    expect([second, byKey].map(({ headers }) => headers.get('etag'))).toEqual([tag, tag])
    expect((await flags.all('acme', { 'if-none-match': tag })).status).toBe(304)
  })

  it('begins with PUBLIC_URL', async () => {
    const { token } = await seedOrganization()
    const other = await startService({ PUBLIC_URL: 'https://entitlements.example' })

    const address = await addressOf({ flags: flagsOf(other.url, { key: token }) })

    expect(address).toMatch(/^https:\/\/entitlements\.example\/ofrep\/v1\/events\?token=/)
  })

  it('opens only the stream, which cannot be opened in any other way', async () => {
    const { product, token, flags } = await seedOrganization()
    const address = await addressOf({ flags })
    const inAddress = new URL(address).searchParams.get('token') as string
    const stolen = { authorization: `Bearer ${inAddress}` }
    const context = { targetingKey: 'acme' }

    expectRefusal(await send(service.url + path, 'POST', { context }, stolen), 'UNAUTHORIZED', null)
    expectRefusal(await send(`${service.url}/org/changes`, 'GET', undefined, stolen), 'UNAUTHORIZED', null)
    const snapshot = `${service.url}/org/subscribers/acme/entitlements`
    expectRefusal(await send(snapshot, 'GET', undefined, stolen), 'UNAUTHORIZED', null)
    const events = `${service.url}/ofrep/v1/events`
    for (const [query, headers] of [
      ['', {}],
      ['?token=', {}],
      [`?token=${token}`, {}],
      [`?token=${product.key}`, {}],
      [`?token=${inAddress.slice(0, -2)}`, {}],
      [`?token=${inAddress}&token=${inAddress}`, {}],
      ['', stolen],
      ['', { 'x-api-key': product.key }],
    ] as const)
      expectRefusal(await send(events + query, 'GET', undefined, headers), 'UNAUTHORIZED', null)
  })

  it('may be opened for five minutes, but no longer than the token is valid', async () => {
    const { product, flags } = await seedOrganization()
    const claims = decodeJwt(new URL(await addressOf({ flags })).searchParams.get('token') as string)
    const short = flagsOf(service.url, { key: await createToken(product, 'acme', { expires_in: 60 }) })
    const shortly = decodeJwt(new URL(await addressOf({ flags: short })).searchParams.get('token') as string)
    const sign = (more: JWTPayload, typ = 'entitlements-stream+jwt') =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256', typ }).sign(key)
    const open = async (token: string) => (await listen(`${service.url}/ofrep/v1/events?token=${token}`)).status
    const now = Math.floor(Date.now() / 1000)

    expect(Math.abs(Number(claims.exp) - now - 300)).toBeLessThan(30)
    expect(Number(claims.until) - Number(claims.exp)).toBeGreaterThan(300)
    expect(shortly.exp).toBe(shortly.until)
    expect(await open(await sign({}))).toBe(200)
    expect(await open(await sign({ exp: now - 30 }))).toBe(401)
    expect(await open(await sign({}, 'entitlements-subscriber+jwt'))).toBe(401)
  })
})

describe('GET /ofrep/v1/events', () => {
  it('asks clients to evaluate again only after changes of the subscriber, its plan or the catalog', async () => {
    const all = await seedOrganization()
    const { admin, setup } = all
    const stream = await listen(await addressOf(all), { origin: 'https://shop.example' })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(stream.headers.get('access-control-allow-origin')).toBe('*')
    const patch = (plan: string) => admin.rest('PATCH', `/org/plans/${plan}`, { grants: { seats: seats(9) } })

    await setup.override('other', 'seats', seats(7))
    await patch('free')
    const countRefetches = async () => stream.refetches()
    const changes = [
      () => setup.override('acme', 'seats', seats(7)),
      () => patch('pro'),
      () => setup.feature('new'),
      () => admin.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'free' }),
    ]
    for (const [index, change] of changes.entries()) {
      expect(await countRefetches()).toBe(index)
      await change()
      await until(async () => (await countRefetches()) > index)
    }
    expect(stream.events.filter(({ data }) => data !== refetch && data !== '')).toEqual([])
    await stream.leave()
  })

  it('reports at once a change made before the stream was opened, and sends nothing if there was none', async () => {
    const all = await seedOrganization()
    const address = await addressOf(all)

    await all.setup.override('acme', 'seats', seats(7))
    const stream = await listen(address)
    await until(() => stream.refetches() > 0)
    await stream.leave()

    const quiet = await listen(await addressOf(all))
    await until(() => quiet.events.length > 1)
    expect(quiet.refetches()).toBe(0)
    await quiet.leave()
  })

  it('continues after the last event that the client received', async () => {
    const all = await seedOrganization()
    const address = await addressOf(all)
    await all.setup.override('acme', 'seats', seats(7))
    const first = await listen(address)
    await until(() => first.refetches() > 0)
    const id = first.events.at(-1)?.id as string
    await first.leave()

    const second = await listen(address, { 'last-event-id': id })
    await until(() => second.events.length > 1)
    expect(second.refetches()).toBe(0)
    await all.setup.override('acme', 'seats', seats(8))
    await until(() => second.refetches() === 1)
    await second.leave()
  })

  it('ends when the member whose key created the token is disabled', async () => {
    const all = await seedOrganization()
    const stream = await listen(await addressOf(all))

    await all.admin.rest('PATCH', `/org/members/${all.product.memberId}`, { status: 'disabled' })

    await until(stream.hasEnded)
  })

  it('is one of at most three streams of a subscriber in a process; a fourth is 429', async () => {
    const all = await seedOrganization()
    const address = await addressOf(all)
    const open = [await listen(address), await listen(address), await listen(address)]

    expectRefusal(await send(address, 'GET'), 'RATE_LIMITED', { retry_after_seconds: expect.any(Number) })
    for (const stream of open) await stream.leave()
  })

  it('answers HEAD without streaming', async () => {
    const all = await seedOrganization()

    const { status, headers } = await send(await addressOf(all), 'HEAD')

    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')])
    expect(headers.get('content-length')).toBeNull()
  })
})

it("OpenFeature's web SDK receives a change without polling", async () => {
  vi.stubGlobal('EventSource', EventSource)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { setup, token } = await seedOrganization()
  const requests: string[] = []
  const provider = new OFREPWebProvider({
    baseUrl: service.url,
    headers: [['Authorization', `Bearer ${token}`]],
    cacheMode: 'disabled',
    fetchImplementation: (...request) => {
      requests.push('evaluate')
      return fetch(...request)
    },
  })
  onTestFinished(() => OpenFeature.clearProviders())
  await OpenFeature.setProviderAndWait('by-stream', provider, { targetingKey: 'acme' })
  const client = OpenFeature.getClient('by-stream')
  expect(client.getNumberValue('seats', 1)).toBe(5)

  await setup.override('acme', 'seats', seats(70))
  await until(() => client.getNumberValue('seats', 1) === 70)

  expect(requests.length).toBeLessThan(5)
})

it('the log contains no token of a stream address', async () => {
  const all = await seedOrganization()
  const address = await addressOf(all)
  const token = new URL(address).searchParams.get('token') as string

  const stream = await listen(address)
  expect((await send(`${address}x`, 'GET')).status).toBe(401)
  await stream.leave()

  expect(JSON.stringify(log)).not.toContain(token.split('.')[1])
})
