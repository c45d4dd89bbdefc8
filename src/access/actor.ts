import type { Role } from '../database/generated/enums.ts'

/** Who acts in an organization: a service account by its key, or a person in the console. */
export type Actor = {
  organizationId: string
  memberId: string
  role: Role
  authType: 'member_apikey' | 'member_session'
  /** Of the key, or of the console session. */
  keyPrefix: string
  /** SHA-256 of the key or of the session's token in hexadecimal: writes and evals look again whether it is still good. */
  credentialHash: string
  /** The database's clock when the key or session was looked up. */
  authenticatedAt: Date
}

/** A person, signed in for themselves and not yet acting anywhere: no role, no labels. */
export type UserActor = {
  /** Of an outside identity without an account: what the log keeps its requests under, which is no one's id. */
  userId: string
  authType: 'jwt'
  /** Of the token or sign-in; a write makes sure that it did not end meanwhile. */
  tokenGeneration: string
  /** The sign-in of a browser; null for a Bearer token. */
  userSessionId: string | null
  /** An outside identity without an account. Joining makes one; nothing else is open to it. */
  newIdentity: OutsideIdentity | null
  /** The database's clock when the person was looked up. */
  authenticatedAt: Date
}

/** A person as an outside issuer names them. */
export type OutsideIdentity = { issuer: string; subject: string; email: string | null; displayName: string }
