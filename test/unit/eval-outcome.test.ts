import { describe, expect, it } from 'vitest'
import { Catalog } from '../../src/gate/resolution/catalog.ts'
import type { OverrideInForce } from '../../src/gate/resolution/entitlement.ts'
import { resolveAfterRead } from '../../src/gate/statement/outcome.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const decision = {
  verdict: 'granted',
  organizationId: 'acme',
  planKey: 'pro',
  unknownIndexes: [],
  overrides: null,
  overrideBytes: 0,
  isBound: false,
} as const
const request = (features: string[] | null) => ({ keyHash: '', subscriberId: 's', features })

describe('an eval that is answered from data read after its statement', () => {
  it('is refused if its features were deleted meanwhile, and releases its memory', () => {
    let released = 0
    const contents = { catalog: new Catalog('2', []), overrides: new Map(), release: () => released++ }

    const outcome = resolveAfterRead(request(['seats']), decision, { ownerId: 'o', now }, contents)

    expect(outcome).toEqual({ kind: 'unknown_feature', features: ['seats'] })
    expect(released).toBe(1)
  })

  it('ignores overrides of a feature that was deleted, or replaced by a feature of another kind', () => {
    const catalog = new Catalog('2', [
      { key: 'seats', kind: 'limit' },
      { key: 'sso', kind: 'flag' },
    ])
    const flag: OverrideInForce = { kind: 'flag', allowed: true, startsAt: null, expiresAt: null }
    const overrides = new Map<string, OverrideInForce>([
      ['gone', flag],
      ['seats', flag],
      ['sso', flag],
    ])

    const outcome = resolveAfterRead(request(null), decision, { ownerId: 'o', now }, { catalog, overrides })

    if (outcome.kind !== 'granted') throw new Error(outcome.kind)
    expect(outcome.entitlements.toArray()).toMatchObject([
      { feature: 'seats', source: 'none', limit: 0 },
      { feature: 'sso', source: 'override', allowed: true },
    ])
  })
})
