import { describe, expect, it } from 'vitest'
import {
  type CatalogFeature,
  type Grant,
  type OverrideInForce,
  resolve,
  toEntitlementJson,
} from '../../src/gate/resolution/entitlement.ts'
import { fc } from '../support/random.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const seats: CatalogFeature = { key: 'seats', kind: 'limit' }

describe('resolve', () => {
  it('denies a feature of each kind when nothing grants it', () => {
    const none = { allowed: false, source: 'none', expiresAt: null }

    expect(resolve({ key: 'sso', kind: 'flag' }, null, null, now)).toEqual({ feature: 'sso', kind: 'flag', ...none })
    expect(resolve(seats, null, null, now)).toEqual({ feature: 'seats', kind: 'limit', limit: 0, ...none })
    expect(resolve({ key: 'tier', kind: 'config' }, null, null, now)).toEqual({
      feature: 'tier',
      kind: 'config',
      valueJson: null,
      ...none,
    })
  })

  it.each([
    { limit: null, allowed: true },
    { limit: 0, allowed: false },
    { limit: 1, allowed: true },
  ])('answers "allowed: $allowed" for a limit of $limit from the plan or an override', ({ limit, allowed }) => {
    expect(resolve(seats, { kind: 'limit', limit }, null, now)).toEqual({
      feature: 'seats',
      kind: 'limit',
      allowed,
      limit,
      source: 'plan',
      expiresAt: null,
    })
    expect(resolve(seats, null, { kind: 'limit', limit, startsAt: null, expiresAt: null }, now)).toMatchObject({
      allowed,
      limit,
      source: 'override',
    })
  })

  it('ignores an override from its expires_at on', () => {
    const override: OverrideInForce = { kind: 'limit', limit: 9, startsAt: null, expiresAt: now }
    const grant: Grant = { kind: 'limit', limit: 5 }

    expect(resolve(seats, grant, override, new Date(now.getTime() - 1))).toMatchObject({ limit: 9, expiresAt: now })
    expect(resolve(seats, grant, override, now)).toMatchObject({ limit: 5, source: 'plan', expiresAt: null })
  })

  it('denies a flag that an override denies, even if the plan grants it', () => {
    const feature: CatalogFeature = { key: 'sso', kind: 'flag' }

    const entitlement = resolve(
      feature,
      { kind: 'flag' },
      { kind: 'flag', allowed: false, startsAt: null, expiresAt: null },
      now,
    )

    expect(entitlement).toMatchObject({ allowed: false, source: 'override' })
  })

  it('throws if the value and the feature have different kinds', () => {
    expect(() => resolve(seats, { kind: 'flag' }, null, now)).toThrow('seats is of kind limit')
  })
})

const limits = fc.option(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { nil: null })
const expiries = fc.option(fc.date({ min: new Date('2026-11-20'), max: new Date('2026-11-23'), noInvalidDate: true }), {
  nil: null,
})
const starts = fc.oneof(fc.constant(null), expiries)
const keys = fc.stringMatching(/^[a-z0-9_-]{1,64}$/)
const jsonTexts = fc
  .jsonValue()
  .filter((value) => value !== null)
  .map((value) => JSON.stringify(value))

/** A feature with or without a grant and with or without an override, all of one kind. */
const cases = fc.oneof(
  fc.record({
    feature: fc.record({ key: keys, kind: fc.constant('flag' as const) }),
    grant: fc.option(fc.record({ kind: fc.constant('flag' as const) }), { nil: null }),
    override: fc.option(
      fc.record({ kind: fc.constant('flag' as const), allowed: fc.boolean(), startsAt: starts, expiresAt: expiries }),
      {
        nil: null,
      },
    ),
  }),
  fc.record({
    feature: fc.record({ key: keys, kind: fc.constant('limit' as const) }),
    grant: fc.option(fc.record({ kind: fc.constant('limit' as const), limit: limits }), { nil: null }),
    override: fc.option(
      fc.record({ kind: fc.constant('limit' as const), limit: limits, startsAt: starts, expiresAt: expiries }),
      {
        nil: null,
      },
    ),
  }),
  fc.record({
    feature: fc.record({ key: keys, kind: fc.constant('config' as const) }),
    grant: fc.option(fc.record({ kind: fc.constant('config' as const), valueJson: jsonTexts }), { nil: null }),
    override: fc.option(
      fc.record({ kind: fc.constant('config' as const), valueJson: jsonTexts, startsAt: starts, expiresAt: expiries }),
      { nil: null },
    ),
  }),
)

describe('resolve, for any stored data,', () => {
  it('uses the override in force, else the grant, else the default, and never mixes them', () => {
    fc.assert(
      fc.property(cases, ({ feature, grant, override }) => {
        const hasStarted = override !== null && (override.startsAt === null || override.startsAt <= now)
        const live = hasStarted && (override.expiresAt === null || override.expiresAt > now)

        const entitlement = resolve(feature, grant, override, now)

        expect(entitlement.source).toBe(live ? 'override' : grant !== null ? 'plan' : 'none')
        const without = live ? resolve(feature, null, override, now) : resolve(feature, grant, null, now)
        expect(entitlement).toEqual(without)
        expect(entitlement.expiresAt).toBe(live ? override.expiresAt : null)
      }),
    )
  })

  it('returns an entitlement whose JSON has the same values, in the order of the contract', () => {
    fc.assert(
      fc.property(cases, ({ feature, grant, override }) => {
        const entitlement = resolve(feature, grant, override, now)

        const { valueJson, limit, expiresAt, ...rest } = { valueJson: undefined, limit: undefined, ...entitlement }
        const own = entitlement.kind === 'limit' ? { limit } : entitlement.kind === 'config' ? { value: valueJson } : {}
        const written = JSON.parse(toEntitlementJson(entitlement))
        const expected = { ...rest, ...own, expires_at: expiresAt?.toISOString() ?? null }
        if (typeof valueJson === 'string') Object.assign(expected, { value: JSON.parse(valueJson) })
        expect(written).toEqual(expected)
        const order = ['feature', 'kind', 'allowed', ...Object.keys(own), 'source', 'expires_at']
        expect(Object.keys(written)).toEqual(order)
      }),
    )
  })
})
