import { describe, expect, it } from 'vitest'
import type { EntitlementsOptions } from '../../src/client/index.ts'
import { startClient, startVendor } from '../support/client.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const old = { freshness: { seconds: 60 } } as const

/** A client whose service goes away after its first answer. */
async function abandoned(options: EntitlementsOptions) {
  const { admin, access } = await startVendor(service)
  const proxy = await startProxy(Number(new URL(service.url).port))
  const client = startClient({
    ...old,
    timeoutMs: 500,
    ...access,
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    ...options,
  })
  await client.entitlements.check('acme', 'sso')
  proxy.lead(null)
  client.sleep(60_001)
  return { ...client, admin, proxy }
}

describe('when the service is away', () => {
  it('the last known answer is given, and says so', async () => {
    const { entitlements } = await abandoned({})
    const heard: string[] = []
    entitlements.on('unavailable', ({ error }) => heard.push(error.code))

    const detail = await entitlements.checkDetail('acme', 'seats')

    expect(detail).toMatchObject({ allowed: true, limit: 5, from: 'last-known', problem: null })
    expect(detail.ageMs).toBeGreaterThan(60_000)
    expect(await entitlements.snapshot('acme')).toMatchObject({ plan: 'pro' })
    expect(heard).toEqual(['NO_ANSWER'])
  })

  it('an override that has ended meanwhile is no last known answer', async () => {
    const { admin, access } = await startVendor(service)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9, expires_at })
    const proxy = await startProxy(Number(new URL(service.url).port))
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    const { entitlements, sleep } = startClient({ ...old, ...access, timeoutMs: 500, baseUrl, defaults: { seats: 1 } })
    await entitlements.check('acme', 'sso')
    proxy.lead(null)

    sleep(60_001)
    expect(await entitlements.limit('acme', 'seats')).toBe(9)
    sleep(3_600_000)
    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 1, from: 'default' })
  })

  it.each([
    ['deny', false, 0],
    ['allow', true, Number.POSITIVE_INFINITY],
  ] as const)('the option %s decides instead, after the defaults', async (onUnavailable, allowed, limit) => {
    const { entitlements } = await abandoned({ onUnavailable, defaults: { color: 'blue' } })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({
      allowed,
      from: 'default',
      problem: 'unavailable',
    })
    expect(await entitlements.limit('acme', 'seats')).toBe(limit)
    expect(await entitlements.value('acme', 'color')).toBe('blue')
    await expect(entitlements.snapshot('acme')).rejects.toMatchObject({ code: 'NO_ANSWER' })
  })

  it('it is asked again once it is back', async () => {
    const { entitlements, proxy, admin } = await abandoned({})
    expect(await entitlements.check('acme', 'sso')).toBe(true)

    await vendor(admin).override('acme', 'sso', { kind: 'flag', allowed: false })
    proxy.lead(Number(new URL(service.url).port))

    await until(async () => (await entitlements.checkDetail('acme', 'sso')).from !== 'last-known')
    expect(await entitlements.check('acme', 'sso')).toBe(false)
  })

  it('a process that starts meanwhile answers from the store', async () => {
    const texts = new Map<string, string>()
    const store = {
      get: async (key: string) => texts.get(key),
      set: async (key: string, value: string) => void texts.set(key, value),
      delete: async (key: string) => void texts.delete(key),
    }
    const { access } = await startVendor(service)
    const earlier = startClient({ ...access, store }).entitlements
    await earlier.waitUntilReady()
    await earlier.check('acme', 'sso')
    await until(() => texts.size === 1)

    const closed = await startProxy(null)
    const baseUrl = `http://127.0.0.1:${closed.port}`
    const { entitlements } = startClient({ ...access, baseUrl, store, timeoutMs: 300 })

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 5, from: 'last-known' })
    expect(await entitlements.check('globex', 'sso')).toBe(false)
  })

  it('a store that fails or hangs costs no more than its answers', async () => {
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

describe('a fault', () => {
  it.each([
    ['a refused connection', 'refuse'],
    ['a lost answer', 'lose'],
    ['a 503', { status: 503, headers: { 'retry-after': '0' }, body: '{}' }],
    ['a 429', { status: 429, headers: { 'retry-after': '0' }, body: '{}' }],
    ['an answer of something else', { status: 502, body: '<html>' }],
  ] as const)('of one request, such as %s, is repeated within the time limit', async (_name, fault) => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push(fault)
    const { entitlements } = startClient({ ...old, ...access, baseUrl: proxy.url, timeoutMs: 30_000 })

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 5, from: 'network' })
    expect(proxy.requests.length).toBe(2)
  })

  it('that lasts ends with the time limit', async () => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push('hang')
    const { entitlements } = startClient({ ...old, ...access, baseUrl: proxy.url, timeoutMs: 300 })
    const errors: string[] = []
    entitlements.on('error', ({ error }) => errors.push(error.code))

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ allowed: false, problem: 'unavailable' })
    expect(errors).toEqual(['TIMED_OUT'])
  })

  it('of one subscriber does not concern the others', async () => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push({ status: 422, body: '{"error":{"code":"VALIDATION_ERROR","message":"no"}}' })
    const { entitlements } = startClient({ ...old, ...access, baseUrl: proxy.url })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ problem: 'unavailable' })
    expect(await entitlements.check('acme', 'sso')).toBe(true)
  })

  it('that others would meet as well lets them answer at once, and one request finds out when it is over', async () => {
    const { access } = await startVendor(service)
    const proxy = await startFaultyProxy(service.url)
    proxy.faults.push({ status: 401, body: '{"error":{"code":"UNAUTHORIZED","message":"no"}}' }, 'hang')
    const { entitlements, asked, sleep } = startClient({ ...old, ...access, baseUrl: proxy.url, timeoutMs: 30_000 })
    await entitlements.check('acme', 'sso')

    sleep(200)
    const others = Array.from({ length: 50 }, (_, n) => entitlements.checkDetail(`other-${n}`, 'sso'))
    for (const detail of await Promise.all(others)) expect(detail.problem).toBe('unavailable')
    expect(asked.length).toBe(2)

    // Whoever wants to know does not wait for that request.
    expect(await entitlements.refresh('acme')).toMatchObject({ plan: 'pro' })
    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ allowed: true, from: 'cache' })
  })
})
