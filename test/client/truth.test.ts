import { describe, expect, it } from 'vitest'
import { startClient, startVendor } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()

describe('an id that is a number', () => {
  it('is the same subscriber as its text, and stays fresh', async () => {
    const { admin, access } = await startVendor(service)
    await vendor(admin).subscriber('42')
    await vendor(admin).subscribe('42', 'pro')
    const { entitlements } = startClient(access)
    await entitlements.waitUntilReady()

    expect(await entitlements.check(42, 'sso')).toBe(true)
    expect(await entitlements.limit(42n, 'seats')).toBe(5)
    expect(await entitlements.value(42, 'color')).toBe('red')
    expect(await entitlements.snapshot(42)).toMatchObject({ subscriber_id: '42' })
    expect(await entitlements.refresh(42)).toMatchObject({ subscriber_id: '42' })
    expect(entitlements.peek(42, 'seats')).toMatchObject({ limit: 5, from: 'cache' })
    await vendor(admin).override('42', 'seats', { kind: 'limit', limit: 9 })
    await until(async () => (await entitlements.limit(42, 'seats')) === 9)
  })

  it.each([1.5, Number.NaN, 2 ** 60, null, undefined, {}, ['a']])('%j is none, and is a TypeError', async (id) => {
    const { entitlements } = startClient({ offline: true, defaults: { sso: true } })
    const wrong = id as string

    const calls = [
      () => entitlements.check(wrong, 'sso'),
      () => entitlements.limit(wrong, 'seats'),
      () => entitlements.value(wrong, 'color'),
      () => entitlements.checkDetail(wrong, 'sso'),
      () => entitlements.snapshot(wrong),
      () => entitlements.refresh(wrong),
      async () => entitlements.peek(wrong, 'sso'),
    ]

    for (const call of calls) await expect(call()).rejects.toThrow(/^subscriberId must be/)
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(TypeError)
  })
})

describe('a store', () => {
  it.each([
    ['no JSON', '{'],
    ['something else', '{"entitlements":5}'],
    [
      'an entitlement without a feature',
      '{"subscriber_id":"acme","plan":null,"entitlements":[{"allowed":true}],"valid_until":null}',
    ],
    [
      'a wrong kind',
      '{"subscriber_id":"acme","plan":null,"entitlements":[{"feature":"sso","kind":"x","allowed":true,"source":"plan","expires_at":null}],"valid_until":null}',
    ],
    [
      'another subscriber',
      '{"subscriber_id":"globex","plan":null,"entitlements":[{"feature":"sso","kind":"flag","allowed":true,"source":"plan","expires_at":null}],"valid_until":null}',
    ],
  ])('that returns %s is not believed', async (_what, text) => {
    const store = { get: () => text, set: () => {}, delete: () => {} }
    const { entitlements } = startClient({ offline: true, store })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ allowed: false, problem: 'unavailable' })
  })
})

describe('an answer that a change outdates while it is under way', () => {
  it('is better than the one before, and is known once the service is away', async () => {
    const { admin, access } = await startVendor(service)
    let isAway = false
    let isHeld = false
    let release: () => void = () => {}
    const slow = async (url: string, init: RequestInit) => {
      if (isAway) throw new TypeError('fetch failed')
      const answer = await fetch(url, init)
      if (isHeld && url.endsWith('/entitlements')) {
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
      return answer
    }
    const { entitlements } = startClient({ ...access, timeoutMs: 20_000 }, slow as never)
    await entitlements.waitUntilReady()
    expect(await entitlements.limit('acme', 'seats')).toBe(5)
    const changed: string[] = []
    entitlements.on('changed', ({ subscriber }) => changed.push(subscriber))
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9 })
    await until(() => changed.length === 1)

    isHeld = true
    const asked = entitlements.limit('acme', 'seats')
    const free = release
    await until(() => release !== free)
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 10 })
    await until(() => changed.length === 2)
    isAway = true
    release()
    await asked

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 9, from: 'last-known' })
  })
})
