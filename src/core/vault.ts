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
  | 'subscriber-cursor'
  | 'unknown-identity'
  | 'familiar-browser'
  | 'oidc-sign-in'

/** Protects secrets with the master key. Processes with the same master key can read each other's secrets. */
export type Vault = {
  /** The 32-byte key of a purpose, which is the same in every process with this master key. */
  deriveKey(purpose: Purpose): Buffer
  /**
   * Encrypts a short text for storage. `owner` is its organization and record: a text encrypted for one owner cannot be
   * decrypted for another, so copying a row elsewhere in the database reveals nothing.
   */
  encrypt(purpose: Purpose, owner: string, text: string): Uint8Array<ArrayBuffer>
  /**
   * Decrypts a text that the master key or the previous key encrypted; throws if the key, purpose or owner differs, or a byte
   * was changed.
   */
  decrypt(purpose: Purpose, owner: string, sealed: Uint8Array): string
  /**
   * Encrypts a text again with the master key if the previous key encrypted it; returns null if the master key did. Throws like
   * `decrypt`.
   */
  encryptAgain(purpose: Purpose, owner: string, sealed: Uint8Array): Uint8Array<ArrayBuffer> | null
  /** The vault of MASTER_KEY_PREVIOUS, if it is set; only used to decrypt and verify. */
  previous?: SingleVault
}

/** A vault with only one key. */
type SingleVault = Omit<Vault, 'previous' | 'encryptAgain'>

export const masterKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** The 32 bytes of the base64 text, or null if the text has another format or length. */
export function parseMasterKey(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return null
  return Uint8Array.from(Buffer.from(text, 'base64'))
}

/** A vault that encrypts and signs with the master key, and also decrypts texts of the previous key. */
export function createVault(masterKey: Uint8Array, previousKey?: Uint8Array): Vault {
  const vault = createSingleVault(masterKey)
  const previous = previousKey && createSingleVault(previousKey)

  function decryptWithAnyKey(...[purpose, owner, sealed]: Parameters<Vault['decrypt']>): {
    text: string
    isOld: boolean
  } {
    try {
      return { text: vault.decrypt(purpose, owner, sealed), isOld: false }
    } catch (error) {
      if (!previous) throw error
      return { text: previous.decrypt(purpose, owner, sealed), isOld: true }
    }
  }

  return {
    ...vault,
    decrypt: (purpose, owner, sealed) => decryptWithAnyKey(purpose, owner, sealed).text,
    encryptAgain(purpose, owner, sealed) {
      const { text, isOld } = decryptWithAnyKey(purpose, owner, sealed)
      return isOld ? vault.encrypt(purpose, owner, text) : null
    },
    ...(previous && { previous }),
  }
}

/** A vault with one 32-byte master key, which derives keys with HKDF-SHA256 and encrypts texts with AES-256-GCM. */
function createSingleVault(masterKey: Uint8Array): SingleVault {
  if (masterKey.length !== masterKeyBytes) throw new RangeError(`A master key has ${masterKeyBytes} bytes.`)

  const keys = new Map<Purpose, KeyObject>()

  function deriveKey(purpose: Purpose): Buffer {
    return Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), `entitlements ${purpose}`, 32))
  }

  /** Returns a KeyObject, because Node takes several times as long for a cipher whose key is a buffer. */
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
