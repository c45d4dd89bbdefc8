import { OFREPProvider } from '@openfeature/ofrep-provider'
import { type Client, OpenFeature, ProviderEvents } from '@openfeature/server-sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { EntitlementsProvider, type ProviderOptions } from '../../../src/client/frameworks/openfeature.ts'
import { createEntitlements } from '../../../src/client/index.ts'
import { newId } from '../../../src/core/ids.ts'
import { atEnd } from '../../support/at-end.ts'
import { patient } from '../../support/client.ts'
import { startProxy } from '../../support/proxy.ts'
import { type Caller, sharedService } from '../../support/service.ts'
import { vendor } from '../../support/vendor.ts'
import { createSampleVendor, flagKeys } from './sample-vendor.ts'

const service = await sharedService()
const port = Number(new URL(service.url).port)
afterAll(() => OpenFeature.close())

const seats = (limit: number | null) => ({ kind: 'limit', limit })

/** A client of OpenFeature for `acme`, and the events of its provider. */
async function start(caller: Pick<Caller, 'key'>, options: Partial<ProviderOptions> = {}) {
  const provider = new EntitlementsProvider({ baseUrl: service.url, apiKey: caller.key, ...patient, ...options })
  return { provider, ...(await registerProvider(provider)) }
}

async function registerProvider(provider: Parameters<typeof OpenFeature.setProviderAndWait>[1], subscriber = 'acme') {
  const domain = newId()
  const client = OpenFeature.getClient(domain)
  client.setContext({ targetingKey: subscriber })
  const reportedEvents: unknown[] = []
  for (const event of [ProviderEvents.Ready, ProviderEvents.Stale, ProviderEvents.Error] as const) {
    client.addHandler(event, () => void reportedEvents.push(event))
  }
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void reportedEvents.push(details?.flagsChanged))
  await OpenFeature.setProviderAndWait(domain, provider)
  return { client, reportedEvents }
}

/** The answers of both providers for each flag, requested by its type. */
const detailsOf = (client: Client) =>
  Promise.all([
    client.getBooleanDetails('sso', false),
    client.getNumberDetails('seats', 1),
    client.getNumberDetails('storage', 1),
    client.getStringDetails('color', 'none'),
    client.getNumberDetails('ratio', 1),
    client.getBooleanDetails('beta', false),
    client.getObjectDetails('theme', {}),
  ])

describe("the provider for OpenFeature's server SDK", () => {
  it('answers as OFREP does: value, reason, variant and metadata of every kind', async () => {
    const caller = await createSampleVendor(service)
    const { client } = await start(caller)
    const ofrep = await registerProvider(
      new OFREPProvider({ baseUrl: service.url, headers: [['X-API-Key', caller.key]] }),
    )

    const details = await detailsOf(client)

    expect(details.map(({ flagKey }) => flagKey)).toEqual(flagKeys)
    expect(details).toEqual(await detailsOf(ofrep.client))
    expect(details.map(({ reason }) => reason)).toContain('TARGETING_MATCH')
    expect(details[2]).toMatchObject({ value: Number.MAX_SAFE_INTEGER, flagMetadata: { unlimited: true } })
  })

  it('answers for a feature that nothing grants: false, 0, and the default of the call for a config', async () => {
    const caller = await createSampleVendor(service)
    const { client } = await start(caller)
    const bare = { targetingKey: 'bare' }

    expect(await client.getBooleanDetails('sso', true, bare)).toMatchObject({ value: false, reason: 'DISABLED' })
    expect(await client.getNumberDetails('seats', 3, bare)).toMatchObject({ value: 0, reason: 'DISABLED' })
    const config = await client.getStringDetails('color', 'blue', bare)
    expect(config).toMatchObject({ value: 'blue', reason: 'DISABLED', variant: 'none' })
    expect(config.errorCode).toBeUndefined()
  })

  it.each([
    ['an unknown feature', 'nope', 'acme', 'FLAG_NOT_FOUND'],
    ['an unknown subscriber', 'sso', 'nobody', 'INVALID_CONTEXT'],
    ['no targeting key', 'sso', '', 'TARGETING_KEY_MISSING'],
    ['another type than the requested one', 'seats', 'acme', 'TYPE_MISMATCH'],
  ])('gives the default and the error code of OFREP for %s', async (_what, key, targetingKey, errorCode) => {
    const { client } = await start(await createSampleVendor(service))

    const details = await client.getBooleanDetails(key, true, { targetingKey })

    expect(details).toMatchObject({ value: true, reason: 'ERROR', errorCode })
    expect(details.errorMessage).toBeTruthy()
  })

  it('reports changes, with the features that changed, and answers with the new values', async () => {
    const caller = await createSampleVendor(service)
    const { client, reportedEvents } = await start(caller)
    expect(await client.getNumberValue('seats', 0)).toBe(50)

    await vendor(caller).override('acme', 'seats', seats(60))

    await expect.poll(() => reportedEvents).toEqual([ProviderEvents.Ready, ['seats']])
    expect(await client.getNumberValue('seats', 0)).toBe(60)
  })

  it('evaluates the feature that `keys` names for a flag, and reports its changes under both names', async () => {
    const caller = await createSampleVendor(service)
    const keys = { 'alternate.page': 'sso', 'seats.max': 'seats', 'gone.page': 'nope' }
    const { client, reportedEvents } = await start(caller, { keys })

    expect(await client.getBooleanDetails('alternate.page', false)).toMatchObject({ value: true, variant: 'plan' })
    expect(await client.getNumberValue('seats.max', 0)).toBe(50)
    expect(await client.getNumberValue('seats', 0)).toBe(50)
    expect(await client.getBooleanDetails('gone.page', true)).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
    })
    expect(await client.getBooleanDetails('other.page', true)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
    expect(await client.getBooleanDetails('constructor', true)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })

    await vendor(caller).override('acme', 'seats', seats(60))

    await expect.poll(() => reportedEvents).toEqual([ProviderEvents.Ready, ['seats', 'seats.max']])
    expect(await client.getNumberValue('seats.max', 0)).toBe(60)
  })

  it('accepts `keys` together with a client', async () => {
    const caller = await createSampleVendor(service)
    const entitlements = createEntitlements({ baseUrl: service.url, apiKey: caller.key, ...patient })
    atEnd(() => entitlements.close())
    const { client } = await registerProvider(
      new EntitlementsProvider(entitlements, { keys: { 'alternate.page': 'sso' } }),
    )

    expect(await client.getBooleanValue('alternate.page', false)).toBe(true)
  })

  it('reports a change that concerns many subscribers once', async () => {
    const caller = await createSampleVendor(service)
    const { client, reportedEvents } = await start(caller)
    const setup = vendor(caller)
    for (const id of ['one', 'two', 'three']) {
      await setup.subscriber(id)
      await setup.subscribe(id, 'pro')
    }
    await expect.poll(() => reportedEvents.length).toBeGreaterThan(3)
    for (const id of ['acme', 'one', 'two', 'three']) {
      expect(await client.getBooleanValue('sso', false, { targetingKey: id })).toBe(true)
    }
    reportedEvents.splice(0)

    expect((await caller.rest('PATCH', '/org/plans/pro', { grants: { sso: { kind: 'flag' } } })).status).toBe(200)

    await expect.poll(() => reportedEvents).toEqual([undefined])
    expect(await client.getNumberDetails('ratio', 1)).toMatchObject({ value: 1, reason: 'DISABLED' })
  })

  it('reports when the service becomes unavailable and when it is available again, and uses the last known answers in between', async () => {
    const caller = await createSampleVendor(service)
    const proxy = await startProxy(port)
    atEnd(() => proxy.close())
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    const options = { baseUrl, freshness: { seconds: 0 }, timeoutMs: 2_000, defaults: { sso: true } }
    const { client, reportedEvents } = await start(caller, options)
    await client.getBooleanValue('sso', false)

    proxy.routeTo(null)
    expect(await client.getBooleanDetails('sso', false)).toMatchObject({ value: true, reason: 'STALE' })
    const never = { targetingKey: 'bare' }
    expect(await client.getBooleanDetails('sso', false, never)).toMatchObject({ value: true, reason: 'DEFAULT' })
    const unknown = await client.getNumberDetails('seats', 7, never)
    expect(unknown).toMatchObject({ value: 7, reason: 'ERROR', errorCode: 'GENERAL' })
    expect(reportedEvents).toEqual([ProviderEvents.Ready, ProviderEvents.Error])
    proxy.routeTo(port)

    await expect.poll(() => client.getBooleanDetails('sso', false)).toMatchObject({ reason: 'STATIC' })
    expect(reportedEvents).toEqual([ProviderEvents.Ready, ProviderEvents.Error, ProviderEvents.Ready])
  })

  it('is not ready with a wrong key', async () => {
    await expect(start({ key: 'nonsense' })).rejects.toThrow()
  })

  it('closes a client that it created, but not one that the caller passed in', async () => {
    const caller = await createSampleVendor(service)
    const entitlements = createEntitlements({ baseUrl: service.url, apiKey: caller.key, ...patient })
    atEnd(() => entitlements.close())
    const withClient = new EntitlementsProvider(entitlements)
    const own = new EntitlementsProvider({ baseUrl: service.url, apiKey: caller.key, ...patient })
    for (const provider of [withClient, own]) await provider.initialize()
    const context = { targetingKey: 'acme' }
    expect((await own.resolveBooleanEvaluation('sso', false, context)).value).toBe(true)

    for (const provider of [withClient, own]) await provider.onClose()

    expect(await own.resolveBooleanEvaluation('sso', false, context)).toMatchObject({ value: false, reason: 'ERROR' })
    expect(await entitlements.check('acme', 'sso')).toBe(true)
  })
})
