import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

/** The purposes of derived keys. Each purpose has its own key; never reuse a name for another purpose. */
type Purpose =
  | 'fingerprint'
  | 'webhook-secret'
  | 'invite-token'
  | 'user-token'
  | 'snapshot-signature'
  | 'audit-head-signature'
  | 'subscriber-token'
  | 'unknown-identity'
  | 'familiar-browser'
  | 'oidc-sign-in'

/** Protects secrets with the master key. Processes with the same master key can read each other's secrets. */
export type Vault = {
  /** 32 bytes, the same for the same purpose in every process. */
  deriveKey(purpose: Purpose): Buffer
  /**
   * Encrypts a short text for storage. `owner` is its organization and record: a text encrypted for one owner cannot be
   * decrypted for another, so copying a row elsewhere in the database reveals nothing.
   */
  encrypt(purpose: Purpose, owner: string, text: string): Uint8Array<ArrayBuffer>
  /** The text; throws if key, purpose or owner differ, or a byte was changed. */
  decrypt(purpose: Purpose, owner: string, sealed: Uint8Array): string
}

export const masterKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** The 32 bytes of the base64 text, or null. */
export function parseMasterKey(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return null
  return Uint8Array.from(Buffer.from(text, 'base64'))
}

/** A vault over a master key of 32 bytes: HKDF-SHA256 for the keys, AES-256-GCM for the texts. */
export function createVault(masterKey: Uint8Array): Vault {
  if (masterKey.length !== masterKeyBytes) throw new RangeError(`A master key has ${masterKeyBytes} bytes.`)

  const keys = new Map<Purpose, KeyObject>()

  function deriveKey(purpose: Purpose): Buffer {
    return Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), `entitlements ${purpose}`, 32))
  }

  /** A KeyObject, because Node takes several times as long for a cipher whose key is a buffer. */
  function keyOf(purpose: Purpose): KeyObject {
    const known = keys.get(purpose)
    if (known) return known
    const key = createSecretKey(deriveKey(purpose))
    keys.set(purpose, key)
    return key
  }

  return {
    deriveKey,
    encrypt(purpose, owner, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keyOf(purpose), nonce)
      cipher.setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), sealed]))
    },
    decrypt(purpose, owner, sealed) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
    },
  }
}
