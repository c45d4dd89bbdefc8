import type { Role } from '../database/generated/enums.ts'
import type { Share } from '../fairness/fair-queue.ts'

/** The caller in an organization: a service account, identified by its key, or a person in the console. */
export type Actor = {
  organizationId: string
  /**
   * The requests use the share of this owner: the person who created the organization, or the organization itself if an
   * operator created it.
   */
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
  /** Whether the organization is being moved to another installation: if so, none of its data may be changed or recorded. */
  isMoving: boolean
  /**
   * Set if the member was looked up for an earlier request: the statement that records a write then compares these values with
   * the database.
   */
  isRemembered?: true
}

/** A person who acts on their own account, outside any organization, and so without a role and labels. */
export type UserActor = {
  /** The account's id. For an external identity without an account: the name under which the log records its requests. */
  userId: string
  authType: 'jwt'
  /** The account's token generation when the person was looked up; a write checks that it has not changed since. */
  tokenGeneration: string
  /** The id of a browser's sign-in; null for a Bearer token. */
  userSessionId: string | null
  /** Set for an external identity without an account. It may only join an organization, which creates the account. */
  newIdentity: ExternalIdentity | null
  /** The database's time when the person was looked up. */
  authenticatedAt: Date
}

/** A person as an external issuer identifies them. */
export type ExternalIdentity = { issuer: string; subject: string; email: string | null; displayName: string }

/** The owner and the part of the owner whose slots the caller's work uses in the queues of this process. */
export function fairQueueKey(actor: Actor | UserActor): Share {
  return 'userId' in actor
    ? { owner: actor.userId, part: actor.userId }
    : { owner: actor.ownerId, part: actor.organizationId }
}
