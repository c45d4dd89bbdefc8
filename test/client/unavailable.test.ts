import { describe, expect, it } from 'vitest'
import { Entitlements } from '../../src/client/entitlements.ts'
import type { EntitlementsOptions } from '../../src/client/index.ts'
import { environmentOf } from '../../src/client/platform.ts'
import { startClient, startVendor } from '../support/client.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { settle, VirtualTime } from './world/virtual-time.ts'

const service = await sharedService()
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const cacheForAMinute = { freshness: { seconds: 60 } } as const

/** Checks until the service has answered, because a slow machine may need longer for an answer than the client waits. */
const waitForAnswer = (entitlements: Entitlements) =>
  until(async () => ['network', 'cache'].includes((await entitlements.checkDetail('acme', 'sso')).from))

/** Starts a client whose service becomes unavailable after its first answer. */
async function startAbandonedClient(options: EntitlementsOptions) {
  const { admin, access } = await startVendor(service)
  const proxy = await startProxy(Number(new URL(service.url).port))
  const client = startClient({
    ...cacheForAMinute,
    timeoutMs: 500,
    ...access,
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    ...options,
  })
  await waitForAnswer(client.entitlements)
  proxy.routeTo(null)
  client.sleep(60_001)
  return { ...client, admin, proxy }
}

describe('when the service is unavailable', () => {
  it('the last known answer is used, and marked as such', async () => {
    const { entitlements } = await startAbandonedClient({})
    const events: string[] = []
    entitlements.on('unavailable', ({ error }) => events.push(error.code))

    const detail = await entitlements.checkDetail('acme', 'seats')

    expect(detail).toMatchObject({ allowed: true, limit: 5, from: 'last-known', problem: null })
    expect(detail.ageMs).toBeGreaterThan(60_000)
    expect(await entitlements.snapshot('acme')).toMatchObject({ plan: 'pro' })
    // On a slow machine, the last attempt may take too long.
    expect(events).toEqual([expect.stringMatching(/NO_ANSWER|TIMED_OUT/)])
  })

  it('an override that ended during the outage is not used as the last known answer', async () => {
    const { admin, access } = await startVendor(service)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9, expires_at })
    const proxy = await startProxy(Number(new URL(service.url).port))
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    const { entitlements, sleep } = startClient({
      ...cacheForAMinute,
      ...access,
      timeoutMs: 500,
      baseUrl,
      defaults: { seats: 1 },
    })
    await waitForAnswer(entitlements)
    proxy.routeTo(null)

    sleep(60_001)
    expect(await entitlements.limit('acme', 'seats')).toBe(9)
    sleep(3_600_000)
    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 1, from: 'default' })
  })

  it.each([
    ['deny', false, 0],
    ['allow', true, Number.POSITIVE_INFINITY],
  ] as const)('the option %s decides the answer, unless there is a default', async (onUnavailable, allowed, limit) => {
    const { entitlements } = await startAbandonedClient({ onUnavailable, defaults: { color: 'blue' } })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({
      allowed,
      from: 'default',
      problem: 'unavailable',
    })
    expect(await entitlements.limit('acme', 'seats')).toBe(limit)
    expect(await entitlements.value('acme', 'color')).toBe('blue')
    // On a slow machine, the last attempt may take too long.
    await expect(entitlements.snapshot('acme')).rejects.toMatchObject({
      code: expect.stringMatching(/NO_ANSWER|TIMED_OUT/),
    })
  })

  it('the client sends requests again once the service is back', async () => {
    const { entitlements, proxy, admin } = await startAbandonedClient({})
    expect(await entitlements.check('acme', 'sso')).toBe(true)

    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    proxy.routeTo(Number(new URL(service.url).port))

    await until(async () => (await entitlements.checkDetail('acme', 'sso')).from !== 'last-known')
    expect(await entitlements.check('acme', 'sso')).toBe(false)
  })

  it('a process that starts during the outage answers from the store', async () => {
    const texts = new Map<string, string>()
    const store = {
      get: async (key: string) => texts.get(key),
      set: async (key: string, value: string) => void texts.set(key, value),
      delete: async (key: string) => void texts.delete(key),
    }
    const { access } = await startVendor(service)
    const proxy = await startProxy(Number(new URL(service.url).port))
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    const earlier = startClient({ ...access, baseUrl, store }).entitlements
    await earlier.waitUntilReady()
    await earlier.check('acme', 'sso')
    await until(() => texts.size === 1)

    proxy.routeTo(null)
    const { entitlements } = startClient({ ...access, baseUrl, store, timeoutMs: 300 })

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 5, from: 'last-known' })
    expect(await entitlements.check('globex', 'sso')).toBe(false)
  })

  it('a store that several organizations and services share keeps their subscribers apart', async () => {
    const texts = new Map<string, string>([['entitlements:acme', 'of an earlier version']])
    const store = {
      get: (key: string) => texts.get(key),
      set: (key: string, value: string) => void texts.set(key, value),
      delete: (key: string) => void texts.delete(key),
    }
    const { access } = await startVendor(service)
    const ask = async (options: EntitlementsOptions) => {
      const { entitlements } = startClient(options)
      // Earlier answers may be outdated, so the client does not store them.
      await entitlements.waitUntilReady()
      await entitlements.check('acme', 'sso')
    }
    await ask({ ...access, store })
    await until(() => texts.size === 2)
    const { access: other, admin } = await startVendor(service)

    const away = { store, fetch: () => Promise.reject(new Error('away')), timeoutMs: 300 }
    const checkWith = (options: EntitlementsOptions) =>
      startClient(options, away.fetch).entitlements.checkDetail('acme', 'sso')
    expect(await checkWith({ ...away, ...access })).toMatchObject({ allowed: true, from: 'last-known' })
    expect(await checkWith({ ...away, ...other })).toMatchObject({ allowed: false, problem: 'unavailable' })
    expect(await checkWith({ ...away, ...access, baseUrl: 'http://127.0.0.1:1' })).toMatchObject({ allowed: false })

    const named = { store, organizationId: admin.organizationId }
    await ask({ ...other, ...named })
    await until(() => texts.size === 3)
    const offline = { ...named, offline: true, baseUrl: other.baseUrl }
    expect(await checkWith(offline)).toMatchObject({ allowed: true, from: 'last-known' })
  })

  it('a store has the newest answer, even if it equals an earlier one', async () => {
    const texts = new Map<string, string>()
    const store = {
      get: (key: string) => texts.get(key),
      set: (key: string, value: string) => void texts.set(key, value),
      delete: (key: string) => void texts.delete(key),
    }
    const storedSeats = () => [...texts.values()].map((text) => /"seats"[^}]*"limit":(\d+)/.exec(text)?.[1])
    const { admin, access } = await startVendor(service)
    const [one, other] = [startClient({ ...access, store }), startClient({ ...access, store })]
    for (const { entitlements } of [one, other]) await entitlements.waitUntilReady()
    expect(await one.entitlements.limit('acme', 'seats')).toBe(5)

    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9 })
    expect(await other.entitlements.limit('acme', 'seats')).toBe(9)
    await until(() => storedSeats()[0] === '9')
    await admin.rest('DELETE', '/org/subscribers/acme/overrides/seats')
    expect((await one.entitlements.refresh('acme'))?.entitlements).toContainEqual(
      expect.objectContaining({ feature: 'seats', limit: 5 }),
    )

    await until(() => storedSeats()[0] === '5')
  })

  it('a store that fails or hangs does not keep the client from answering', async () => {
    const fail = () => Promise.reject(new Error('no store'))
    const { access } = await startVendor(service)
    const { entitlements } = startClient({
      ...access,
      store: { get: () => new Promise(() => {}), set: fail, delete: fail },
    })
    expect(await entitlements.check('acme', 'sso')).toBe(true)

    await entitlements.close()
    expect(await entitlements.check('globex', 'sso')).toBe(false)
  })
})

it('no check throws if the store has unexpected contents', async () => {
  for (const text of ['{}', '5', 'no JSON']) {
    const store = { get: () => text, set() {}, delete() {} }
    const { entitlements } = startClient({ offline: true, store })
    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ allowed: false, problem: 'unavailable' })
  }
})

it('waitUntilReady may wait without a limit', async () => {
  const { access } = await startVendor(service)

  await startClient(access).entitlements.waitUntilReady({ timeoutMs: Number.POSITIVE_INFINITY })
})

it('a `token` function that hangs is called again', async () => {
  const { admin, access } = await startVendor(service)
  const { token } = await admin.rest('POST', '/org/subscribers/acme/tokens', {}).then(({ body }) => body)
  const real = environmentOf(undefined)
  const later: typeof real.later = (ms, run, isBackground) => real.later(ms / 50, run, isBackground)
  let calls = 0
  const options = {
    ...cacheForAMinute,
    baseUrl: access.baseUrl,
    token: () => (++calls === 1 ? new Promise<string>(() => {}) : token),
    timeoutMs: 500_000,
  }
  const entitlements = new Entitlements(options, { ...real, later })

  expect(await entitlements.check('acme', 'sso')).toBe(true)
})

it('a check whose token is renewed waits no longer than its time limit', async () => {
  const time = new VirtualTime()
  let answers = 0
  const refused = { error: { code: 'UNAUTHORIZED', message: 'The token has expired.' } }
  const answer = { status: 401, headers: { get: () => null }, body: null, text: async () => JSON.stringify(refused) }
  // The first request is refused after a while, and the next ones hang.
  const fetch = () =>
    new Promise<typeof answer>((resolve) => {
      answers += 1
      if (answers === 1) time.later(1_500, () => resolve(answer))
    })
  const environment = { fetch, later: time.later, now: () => time.now, random: Math.random }
  const entitlements = new Entitlements(
    { ...cacheForAMinute, baseUrl: 'http://service', token: async () => 'a.b.c' },
    environment,
  )

  let waitedMs = 0
  const startedAt = time.now
  entitlements.check('acme', 'sso').then(() => {
    waitedMs = time.now - startedAt
  })
  await settle()
  await time.pass(10_000)

  expect(answers).toBe(2)
  expect(waitedMs).toBe(2_000)
})

describe('a fault', () => {
  it.each([
    ['a refused connection', 'refuse'],
    ['a lost answer', 'lose'],
    ['a 503', { status: 503, headers: { 'retry-after': '0' }, body: '{}' }],
    ['a 429', { status: 429, headers: { 'retry-after': '0' }, body: '{}' }],
    ['an answer of another program', { status: 502, body: '<html>' }],
  ] as const)('of one request, such as %s, makes the client retry within the time limit', async (_name, fault) => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push(fault)
    const { entitlements } = startClient({ ...cacheForAMinute, ...access, baseUrl: proxy.url, timeoutMs: 30_000 })

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 5, from: 'network' })
    expect(proxy.requests.length).toBe(2)
  })

  it('that continues ends the call at its time limit', async () => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push('hang')
    const { entitlements } = startClient({ ...cacheForAMinute, ...access, baseUrl: proxy.url, timeoutMs: 300 })
    const errors: string[] = []
    entitlements.on('error', ({ error }) => errors.push(error.code))

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ allowed: false, problem: 'unavailable' })
    expect(errors).toEqual(['TIMED_OUT'])
  })

  it.each([
    ['no body', ''],
    ['JSON of another shape', '{"ok":true}'],
  ])('such as an answer 200 with %s is not taken for an answer of the service', async (_name, body) => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push({ status: 200, body }, { status: 200, body })
    const { entitlements } = startClient({ ...cacheForAMinute, ...access, baseUrl: proxy.url })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ problem: 'unavailable' })
    await expect(entitlements.snapshot('acme')).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 })
    expect(await entitlements.check('acme', 'sso')).toBe(true)
  })

  it('that hangs delays no caller beyond the time limit, however many subscribers are checked', async () => {
    const time = new VirtualTime()
    const environment = {
      fetch: () => new Promise<never>(() => {}),
      later: time.later,
      now: () => time.now,
      random: Math.random,
    }
    const options = { ...cacheForAMinute, baseUrl: 'http://service', apiKey: 'ent_key', timeoutMs: 2_000 }
    const entitlements = new Entitlements(options, environment)

    let answered = 0
    for (let n = 0; n < 1_000; n += 1) entitlements.check(`s${n}`, 'sso').then(() => (answered += 1))
    await time.pass(2_000)
    await settle()

    expect(answered).toBe(1_000)
  })

  it('of many requests at once makes the client wait no longer than a fault of one request', async () => {
    const time = new VirtualTime()
    let requestCount = 0
    const fetch = async () => {
      requestCount += 1
      throw new Error('down')
    }
    const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.999 }
    const options = { ...cacheForAMinute, baseUrl: 'http://service', apiKey: 'ent_key', timeoutMs: 50 }
    const entitlements = new Entitlements(options, environment)
    const checks = Array.from({ length: 50 }, (_, n) => entitlements.check(`s${n}`, 'sso'))
    await time.pass(50)
    await Promise.all(checks)
    const before = requestCount

    await time.pass(100)
    await entitlements.check('s1', 'sso')
    await time.pass(50)

    expect(requestCount).toBeGreaterThan(before)
  })

  it('that leaves one check little time does not shorten the time of other checks in the same request', async () => {
    const time = new VirtualTime()
    const begunAt = time.now
    const passUntil = (ms: number) => time.pass(begunAt + ms - time.now)
    const fetch = async (_url: string, { body }: { body?: string }) => {
      const isLimited = time.now - begunAt < 1_500
      await new Promise<void>((resolve) => time.later(20, resolve))
      const headers = { get: (name: string) => (name === 'retry-after' ? '1' : null) }
      const snapshots = JSON.parse(body ?? '{"subscriber_ids":[]}').subscriber_ids.map((id: string) => ({
        subscriber_id: id,
        plan: null,
        entitlements: [{ feature: 'sso', kind: 'flag', allowed: true, source: 'plan', expires_at: null }],
        valid_until: null,
      }))
      const refusal = { error: { code: 'RATE_LIMITED', message: 'Too many.' } }
      const answer = isLimited ? refusal : { snapshots, unknown: [], left: [] }
      return { status: isLimited ? 429 : 200, headers, body: null, text: async () => JSON.stringify(answer) }
    }
    const environment = { fetch, later: time.later, now: () => time.now, random: Math.random }
    const options = {
      ...cacheForAMinute,
      baseUrl: 'http://service',
      apiKey: 'ent_key',
      timeoutMs: 2_000,
      logger: silent,
    }
    const entitlements = new Entitlements(options, environment)
    const check = (id: string) => entitlements.checkDetail(id, 'sso')

    const first = check('first')
    await passUntil(50)
    // The rate limit refuses this check twice, so that 8 ms are left when the third request is sent.
    const late = check('late')
    await passUntil(1_900)
    const young = check('young')
    await passUntil(4_000)

    expect(await first).toMatchObject({ problem: 'rate_limited' })
    expect(await late).toMatchObject({ problem: 'rate_limited' })
    expect(await young).toMatchObject({ allowed: true, from: 'network' })
  })

  it('of a proxy that asks for a wait of an hour makes the client wait only a minute', async () => {
    const time = new VirtualTime()
    let requestCount = 0
    const headers = { get: (name: string) => (name === 'retry-after' ? '3600' : null) }
    const fetch = async () => {
      requestCount += 1
      return { status: 503, headers, body: null, text: async () => '' }
    }
    const environment = { fetch, later: time.later, now: () => time.now, random: () => 0.999 }
    const entitlements = new Entitlements(
      { ...cacheForAMinute, baseUrl: 'http://service', apiKey: 'ent_key' },
      environment,
    )
    const first = entitlements.check('acme', 'sso')
    await time.pass(100)
    await first

    await time.pass(59_000)
    await entitlements.check('acme', 'sso')
    const withinTheMinute = requestCount
    await time.pass(2_000)
    await entitlements.check('acme', 'sso')
    await time.pass(100)

    expect([withinTheMinute, requestCount]).toEqual([1, 2])
  })

  it('of one subscriber does not affect the others', async () => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push({ status: 422, body: '{"error":{"code":"VALIDATION_ERROR","message":"no"}}' })
    const { entitlements } = startClient({ ...cacheForAMinute, ...access, baseUrl: proxy.url })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ problem: 'unavailable' })
    expect(await entitlements.check('acme', 'sso')).toBe(true)
  })

  it('that affects all subscribers lets calls answer at once, while one request checks whether the fault is over', async () => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push({ status: 401, body: '{"error":{"code":"UNAUTHORIZED","message":"no"}}' }, 'hang')
    const { entitlements, snapshotRequests, sleep } = startClient({
      ...cacheForAMinute,
      ...access,
      baseUrl: proxy.url,
      timeoutMs: 30_000,
    })
    await entitlements.check('acme', 'sso')

    sleep(200)
    const others = Array.from({ length: 50 }, (_, n) => entitlements.checkDetail(`other-${n}`, 'sso'))
    for (const detail of await Promise.all(others)) expect(detail.problem).toBe('unavailable')
    await until(() => snapshotRequests.length === 2)

    // Other callers do not wait for that request.
    expect(await entitlements.refresh('acme')).toMatchObject({ plan: 'pro' })
    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ allowed: true, from: 'cache' })
  })
})
