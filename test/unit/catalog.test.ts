import { describe, expect, it } from 'vitest'
import type { FeatureKind } from '../../src/database/generated/enums.ts'
import { createCatalogStore } from '../../src/gate/large-reads/catalog-store.ts'
import { createKnownKeys } from '../../src/gate/loop/known-keys.ts'
import { Catalog } from '../../src/gate/resolution/catalog.ts'
import { type OverrideInForce, toEntitlementJson } from '../../src/gate/resolution/entitlement.ts'
import { ResolvedEntitlements } from '../../src/gate/resolution/resolved-entitlements.ts'
import { fc } from '../support/random.ts'

const now = new Date('2026-11-21T10:00:00.000Z')

describe('Catalog', () => {
  it('stores features and plans whose keys are names of object properties', () => {
    const catalog = new Catalog('1', [
      { key: '__proto__', kind: 'limit' },
      { key: 'constructor', kind: 'flag' },
    ])
    catalog.add('__proto__', '__proto__', 7, null)
    catalog.add('constructor', 'constructor', null, null)

    expect(catalog.has('__proto__')).toBe(true)
    expect(catalog.has('toString')).toBe(false)
    expect(catalog.grantAt('__proto__', 0)).toEqual({ kind: 'limit', limit: 7 })
    expect(catalog.grantAt('__proto__', 1)).toBeNull()
    expect(catalog.grantAt('constructor', 1)).toEqual({ kind: 'flag' })
    expect(catalog.grantAt('toString', 0)).toBeNull()
  })
})

describe('ResolvedEntitlements', () => {
  const sizes = fc.integer({ min: 0, max: 8 })
  const states = fc.func(fc.constantFrom('granted', 'overridden', 'expired', 'none'))
  type StateOf = (key: string) => 'granted' | 'overridden' | 'expired' | 'none'

  /** Creates a snapshot of this many features, whose kinds alternate. */
  function snapshotOf(size: number, stateOf: StateOf, planKey: string | null): ResolvedEntitlements {
    const kinds: FeatureKind[] = ['flag', 'limit', 'config']
    const features = Array.from({ length: size }, (_, i) => ({ key: `f${i}`, kind: kinds[i % 3] as FeatureKind }))
    const catalog = new Catalog('1', features)
    for (const { key, kind } of features) {
      if (stateOf(key) === 'none') continue
      catalog.add('pro', key, kind === 'limit' ? 3 : null, kind === 'config' ? '"é"' : null)
    }
    const overrides = new Map<string, OverrideInForce>()
    for (const { key, kind } of features.toReversed()) {
      const times = { startsAt: null, expiresAt: stateOf(key) === 'expired' ? now : null }
      if (stateOf(key) === 'granted') continue
      if (kind === 'flag') overrides.set(key, { kind, allowed: false, ...times })
      if (kind === 'limit') overrides.set(key, { kind, limit: null, ...times })
      if (kind === 'config') overrides.set(key, { kind, valueJson: '{"own":[1,2]}', ...times })
    }
    return new ResolvedEntitlements({
      catalog,
      planKey,
      features: null,
      overrides,
      now,
      organizationId: '',
      ownerId: '',
    })
  }

  it('writes a snapshot as the joined JSON of its entitlements, whichever features are overridden', () => {
    fc.assert(
      fc.property(sizes, states, (size, stateOf) => {
        for (const planKey of ['pro', 'unknown', null]) {
          const snapshot = snapshotOf(size, stateOf, planKey)

          const items = snapshot.toArray()

          expect(items.map(({ feature }) => feature)).toEqual(Array.from({ length: size }, (_, i) => `f${i}`))
          expect(snapshot.toJson()).toBe(items.map(toEntitlementJson).join(','))
        }
      }),
    )
  })

  it('has different digests for different snapshots', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(sizes, states, fc.constantFrom('pro', null)), { minLength: 20 }), (drawn) => {
        const snapshots = drawn.map((each) => snapshotOf(...each))

        const textByDigest = new Map(snapshots.map((snapshot) => [snapshot.toDigest(), snapshot.toJson()]))

        for (const snapshot of snapshots) expect(textByDigest.get(snapshot.toDigest())).toBe(snapshot.toJson())
      }),
    )
  })

  it('is valid until the first of its overrides starts or expires', () => {
    const catalog = new Catalog('1', [{ key: 'a', kind: 'flag' }])
    const timeAt = (ms: number) => new Date(now.getTime() + ms)
    const flag = (expiresAt: Date | null) => ({ kind: 'flag', allowed: true, startsAt: null, expiresAt }) as const
    const validUntil = (overrides: [string, OverrideInForce][]) =>
      new ResolvedEntitlements({
        catalog,
        planKey: null,
        features: null,
        overrides: new Map(overrides),
        now,
        organizationId: '',
        ownerId: '',
      }).validUntil

    expect(validUntil([])).toBeNull()
    expect(validUntil([['a', flag(null)]])).toBeNull()
    expect(
      validUntil([
        ['a', flag(timeAt(9))],
        ['b', flag(timeAt(5))],
        ['c', flag(null)],
        ['d', flag(timeAt(0))],
      ]),
    ).toEqual(timeAt(5))
    const starting = (startsAt: Date) => ({ ...flag(timeAt(9)), startsAt })
    expect(validUntil([['a', starting(timeAt(3))]])).toEqual(timeAt(3))
    expect(validUntil([['a', starting(timeAt(0))]])).toEqual(timeAt(9))
  })
})

describe('the store of catalogs', () => {
  const catalogOf = (version: string) => new Catalog(version, [{ key: 'a', kind: 'flag' }])
  const { weight } = catalogOf('1')

  it('drops the least recently used catalog when all catalogs together grow too large', () => {
    const store = createCatalogStore(2 * weight)
    store.set('one', catalogOf('1'))
    store.set('two', catalogOf('1'))
    store.get('one')

    store.set('three', catalogOf('1'))

    expect(store.get('one')).toBeDefined()
    expect(store.get('two')).toBeUndefined()
    expect(store.get('three')).toBeDefined()
  })

  it('replaces a catalog with a newer version without dropping other catalogs', () => {
    const store = createCatalogStore(2 * weight)
    store.set('one', catalogOf('1'))
    for (let version = 1; version < 9; version++) store.set('two', catalogOf(`${version}`))

    expect(store.get('one')?.version).toBe('1')
    expect(store.get('two')?.version).toBe('8')
  })

  it('keeps an empty catalog', () => {
    const store = createCatalogStore(2 * weight)
    store.set('one', new Catalog('1', []))

    expect(store.get('one')?.version).toBe('1')
  })

  it('does not keep a catalog that is larger than the limit of the store', () => {
    const store = createCatalogStore(weight - 1)
    store.set('one', catalogOf('1'))

    expect(store.get('one')).toBeUndefined()
  })
})

describe('the cache of known keys', () => {
  it('drops the oldest key when it has too many', () => {
    const keys = createKnownKeys(2)
    const hashes = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('hex'))
    for (const [index, hash] of hashes.entries()) keys.set(hash, { organizationId: `${index}`, isBound: false })

    expect(hashes.map((hash) => keys.get(hash)?.organizationId)).toEqual([undefined, '1', '2'])
  })
})
