import type { OidcChecks } from '../../src/access/oidc-provider.ts'
import { currentMs } from '../../src/core/clock.ts'
import type { Vault } from '../../src/core/vault.ts'

/** How long a person may take to sign in at the provider. */
export const signInSeconds = 600

type SealedChecks = OidcChecks & {
  to: string
  /** SHA-256 hashes of the browser's session at the start, in hexadecimal; absent in checks of version 0.1.0. */
  replaced?: readonly string[]
  expiresAt: number
}

const [purpose, owner] = ['oidc-sign-in', 'browser'] as const

/**
 * Encrypts the checks of a sign-in, which the browser keeps in a cookie: clients cannot forge them, and they expire even if the
 * browser keeps them.
 */
export function encryptOidcChecks(vault: Vault, sealed: Omit<SealedChecks, 'expiresAt'>): string {
  const kept: SealedChecks = { ...sealed, expiresAt: currentMs() + signInSeconds * 1000 }
  return Buffer.from(vault.encrypt(purpose, owner, JSON.stringify(kept))).toString('base64url')
}

/** Decrypts the checks; null if the text was not encrypted with our key, or has expired. */
export function decryptOidcChecks(vault: Vault, sealed: string | null): SealedChecks | null {
  if (sealed === null) return null
  try {
    const kept: SealedChecks = JSON.parse(vault.decrypt(purpose, owner, Buffer.from(sealed, 'base64url')))
    return kept.expiresAt > currentMs() ? kept : null
  } catch {
    return null
  }
}
