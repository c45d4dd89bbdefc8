import type { Role } from '../database/generated/enums.ts'

/** Who acts, and in which organization. */
export type Actor = {
  organizationId: string
  memberId: string
  role: Role
  authType: 'member_apikey'
  keyPrefix: string
  /** SHA-256 of the key: the gate checks it again in the statement that counts the eval. */
  keyHash: Buffer
  /** The database's clock when the key was looked up. */
  authenticatedAt: Date
}
