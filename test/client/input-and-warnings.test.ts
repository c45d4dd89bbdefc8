import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startClient, startVendor } from '../support/client.ts'
import { nextMillisecond } from '../support/next-millisecond.ts'
import { sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

describe('an id that is a number', () => {
  it('names the same subscriber as the string of its digits, and its answers stay fresh', async () => {
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

  it.each([1.5, Number.NaN, 2 ** 60, null, undefined, {}, ['a']])(
    '%j is not an id, and throws a TypeError',
    async (id) => {
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
    },
  )
})

describe('a warning', () => {
  const collectWarnings = () => {
    const messages: string[] = []
    const logger = { debug() {}, info() {}, warn: (message: string) => void messages.push(message), error() {} }
    return { messages, logger }
  }

  it.each([
    ['a misspelled feature', 'The catalog has no feature "ssso".', { check: 'ssso' }],
    ['the limit of a flag', 'The feature "sso" is a flag: use check() instead.', { limit: 'sso' }],
    ['the value of a limit', 'The feature "seats" is a limit: use limit() instead.', { value: 'seats' }],
  ] as const)('reports %s once', async (_what, message, call) => {
    const { messages, logger } = collectWarnings()
    const { entitlements } = startClient({ ...(await startVendor(service)).access, logger })
    const [[method, feature]] = Object.entries(call) as [['check' | 'limit' | 'value', string]]

    for (let n = 0; n < 3; n += 1) await entitlements[method]('acme', feature)

    expect(messages).toEqual([message])
  })

  it('names an option that does not exist', () => {
    const { messages, logger } = collectWarnings()

    startClient({ offline: true, logger, timeoutMS: 5 } as object)

    expect(messages).toEqual(['There is no option "timeoutMS".'])
  })

  it('explains to the console why a webhook was refused', async () => {
    const spy = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => spy.mockRestore())
    const { entitlements } = startClient({ offline: true, logger: undefined })

    expect((await entitlements.handleWebhook('{}', {})).status).toBe(401)

    expect(spy.mock.calls).toEqual([['Entitlements: A webhook was refused. The request has no signature.']])
  })

  it('goes to the console if no logger is set, at most once a minute', async () => {
    const spy = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => spy.mockRestore())
    const { baseUrl } = (await startVendor(service)).access
    const { entitlements, sleep } = startClient({
      baseUrl,
      apiKey: 'ent_revoked',
      freshness: { seconds: 0 },
      logger: undefined,
    })
    const keyWarnings = () => spy.mock.calls.filter(([message]) => /key/i.test(String(message)))

    for (let n = 0; n < 3; n += 1) await entitlements.check('acme', 'sso')
    expect(keyWarnings()).toHaveLength(1)
    sleep(61_000)
    await until(async () => {
      await entitlements.check('acme', 'sso')
      return keyWarnings().length === 2
    })
  })
})

describe('a store', () => {
  it.each([
    ['text that is not JSON', '{'],
    ['JSON of another shape', '{"entitlements":5}'],
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
  ])('that returns %s is ignored', async (_what, text) => {
    const store = { get: () => text, set: () => {}, delete: () => {} }
    const { entitlements } = startClient({ offline: true, store })

    expect(await entitlements.checkDetail('acme', 'sso')).toMatchObject({ allowed: false, problem: 'unavailable' })
  })
})

describe('a time-out', () => {
  it('is given in whole milliseconds', async () => {
    const { access } = await startVendor(service)
    const hang = () => new Promise<never>(() => {})
    const { entitlements } = startClient({ ...access, timeoutMs: 50.123456, freshness: { seconds: 60 } }, hang)

    await expect(entitlements.snapshot('acme')).rejects.toThrow(/did not answer within \d+ ms\.$/)
  })
})

describe('an answer outdated by a change during its request', () => {
  it('replaces the previous answer, and is used while the service is unavailable', async () => {
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
    const answer = entitlements.limit('acme', 'seats')
    const free = release
    await until(() => release !== free)
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 10 })
    await until(() => changed.length === 2)
    isAway = true
    release()
    await answer

    expect(await entitlements.checkDetail('acme', 'seats')).toMatchObject({ limit: 9, from: 'last-known' })
  })
})

describe("the newer of two answers, by the service's time,", () => {
  it('is kept even if it answers the repetition of the earlier request', async () => {
    const { admin, access } = await startVendor(service)
    let isAway = false
    let fail: (() => void) | undefined
    const flaky = async (url: string, init: RequestInit) => {
      if (isAway) throw new TypeError('fetch failed')
      if (url.endsWith('/entitlements') && !fail) {
        await new Promise<void>((resolve) => {
          fail = resolve
        })
        throw new TypeError('fetch failed')
      }
      return fetch(url, init)
    }
    const { entitlements } = startClient({ ...access, freshness: { seconds: 600 }, timeoutMs: 20_000 }, flaky as never)
    const first = entitlements.limit('acme', 'seats')
    await until(() => fail !== undefined)
    await entitlements.refresh('acme')
    expect(entitlements.peek('acme', 'seats')).toMatchObject({ limit: 5 })
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9 })

    fail?.()

    expect(await first).toBe(9)
    isAway = true
    expect(entitlements.peek('acme', 'seats')).toMatchObject({ limit: 9, from: 'last-known' })
  })

  it('is kept in a shared store even if another process gets the older one later', async () => {
    const { admin, access } = await startVendor(service)
    const texts = new Map<string, string>()
    const store = {
      get: (key: string) => texts.get(key),
      set: (key: string, text: string) => void texts.set(key, text),
      delete: (key: string) => void texts.delete(key),
    }
    const options = { ...access, store, freshness: { seconds: 600 }, timeoutMs: 20_000 }
    let release: (() => void) | undefined
    const slow = async (url: string, init: RequestInit) => {
      const answer = await fetch(url, init)
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return answer
    }
    const { entitlements: late } = startClient(options, slow as never)
    const { entitlements: early } = startClient(options)
    const answer = late.limit('acme', 'seats')
    await until(() => release !== undefined)
    await nextMillisecond()
    await vendor(admin).override('acme', 'seats', { kind: 'limit', limit: 9 })
    expect(await early.limit('acme', 'seats')).toBe(9)
    await until(() => texts.size === 1)

    release?.()

    expect(await answer).toBe(5)
    // Once this later write is stored, the write of the older answer would have been stored too.
    await vendor(admin).subscriber('later')
    const later = late.snapshot('later')
    const before = release
    await until(() => release !== before)
    release?.()
    await later
    await until(() => texts.size === 2)
    const { entitlements: restarted } = startClient({ ...options, offline: true })
    expect(await restarted.limit('acme', 'seats')).toBe(9)
  })
})
