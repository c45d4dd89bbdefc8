import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'

describe('the configuration of webhooks', () => {
  it("defaults to the contract's waits, time-out, retention and attempts in flight", () => {
    expect(loadConfig({})).toMatchObject({
      webhookRetryWaitsSeconds: [30, 300, 1800, 7200, 18_000, 36_000, 86_400],
      webhookAttemptTimeoutMs: 5000,
      webhookRetentionDays: 30,
      webhookMaxInFlight: 32,
    })
  })

  it('accepts one or several waits, with fractions', () => {
    expect(loadConfig({ WEBHOOK_RETRY_WAITS_SECONDS: '0.2,1,2.5' }).webhookRetryWaitsSeconds).toEqual([0.2, 1, 2.5])
    expect(loadConfig({ WEBHOOK_RETRY_WAITS_SECONDS: '1' }).webhookRetryWaitsSeconds).toEqual([1])
  })

  it.each(['1,', '-1', '1;2', 'soon', '1 2', '99999999999', '1e3'])(
    'refuses the waits %j with a message that names the variable',
    (text) => {
      expect(() => loadConfig({ WEBHOOK_RETRY_WAITS_SECONDS: text })).toThrow(
        /^WEBHOOK_RETRY_WAITS_SECONDS must be 1 to 100 numbers of seconds separated by commas/,
      )
    },
  )

  it('allows private networks by default only outside production, with the embedded database, on a local address', () => {
    const may = (env: Record<string, string>) => loadConfig(env).webhookAllowPrivateNetworks
    const external = { DATABASE_URL: 'postgresql://localhost/x' }

    expect(may({})).toBe(true)
    expect(may({ NODE_ENV: 'production', EMBEDDED_DATABASE: 'true' })).toBe(false)
    expect(may(external)).toBe(false)
    expect(may({ ...external, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' })).toBe(true)
    expect(may({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'false' })).toBe(false)
    for (const HOST of ['localhost', '127.0.0.2', '::1']) expect(may({ HOST }), HOST).toBe(true)
    for (const HOST of ['0.0.0.0', '::', '192.168.1.5', '203.0.113.5', 'example.com']) {
      expect(may({ HOST }), HOST).toBe(false)
      expect(may({ HOST, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }), HOST).toBe(true)
    }
    for (const name of ['localhost:4000', '127.0.0.1', '[::1]:4000', 'acme.localhost']) {
      expect(may({ PUBLIC_URL: `http://${name}` }), name).toBe(true)
    }
    for (const name of ['entitlements.example.com', '192.168.1.5:4000', 'localhost.example.com']) {
      expect(may({ PUBLIC_URL: `https://${name}` }), name).toBe(false)
    }
  })
})
