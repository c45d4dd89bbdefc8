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
