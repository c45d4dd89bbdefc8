import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { resolveHost } from '../../worker/resolve-host.ts'
import { until } from '../support/until.ts'

/** The look-ups that wait in the system; calling one answers it. */
const waiting: (() => void)[] = []

beforeEach(() => {
  const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
  vi.spyOn(dns.Resolver.prototype, 'resolve4').mockRejectedValue(unknown)
  vi.spyOn(dns.Resolver.prototype, 'resolve6').mockRejectedValue(unknown)
  const lookUp = (name: string) =>
    new Promise((resolve) => waiting.push(() => resolve([{ address: `address of ${name}`, family: 4 }])))
  vi.spyOn(dns, 'lookup').mockImplementation(lookUp as never)
  syncBuiltinESMExports()
  return () => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
})

describe('names that only the system may resolve', () => {
  it('occupy at most two of the process’s threads for look-ups', async () => {
    const names = ['a.example', 'b.example', 'c.example', 'd.example', 'dotless']

    const resolved = Promise.all(names.map((name) => resolveHost(name)))

    for (let answered = 0; answered < names.length; answered += 1) {
      await until(() => waiting.length > 0)
      expect(waiting.length).toBeLessThanOrEqual(2)
      waiting.shift()?.()
    }
    expect(await resolved).toEqual(names.map((name) => [{ address: `address of ${name}`, family: 4 }]))
  })
})

it('a name is resolved soon after one family of addresses is found, even if its name servers ignore requests for the other', async () => {
  vi.spyOn(dns.Resolver.prototype, 'resolve4').mockResolvedValue(['192.0.2.1'] as never)
  vi.spyOn(dns.Resolver.prototype, 'resolve6').mockReturnValue(new Promise(() => {}))

  expect(await resolveHost('half.example')).toEqual([{ address: '192.0.2.1', family: 4 }])
})

it('a name has the addresses of both families, IPv4 first', async () => {
  vi.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation((async () => {
    await new Promise(setImmediate)
    return ['192.0.2.1']
  }) as never)
  vi.spyOn(dns.Resolver.prototype, 'resolve6').mockResolvedValue(['2001:db8::1'] as never)

  expect(await resolveHost('both.example')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})
