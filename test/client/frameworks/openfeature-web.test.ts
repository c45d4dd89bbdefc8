import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { type Client, OpenFeature, ProviderEvents } from '@openfeature/web-sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { EntitlementsWebProvider } from '../../../src/client/frameworks/openfeature-web.ts'
import { createEntitlements } from '../../../src/client/index.ts'
import { newId } from '../../../src/core/ids.ts'
import { createToken } from '../../subscriber-tokens/token-subject.ts'
import { atEnd } from '../../support/at-end.ts'
import { patient, startClient } from '../../support/client.ts'
import { startProxy } from '../../support/proxy.ts'
import { type Caller, sharedService } from '../../support/service.ts'
import { vendor } from '../../support/vendor.ts'
import { createSampleVendor, flagKeys } from './sample-vendor.ts'

const service = await sharedService()
const port = Number(new URL(service.url).port)
afterAll(() => OpenFeature.close())

type Provider = Parameters<typeof OpenFeature.setProviderAndWait>[1]

function providerOf(
  caller: Caller,
  { baseUrl = service.url, timeoutMs = patient.timeoutMs, tokensFor = [] as string[] } = {},
) {
  return new EntitlementsWebProvider({
    baseUrl,
    timeoutMs,
    token(subscriber) {
      tokensFor.push(subscriber)
      return createToken(caller, subscriber)
    },
  })
}

async function registerProvider(provider: Provider, subscriber?: string) {
  const domain = newId()
  const client = OpenFeature.getClient(domain)
  const reportedEvents: unknown[] = []
  for (const event of [ProviderEvents.Ready, ProviderEvents.Stale, ProviderEvents.Error] as const) {
    client.addHandler(event, () => void reportedEvents.push(event))
  }
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
    reportedEvents.push((details as { flagsChanged?: string[] }).flagsChanged)
  })
  await OpenFeature.setProviderAndWait(domain, provider, {
    ...(subscriber !== undefined && { targetingKey: subscriber }),
  })
  return { domain, client, reportedEvents }
}

const detailsOf = (client: Client) => [
  client.getBooleanDetails('sso', false),
  client.getNumberDetails('seats', 1),
  client.getNumberDetails('storage', 1),
  client.getStringDetails('color', 'none'),
  client.getNumberDetails('ratio', 1),
  client.getBooleanDetails('beta', false),
  client.getObjectDetails('theme', {}),
]

describe("the provider for OpenFeature's web SDK", () => {
  it('answers as OFREP does: value, reason, variant and metadata of every kind', async () => {
    const caller = await createSampleVendor(service)
    const { client } = await registerProvider(providerOf(caller), 'acme')
    const headers: [string, string][] = [['X-API-Key', caller.key]]
    const ofrep = new OFREPWebProvider({ baseUrl: service.url, headers, pollInterval: 0, cacheMode: 'disabled' })

    const expected = detailsOf((await registerProvider(ofrep, 'acme')).client)

    // The cached answer is stale for a moment after a change arrives.
    await expect.poll(() => detailsOf(client)).toEqual(expected)
    expect(expected.map(({ flagKey }) => flagKey)).toEqual(flagKeys)
  })

  it('reports OFREP errors at once', async () => {
    const { client } = await registerProvider(providerOf(await createSampleVendor(service)), 'acme')

    const unknown = { value: true, reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' }
    expect(client.getBooleanDetails('nope', true)).toMatchObject(unknown)
    expect(client.getBooleanDetails('seats', true)).toMatchObject({ value: true, errorCode: 'TYPE_MISMATCH' })
  })

  it("answers with the client's defaults if the service has no value or does not answer", async () => {
    const caller = await createSampleVendor(service)
    const token = await createToken(caller, 'acme')
    const provider = new EntitlementsWebProvider({
      baseUrl: service.url,
      token,
      ...patient,
      defaults: { upcoming: true },
    })
    const { client } = await registerProvider(provider, 'acme')
    expect(client.getBooleanDetails('upcoming', false)).toMatchObject({ value: true, reason: 'DEFAULT' })

    const away = new EntitlementsWebProvider({ offline: true, defaults: { upcoming: true } })
    await away.initialize({ targetingKey: 'acme' }).catch(() => {})
    atEnd(() => away.onClose())
    expect(away.resolveBooleanEvaluation('upcoming', false, { targetingKey: 'acme' })).toMatchObject({ value: true })
  })

  it('reports changes, with the features that changed, once it has the new values', async () => {
    const caller = await createSampleVendor(service)
    const { client, reportedEvents } = await registerProvider(providerOf(caller), 'acme')
    const seen: number[] = []
    client.addHandler(ProviderEvents.ConfigurationChanged, () => void seen.push(client.getNumberValue('seats', 0)))

    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 60 })

    await expect.poll(() => reportedEvents).toEqual([ProviderEvents.Ready, ['seats']])
    expect(seen).toEqual([60])
  })

  it('evaluates the feature that `keys` names for a flag, and reports its changes under both names', async () => {
    const caller = await createSampleVendor(service)
    const token = (subscriber: string) => createToken(caller, subscriber)
    const keys = { 'alternate.page': 'sso', 'seats.max': 'seats' }
    const { client, reportedEvents } = await registerProvider(
      new EntitlementsWebProvider({ baseUrl: service.url, token, ...patient, keys }),
      'acme',
    )

    expect(client.getBooleanDetails('alternate.page', false)).toMatchObject({ value: true, variant: 'plan' })
    expect(client.getNumberValue('seats.max', 0)).toBe(50)
    expect(client.getNumberValue('seats', 0)).toBe(50)
    expect(client.getBooleanDetails('other.page', true)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })

    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 60 })

    await expect.poll(() => reportedEvents).toEqual([ProviderEvents.Ready, ['seats', 'seats.max']])
    expect(client.getNumberValue('seats.max', 0)).toBe(60)
  })

  it('answers right after its start, whether or not the stream of changes begins meanwhile', async () => {
    const caller = await createSampleVendor(service)

    for (let time = 0; time < 10; time += 1) {
      // A key has a higher rate limit than a token.
      const entitlements = createEntitlements({ baseUrl: service.url, apiKey: caller.key, ...patient })
      const { client } = await registerProvider(new EntitlementsWebProvider(entitlements), 'acme')
      expect(client.getNumberDetails('seats', 0)).toMatchObject({ value: 50, variant: 'override' })
      await entitlements.close()
    }
  })

  it('answers for another subscriber once the context has changed, with a separate token', async () => {
    const tokensFor: string[] = []
    const { client, domain } = await registerProvider(
      providerOf(await createSampleVendor(service), { tokensFor }),
      'acme',
    )

    await OpenFeature.setContext(domain, { targetingKey: 'bare' })

    expect(client.getBooleanDetails('sso', true)).toMatchObject({ value: false })
    expect(client.getStringDetails('color', 'none')).toMatchObject({ value: 'none', variant: 'none' })
    expect(tokensFor).toEqual(['acme', 'bare'])
  })

  it('gives defaults until the context names a subscriber, and then answers for that subscriber', async () => {
    const { client, domain } = await registerProvider(providerOf(await createSampleVendor(service)))
    expect(client.getBooleanDetails('sso', false)).toMatchObject({ value: false, errorCode: 'TARGETING_KEY_MISSING' })

    await OpenFeature.setContext(domain, { targetingKey: 'acme' })

    expect(client.getBooleanValue('sso', false)).toBe(true)
  })

  it('gives defaults again once the context names nobody, such as after a sign-out', async () => {
    const caller = await createSampleVendor(service)
    const { domain, client, reportedEvents } = await registerProvider(providerOf(caller), 'acme')
    expect(client.getBooleanValue('sso', false)).toBe(true)

    await OpenFeature.setContext(domain, { targetingKey: null as never })

    expect(client.getBooleanDetails('sso', false)).toMatchObject({ value: false, errorCode: 'TARGETING_KEY_MISSING' })
    expect(reportedEvents).not.toContain(ProviderEvents.Error)
  })

  it('is not ready for an unknown subscriber', async () => {
    const caller = await createSampleVendor(service)
    const token = await createToken(caller, 'acme')
    const provider = new EntitlementsWebProvider({ baseUrl: service.url, token, ...patient })

    await expect(registerProvider(provider, 'nobody')).rejects.toThrow('There is no subscriber')
  })

  it('reports when the service becomes unavailable and available again, and uses cached answers until then', async () => {
    const caller = await createSampleVendor(service)
    const proxy = await startProxy(port)
    atEnd(() => proxy.close())
    const provider = providerOf(caller, { baseUrl: `http://127.0.0.1:${proxy.port}`, timeoutMs: 2_000 })
    const { client, reportedEvents } = await registerProvider(provider, 'acme')

    proxy.routeTo(null)
    await expect.poll(() => reportedEvents.slice(1)).not.toEqual([])
    expect(client.getBooleanValue('sso', false)).toBe(true)
    proxy.routeTo(port)

    await expect.poll(() => reportedEvents.at(-1)).toBe(ProviderEvents.Ready)
    expect(client.getBooleanValue('sso', false)).toBe(true)
  })

  it("ends an override by the service's clock, whatever the browser's clock says", async () => {
    const caller = await createSampleVendor(service)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true, expires_at })
    const { entitlements, sleep } = startClient({ baseUrl: service.url, apiKey: caller.key })
    const { client } = await registerProvider(new EntitlementsWebProvider(entitlements), 'acme')
    expect(client.getBooleanDetails('sso', false)).toMatchObject({ value: true, variant: 'override' })

    sleep(7_200_000)

    expect(client.getBooleanDetails('sso', false)).toMatchObject({ value: false, reason: 'ERROR' })
  })

  it('does not close a client that the caller passed in, such as one that has the snapshot of a page', async () => {
    const caller = await createSampleVendor(service)
    const bootstrap = await vendor(caller).get('/org/subscribers/acme/entitlements')
    const entitlements = createEntitlements({ offline: true, bootstrap })
    const provider = new EntitlementsWebProvider(entitlements)
    const { client } = await registerProvider(provider, 'acme')
    expect(client.getNumberValue('seats', 0)).toBe(50)

    await provider.onClose()

    expect(client.getNumberDetails('seats', 0)).toMatchObject({ value: 0, reason: 'ERROR' })
    expect(entitlements.peek('acme', 'seats')).toMatchObject({ limit: 50 })
  })
})
