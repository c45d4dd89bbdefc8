import type { Role } from '../database/generated/enums.ts'
import type { Share } from '../fairness/fair-queue.ts'

/** The caller in an organization: a service account by its key, or a person in the console. */
export type Actor = {
  organizationId: string
  /** Whose places the organization's requests take: the person's who created it, or its own if an operator did. */
  ownerId: string
  memberId: string
  role: Role
  authType: 'member_apikey' | 'member_session'
  /** Id of the key, or of the console session. */
  keyPrefix: string
  /** SHA-256 of the key or of the session's token in hexadecimal: writes and evals check again whether it is valid. */
  credentialHash: string
  /** The database's time when the key or session was looked up. */
  authenticatedAt: Date
}

/** A person for personal actions, not in an organization: no role, no labels. */
export type UserActor = {
  /** For an outside identity without an account: the name under which the log records its requests, not an id of anybody. */
  userId: string
  authType: 'jwt'
  /** From the token or sign-in; a write checks that it did not end meanwhile. */
  tokenGeneration: string
  /** A browser's sign-in; null for a Bearer token. */
  userSessionId: string | null
  /** An outside identity without an account. It may only join an organization, which creates the account. */
  newIdentity: OutsideIdentity | null
  /** The database's time when the person was looked up. */
  authenticatedAt: Date
}

/** A person as an outside issuer names them. */
export type OutsideIdentity = { issuer: string; subject: string; email: string | null; displayName: string }

/** Whose places in the queues of this process the caller's work takes. */
export function shareOf(actor: Actor | UserActor): Share {
  return 'userId' in actor
    ? { owner: actor.userId, part: actor.userId }
    : { owner: actor.ownerId, part: actor.organizationId }
}
