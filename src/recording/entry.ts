import type { QueryConfig } from 'pg'
import type { Actor, ExternalIdentity, UserActor } from '../access/actor.ts'
import { type DomainError, unavailable } from '../core/errors.ts'
import type { AuditOutcome } from '../database/generated/enums.ts'
import type { Origin } from '../http/origin.ts'

/** A request for an operation, as a log records it: members' requests in the organization's log, others in the person's own. */
export type RecordedRequest = {
  operation: { service: 'api' | 'identity'; method: string; route: string }
  /** For a `UserActor`, the entry is in the person's own log. */
  actor: Actor | UserActor
  origin: Origin
  path: Record<string, string>
}

export type AuditEntry = {
  log: 'organization' | 'user'
  /** Id of the organization or of the person. */
  ownerId: string
  id: string
  /** Set if an external identity without an account sent the request. The entry moves to the account once there is one. */
  newIdentity: ExternalIdentity | null
  /** The database's time when the entry was written. */
  recordedAt: Date
  /** The query that inserts the entry unless it exists. */
  insertAgain(): QueryConfig
}

/** How far the time in an entry's id may be from its `occurred_at`: longer than a request takes to arrive. */
export const maxIdSkewMs = 60_000

/** The table of each log, with the column of its owner. */
export const logTables = {
  organization: { table: 'audit_event', owner: 'organization_id' },
  user: { table: 'user_audit_event', owner: 'user_id' },
} as const

/** The value of the indexed column `rare_outcome`: null for the frequent outcomes. */
export function toRareOutcome(outcome: AuditOutcome): AuditOutcome | null {
  return outcome === 'rejected' || outcome === 'no_response' ? outcome : null
}

/** An outcome that is recorded apart from the write's transaction. */
export type EntryOutcome =
  /** The request was answered with this status, and changed nothing. */
  | { outcome: 'responded' | 'rejected'; status: number }
  /** COMMIT was sent, but no reply came. */
  | { outcome: 'no_response'; status: null }

/** A query for the statement that inserts an entry: the entry is inserted only if the query returns a row. */
export type EntryCondition = {
  /** Identifies the query: the same name always means the same text. */
  name: string
  /** `first` is the number of the query's first own parameter. Parameter 1 is the organization's id. */
  text(first: number): string
  values: readonly unknown[]
  unmet: typeof ConditionUnmet
}

/** Thrown if the condition is not met, so that nothing was recorded. */
export class ConditionUnmet extends Error {}

export function notRecorded(cause: unknown): DomainError {
  return unavailable('The audit log cannot be written, so nothing was changed. Try again in a moment.', cause)
}
