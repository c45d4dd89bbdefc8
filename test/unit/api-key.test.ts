import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashApiKey, newApiKey } from '../../src/access/api-key.ts'
import { setInstallationName } from '../../src/access/installation.ts'
import { randomBase62 } from '../../src/access/token.ts'

describe('an API key', () => {
  it('consists of "ent_", 43 base62 characters and a checksum of 6 characters', () => {
    const { key, prefix } = newApiKey()

    expect(key).toMatch(/^ent_[0-9A-Za-z]{49}$/)
    expect(prefix).toBe(key.slice(0, 12))
  })

  it('is found by the SHA-256 of its text', () => {
    const { key, hash } = newApiKey()

    expect(hash).toEqual(createHash('sha256').update(key).digest())
    expect(hashApiKey(key)).toBe(hash.toString('hex'))
  })

  it('is different each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newApiKey().key)).size).toBe(1000)
  })

  it('contains the name of its installation after "ent_" if there is one, and otherwise has the same format', () => {
    setInstallationName('b2')
    const { key, prefix, hash } = newApiKey()
    setInstallationName(undefined)

    expect(key).toMatch(/^ent_b2[0-9A-Za-z]{47}$/)
    expect(prefix).toBe(key.slice(0, 12))
    expect(hashApiKey(key)).toBe(hash.toString('hex'))
  })

  it('has the same checksum in every release, because keys outlive releases', () => {
    expect(hashApiKey(`ent_${'A'.repeat(43)}3uxTzA`)).not.toBeNull()
  })
})

describe('text that is not an API key', () => {
  const { key } = newApiKey()
  const swapped = key.at(10) === 'x' ? 'y' : 'x'

  it.each([
    ['no text', ''],
    ['another kind of secret', key.replace('ent_', 'ses_')],
    ['a key with one changed character', key.slice(0, 10) + swapped + key.slice(11)],
    ['a key without its checksum', key.slice(0, -6)],
    ['a key with another character at its end', `${key}0`],
    ['a key after a space', ` ${key}`],
    ['a key of characters that are not base62', `ent_${'é'.repeat(49)}`],
    ['a megabyte', 'e'.repeat(1_000_000)],
  ])('has no hash: %s', (_, text) => {
    expect(hashApiKey(text)).toBeNull()
  })
})

describe('random base62', () => {
  it('draws each of the 62 characters equally often', () => {
    const counts = new Map<string, number>()
    for (const character of randomBase62(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)

    expect(counts.size).toBe(62)
    // Each is expected 10,000 times; six standard deviations are 600. Modulo bias would make some 25 % more frequent.
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(600)
  })
})
