import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { readLog } from '../support/audit.ts'
import { startService } from '../support/service.ts'

const services = {
  none: await startService(),
  one: await startService({ TRUST_PROXY: '1' }),
  two: await startService({ TRUST_PROXY: '2' }),
  local: await startService({ TRUST_PROXY: '127.0.0.0/8, ::1, 10.0.0.0/8' }),
  elsewhere: await startService({ TRUST_PROXY: '10.0.0.0/8' }),
}

/** The client address that the log records for a request with this X-Forwarded-For. */
async function recordedIp(service: keyof typeof services, forwarded: string): Promise<unknown> {
  const admin = await services[service].organization()
  await admin.rest('DELETE', '/org/features/x', undefined, { 'x-forwarded-for': forwarded })
  const [entry] = await readLog(admin)
  return entry?.ip
}

describe('the address of an entry', () => {
  it('is taken from trusted hops only', async () => {
    const claimed = '192.0.2.66, 203.0.113.9, 10.1.1.1'

    expect(await recordedIp('none', claimed)).toBe('127.0.0.1')
    expect(await recordedIp('one', claimed)).toBe('10.1.1.1')
    expect(await recordedIp('two', claimed)).toBe('203.0.113.9')
    expect(await recordedIp('local', claimed)).toBe('203.0.113.9')
    expect(await recordedIp('elsewhere', claimed)).toBe('127.0.0.1')
  })

  it('is recorded in one notation, and only if it is an address', async () => {
    expect(await recordedIp('one', '::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(await recordedIp('one', '2001:DB8:0:0::1')).toBe('2001:db8::1')
    expect(await recordedIp('one', '<script>')).toBe('127.0.0.1')
    expect(await recordedIp('one', '')).toBe('127.0.0.1')
  })
})

describe('TRUST_PROXY', () => {
  it('accepts a number of hops, or addresses and networks', () => {
    const read = (text: string) => loadConfig({ TRUST_PROXY: text, DATABASE_URL: 'postgres://localhost/x' }).trustProxy

    expect(read('2')).toBe(2)
    expect(read('false')).toBe(false)
    expect(read('10.0.0.0/8, 192.0.2.1,2001:db8::/32,loopback')).toBe('10.0.0.0/8, 192.0.2.1,2001:db8::/32,loopback')
    for (const wrong of ['everyone', '10.0.0.0/33', '10.0.0.0/8,', '-1', '1.5', '300.1.1.1', '10.1/8']) {
      expect(() => read(wrong), wrong).toThrow(/^TRUST_PROXY must be/)
    }
  })
})
