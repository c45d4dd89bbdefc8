import { describe, expect, it } from 'vitest'
import { toEntry } from '../../src/client/cache.ts'
import type { Entitlement } from '../../src/client/snapshot.ts'
import { RelayCache } from '../../src/relay/relay-cache.ts'

const item = (feature: number, limit: number): Entitlement => ({
  feature: `feature-${feature}`,
  kind: 'limit',
  allowed: true,
  limit,
  source: 'plan',
  expires_at: null,
})
const list = (limit: number, length = 100) => Array.from({ length }, (_, index) => item(index, limit))

function entryOf(id: string, entitlements: Entitlement[]) {
  const snapshot = { subscriber_id: id, plan: 'pro', entitlements, valid_until: null }
  const [sentAt, endsAt] = [0, Number.POSITIVE_INFINITY]
  return toEntry(snapshot, { etag: null, sentAt, receivedAt: null, endsAt, isStale: false })
}

describe('the cache of a relay', () => {
  it('returns a snapshot as it was read', () => {
    const cache = new RelayCache(10, () => {})
    cache.set('ada', entryOf('ada', list(5)))

    const entry = cache.get('ada')

    expect(JSON.parse(JSON.stringify(entry?.snapshot?.entitlements))).toEqual(list(5))
    expect(entry?.items.get('feature-7')).toEqual(item(7, 5))
    expect(entry?.items.get('other')).toBeUndefined()
  })

  it('uses little memory for subscribers that have the same entitlements, and more for each that has different ones', () => {
    const cache = new RelayCache(10_000, () => {})
    for (let index = 0; index < 1_000; index += 1) cache.set(`same-${index}`, entryOf(`same-${index}`, list(5)))
    const same = cache.bytes
    for (let index = 0; index < 1_000; index += 1) {
      cache.set(`own-${index}`, entryOf(`own-${index}`, [...list(5, 99), item(99, 1_000 + index)]))
    }

    expect(same / 1_000).toBeLessThan(1_000)
    expect((cache.bytes - same) / 1_000).toBeGreaterThan(800)
    expect((cache.bytes - same) / 1_000).toBeLessThan(3_000)
  })

  it('is bounded in bytes, and unused subscribers are evicted', () => {
    const cache = new RelayCache(1_000, () => {})
    const maxBytes = 16 * 1024 * 1024
    for (let index = 0; index < 100; index += 1) {
      cache.set(`id-${index}`, entryOf(`id-${index}`, list(index, 1_000)))
      expect(cache.bytes).toBeLessThan(maxBytes + 1_000_000)
    }

    expect(cache.size).toBeLessThan(60)
    expect(cache.get('id-1')).toBeUndefined()
    expect(cache.get('id-99')).toBeDefined()
  })

  it('frees every byte of a snapshot that is replaced', () => {
    const cache = new RelayCache(1, () => {})
    cache.set('ada', entryOf('ada', []))
    const empty = cache.bytes
    for (let index = 0; index < 100; index += 1) cache.set('ada', entryOf('ada', list(index)))
    cache.set('bob', entryOf('bob', list(1)))

    cache.set('eve', entryOf('eve', []))

    expect(cache.bytes).toBe(empty)
  })
})
