import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, compactVerify, exportJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { deriveSigningKey, signSlices, signText } from '../../src/core/signing-key.ts'
import { createVault } from '../../src/core/vault.ts'

const vault = createVault(randomBytes(32))
const key = deriveSigningKey(vault, 'snapshot-signature')

async function* inSlices(text: string, length: number) {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length)
}

describe('a signing key', () => {
  it('is the same for the same master key and purpose, and different if either differs', () => {
    const kidOf = (purpose: Parameters<typeof deriveSigningKey>[1], of = vault) => deriveSigningKey(of, purpose).kid

    expect(kidOf('snapshot-signature')).toBe(key.kid)
    expect(kidOf('user-token')).not.toBe(key.kid)
    expect(kidOf('snapshot-signature', createVault(randomBytes(32)))).not.toBe(key.kid)
  })

  it('is named by its thumbprint', async () => {
    expect(await calculateJwkThumbprint(await exportJWK(key.publicKey))).toBe(key.kid)
  })

  it.each([0, 1, 2, 3, 100])(
    'signs a text of %i repetitions so that jose verifies it, with the same result whole and in slices',
    async (length) => {
      const text = 'é🙂a'.repeat(length)

      const whole = signText(key, 'test+jwt', text)

      const { payload, protectedHeader } = await compactVerify(whole, key.publicKey, { algorithms: ['EdDSA'] })
      expect(Buffer.from(payload).toString()).toBe(text)
      expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: key.kid, typ: 'test+jwt' })
      // A slice ends after a whole character.
      for (const size of [4, 8])
        expect((await signSlices(key, 'test+jwt', inSlices(text, size))).toString()).toBe(whole)
    },
  )
})
