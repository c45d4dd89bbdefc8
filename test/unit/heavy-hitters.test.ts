import { expect, it } from 'vitest'
import {
  HeavyHitters,
  mergeSketches,
  sketchSize,
  takeMostFrequent,
} from '../../src/gate/feature-usage/heavy-hitters.ts'
import { isAllowed, resolve } from '../../src/gate/resolution/entitlement.ts'
import { fc } from '../support/random.ts'

const names = fc.array(fc.nat(120).map(String), { maxLength: 2_000 })

function count(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of all) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function sketch(all: readonly string[]): ReadonlyMap<string, number> {
  const hitters = new HeavyHitters()
  for (const name of all) hitters.add(name)
  return hitters.counts
}

it('a merged sketch has a bounded size, never undercounts, and keeps every name with over a fiftieth of all counts', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const [all, exact] = [[...one, ...other], count([...one, ...other])]
      const merged = mergeSketches(sketch(one), sketch(other))

      expect(merged.size).toBeLessThanOrEqual(sketchSize)
      for (const [name, counted] of merged) expect(counted).toBeGreaterThanOrEqual(exact.get(name) ?? 0)
      for (const [name, times] of exact) if (times > all.length / sketchSize) expect([...merged.keys()]).toContain(name)
    }),
  )
})

it('the most frequent names come first, and equally frequent names are in alphabetical order', () => {
  expect(
    takeMostFrequent(
      new Map([
        ['b', 1],
        ['a', 1],
        ['c', 2],
      ]),
      2,
    ),
  ).toEqual([
    ['c', 2],
    ['a', 1],
  ])
})

it('a check is counted as allowed or denied according to its entitlement', () => {
  const now = new Date('2027-01-01T00:00:00Z')
  const times = fc.option(fc.constantFrom(-1, 0, 1).map((ms) => new Date(now.getTime() + ms)))
  const limits = fc.constantFrom(null, 0, 5)
  const grant = fc.option(fc.record({ kind: fc.constant('limit' as const), limit: limits }))
  const override = fc.option(
    fc.record({ kind: fc.constant('limit' as const), limit: limits, startsAt: times, expiresAt: times }),
  )
  fc.assert(
    fc.property(grant, override, (granted, own) => {
      const { allowed } = resolve({ key: 'a', kind: 'limit' }, granted, own, now)
      expect(isAllowed(granted, own, now)).toBe(allowed)
    }),
  )
  for (const allowed of [true, false]) {
    const own = { kind: 'flag', allowed, startsAt: null, expiresAt: null } as const
    expect(isAllowed({ kind: 'flag' }, own, now)).toBe(allowed)
  }
  expect(isAllowed({ kind: 'flag' }, null, now)).toBe(true)
  expect(isAllowed({ kind: 'config', valueJson: 'false' }, null, now)).toBe(true)
  expect(isAllowed(null, null, now)).toBe(false)
})
