import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { readLog } from '../support/audit.ts'
import { invalidAddresses } from '../support/invalid-addresses.ts'
import { startService } from '../support/service.ts'

const services = {
  none: await startService(),
  one: await startService({ TRUST_PROXY: '1' }),
  two: await startService({ TRUST_PROXY: '2' }),
  local: await startService({ TRUST_PROXY: '127.0.0.0/8, ::1, 10.0.0.0/8' }),
  elsewhere: await startService({ TRUST_PROXY: '10.0.0.0/8' }),
  all: await startService({ TRUST_PROXY: 'true' }),
}

/** The client address that the log records for a request with this X-Forwarded-For. */
async function recordedIp(service: keyof typeof services, forwarded: string): Promise<unknown> {
  const admin = await services[service].organization()
  await admin.rest('DELETE', '/org/features/x', undefined, { 'x-forwarded-for': forwarded })
  const [entry] = await readLog(admin)
  return entry?.ip
}

describe('the address of an entry', () => {
  it('is taken only from X-Forwarded-For entries of trusted hops', async () => {
    const claimed = '192.0.2.66, 203.0.113.9, 10.1.1.1'

    expect(await recordedIp('none', claimed)).toBe('127.0.0.1')
    expect(await recordedIp('one', claimed)).toBe('10.1.1.1')
    expect(await recordedIp('two', claimed)).toBe('203.0.113.9')
    expect(await recordedIp('local', claimed)).toBe('203.0.113.9')
    expect(await recordedIp('elsewhere', claimed)).toBe('127.0.0.1')
  })

  it('is recorded in one notation, without a port that a proxy added', async () => {
    expect(await recordedIp('one', '::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(await recordedIp('one', '2001:DB8:0:0::1')).toBe('2001:db8::1')
    expect(await recordedIp('one', '203.0.113.9:4711')).toBe('203.0.113.9')
    expect(await recordedIp('one', '[2001:DB8::1]:4711')).toBe('2001:db8::1')
    expect(await recordedIp('one', '[::ffff:203.0.113.9]:4711')).toBe('203.0.113.9')
    expect(await recordedIp('one', '192.0.2.66,\t 203.0.113.9 \t')).toBe('203.0.113.9')
    expect(await recordedIp('local', '203.0.113.9, 10.1.1.1:80, [::1]:4711')).toBe('203.0.113.9')
    expect(await recordedIp('local', '203.0.113.9, ::ffff:10.1.1.1')).toBe('203.0.113.9')
  })

  it.each(invalidAddresses)('is unknown if a trusted proxy reports %j', async (entry) => {
    expect(await recordedIp('one', entry)).toBe('unknown')
    expect(await recordedIp('one', `203.0.113.9, ${entry}`)).toBe('unknown')
    expect(await recordedIp('two', `203.0.113.9, ${entry}`)).toBe('unknown')
    expect(await recordedIp('local', `203.0.113.9, ${entry}, 10.1.1.1`)).toBe('unknown')
    expect(await recordedIp('all', `203.0.113.9, ${entry}, 10.1.1.1`)).toBe('unknown')
    expect(await recordedIp('none', entry)).toBe('127.0.0.1')
    expect(await recordedIp('elsewhere', entry)).toBe('127.0.0.1')
  })

  it('is known, whatever header the client sent to the first trusted proxy', async () => {
    for (const sent of invalidAddresses) {
      expect(await recordedIp('one', `${sent}, 203.0.113.9`)).toBe('203.0.113.9')
      expect(await recordedIp('local', `${sent}, 203.0.113.9, 10.1.1.1`)).toBe('203.0.113.9')
    }
    expect(await recordedIp('one', `${','.repeat(8_000)}203.0.113.9`)).toBe('203.0.113.9')
  })

  it('is unknown behind 200 hops, more than any installation has', async () => {
    const hops = Array(200).fill('10.1.1.1').join()

    expect(await recordedIp('local', `203.0.113.9, ${hops}`)).toBe('unknown')
    expect(await recordedIp('all', `203.0.113.9, ${hops}`)).toBe('unknown')
  })

  it('is the address of the connection if there is no X-Forwarded-For', async () => {
    for (const service of ['one', 'two', 'local', 'all'] as const) {
      const admin = await services[service].organization()
      await admin.rest('DELETE', '/org/features/x')
      expect((await readLog(admin))[0]?.ip).toBe('127.0.0.1')
    }
  })
})

describe('TRUST_PROXY', () => {
  it('accepts a number of hops, false, or a list of addresses and networks', () => {
    const read = (text: string) => loadConfig({ TRUST_PROXY: text, DATABASE_URL: 'postgres://localhost/x' }).trustProxy

    expect(read('2')).toBe(2)
    expect(read('false')).toBe(false)
    expect(read('10.0.0.0/8, 192.0.2.1,2001:db8::/32,loopback')).toBe('10.0.0.0/8, 192.0.2.1,2001:db8::/32,loopback')
    for (const wrong of ['everyone', '10.0.0.0/33', '10.0.0.0/8,', '-1', '1.5', '300.1.1.1', '10.1/8']) {
      expect(() => read(wrong), wrong).toThrow(/^TRUST_PROXY must be/)
    }
  })
})
