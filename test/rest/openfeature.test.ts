import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as ServerFeature } from '@openfeature/server-sdk'
import { ClientProviderEvents, OpenFeature as WebFeature } from '@openfeature/web-sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { createSampleVendor, expiry } from '../support/sample-vendor.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { colors, vendor } from '../support/vendor.ts'

/* OpenFeature's own packages, as a vendor installs them. Each test has a domain of its own in their registries. */

const service = await sharedService()
afterAll(async () => {
  await Promise.all([ServerFeature.close(), WebFeature.close()])
})

/** Creates a vendor that also has an enum which nothing grants. */
async function createFurnishedVendor(): Promise<Caller> {
  const caller = await createSampleVendor(service)
  await vendor(caller).feature('accent', colors)
  return caller
}

describe("OpenFeature's server SDK", () => {
  /** A client whose requests are counted and sent to the service. */
  async function clientOf({ key }: Pick<Caller, 'key'>, subscriber?: string) {
    const domain = newId()
    const counted = { requests: 0 }
    const provider = new OFREPProvider({
      baseUrl: service.url,
      headers: [['X-API-Key', key]],
      fetchImplementation: (...request) => {
        counted.requests += 1
        return fetch(...request)
      },
    })
    await ServerFeature.setProviderAndWait(domain, provider)
    const client = ServerFeature.getClient(domain)
    if (subscriber !== undefined) client.setContext({ targetingKey: subscriber, region: 'eu' })
    return { client, counted }
  }

  it('reads flags, limits and configs of every type, with reason, variant and metadata', async () => {
    const { client } = await clientOf(await createFurnishedVendor(), 'acme')

    expect(await client.getBooleanDetails('sso', false)).toEqual({
      flagKey: 'sso',
      value: true,
      reason: 'STATIC',
      variant: 'plan',
      flagMetadata: { kind: 'flag', allowed: true, source: 'plan', unlimited: false },
    })
    expect(await client.getNumberDetails('seats', 1)).toMatchObject({
      value: 50,
      reason: 'TARGETING_MATCH',
      variant: 'override',
      flagMetadata: { kind: 'limit', allowed: true, unlimited: false, expires_at: expiry },
    })
    const storage = await client.getNumberDetails('storage', 1)
    expect([storage.value, storage.flagMetadata.unlimited]).toEqual([Number.MAX_SAFE_INTEGER, true])
    expect(await client.getStringValue('color', 'none')).toBe('red')
    expect(await client.getNumberValue('ratio', 1)).toBe(0.25)
    expect(await client.getBooleanValue('beta', false)).toBe(true)
    expect(await client.getObjectValue('theme', {})).toEqual({ dark: true })
  })

  it('reads an ungranted flag as false, a limit as 0, and a config as the default of the product', async () => {
    const { client } = await clientOf(await createFurnishedVendor(), 'bare')

    expect(await client.getBooleanDetails('sso', true)).toMatchObject({ value: false, reason: 'DISABLED' })
    expect(await client.getNumberDetails('seats', 3)).toMatchObject({ value: 0, reason: 'DISABLED', variant: 'none' })
    expect(await client.getStringValue('color', 'blue')).toBe('blue')
    expect(await client.getObjectValue('theme', { dark: false })).toEqual({ dark: false })
  })

  it.each([
    ['an unknown feature', 'nope', 'acme', 'FLAG_NOT_FOUND'],
    ['an unknown subscriber', 'sso', 'nobody', 'INVALID_CONTEXT'],
    ['no targeting key', 'sso', undefined, 'TARGETING_KEY_MISSING'],
    ['another type than the requested one', 'seats', 'acme', 'TYPE_MISMATCH'],
  ])('returns the default and the error code for %s', async (_what, key, subscriber, errorCode) => {
    const { client } = await clientOf(await createFurnishedVendor(), subscriber)

    expect(await client.getBooleanDetails(key, true)).toMatchObject({ value: true, reason: 'ERROR', errorCode })
  })

  it('returns the default with a wrong key', async () => {
    const { client } = await clientOf({ key: 'nonsense' }, 'acme')

    expect(await client.getBooleanDetails('sso', true)).toMatchObject({ value: true, reason: 'ERROR' })
  })

  it('keeps sending requests when the allotment is used up, but pauses for Retry-After above the rate limit', async () => {
    const caller = await createFurnishedVendor()
    const { client, counted } = await clientOf(caller, 'acme')
    const limit = (data: { rateLimit?: number; allotment?: bigint }) =>
      service.database.prisma.evalCounter.update({ where: { organizationId: caller.organizationId }, data })
    const ask = () => client.getBooleanDetails('sso', false)

    await limit({ allotment: 0n })
    for (let time = 0; time < 2; time++)
      expect(await ask()).toMatchObject({ errorCode: 'GENERAL', errorMessage: expect.stringContaining('allotment') })
    expect(counted.requests).toBe(2)
    await limit({ allotment: -1n, rateLimit: 0 })
    expect(await ask()).toMatchObject({ errorMessage: expect.stringContaining('rate limit exceeded, try again after') })
    await limit({ rateLimit: 1_000_000 })
    await until(async () => (await ask()).value)
  })
})

describe("OpenFeature's web SDK", () => {
  /** A client, with the statuses of all answers that it has got so far. */
  async function clientOf(caller: Caller, subscriber: string, pollInterval: number) {
    const domain = newId()
    const statuses: number[] = []
    const provider = new OFREPWebProvider({
      baseUrl: service.url,
      headers: [['Authorization', `Bearer ${caller.key}`]],
      pollInterval,
      cacheMode: 'disabled',
      fetchImplementation: async (...request) => {
        const response = await fetch(...request)
        statuses.push(response.status)
        return response
      },
    })
    await WebFeature.setProviderAndWait(domain, provider, { targetingKey: subscriber })
    return { domain, statuses, client: WebFeature.getClient(domain) }
  }

  it('reads all flags in one request, with reasons, variants and metadata', async () => {
    const caller = await createFurnishedVendor()
    const { client, statuses } = await clientOf(caller, 'acme', 0)

    expect(client.getBooleanDetails('sso', false)).toMatchObject({ value: true, reason: 'STATIC', variant: 'plan' })
    expect(client.getNumberDetails('seats', 1)).toMatchObject({
      value: 50,
      reason: 'TARGETING_MATCH',
      flagMetadata: { kind: 'limit', allowed: true, source: 'override', unlimited: false, expires_at: expiry },
    })
    expect(client.getNumberValue('storage', 1)).toBe(Number.MAX_SAFE_INTEGER)
    expect(client.getStringValue('color', 'none')).toBe('red')
    expect(client.getNumberValue('ratio', 1)).toBe(0.25)
    expect(client.getObjectValue('theme', {})).toEqual({ dark: true })
    expect(client.getBooleanDetails('nope', true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' })
    expect(statuses).toEqual([200])
  })

  it('returns the default that the product passes, without an error, for a config that nothing grants', async () => {
    const { client } = await clientOf(await createFurnishedVendor(), 'acme', 0)

    const details = client.getStringDetails('accent', 'green')

    expect(details).toMatchObject({ value: 'green', reason: 'DISABLED', variant: 'none' })
    expect(details.errorCode).toBeUndefined()
  })

  it('requests the flags of another subscriber when the context changes', async () => {
    const { domain, client } = await clientOf(await createFurnishedVendor(), 'acme', 0)

    await WebFeature.setContext(domain, { targetingKey: 'bare' })

    expect(client.getBooleanDetails('sso', true)).toMatchObject({ value: false, reason: 'DISABLED' })
  })

  it('is not ready for an unknown subscriber', async () => {
    const caller = await createFurnishedVendor()

    await expect(clientOf(caller, 'nobody', 0)).rejects.toThrow()
  })

  it('polls with the tag, gets 304 while nothing changes, and receives changes', async () => {
    const caller = await createFurnishedVendor()
    const { client, statuses } = await clientOf(caller, 'acme', 20)
    const changed: string[] = []
    client.addHandler(ClientProviderEvents.ConfigurationChanged, (event) => {
      changed.push(...((event as { flagsChanged?: string[] })?.flagsChanged ?? []))
    })

    await until(() => statuses.length > 2)
    expect(statuses.slice(0, 3)).toEqual([200, 304, 304])
    await vendor(caller).override('acme', 'color', { kind: 'config', value: 'blue' })
    await until(() => client.getStringValue('color', 'none') === 'blue')

    expect(changed).toEqual(['color'])
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(client.getStringDetails('color', 'none')).toMatchObject({ reason: 'TARGETING_MATCH', variant: 'override' })
  })
})
