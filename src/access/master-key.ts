import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The one secret of the service, and what is made of it. A purpose is a label: keys of two purposes tell nothing of each other. */
export type MasterKey = {
  /** 32 bytes, the same in every process. */
  deriveKey(purpose: string): Buffer
  encrypt(purpose: string, text: string): Buffer
  decrypt(purpose: string, sealed: Uint8Array): string
}

const [nonceLength, tagLength] = [12, 16]

export function createMasterKey(secret: Buffer): MasterKey {
  const deriveKey = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    deriveKey,
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', deriveKey(purpose), nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(purpose, sealed) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', deriveKey(purpose), bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
