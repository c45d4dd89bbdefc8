import type { Actor } from '../../access/actor.ts'
import { unavailable } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../database/client.ts'
import type { MemberOperation, Transaction, WriteOutcome } from '../../operation/operation.ts'
import { toRecordedDetails } from './details.ts'

/** Where a request came from and which one it is. */
export type Origin = {
  requestId: string
  receivedAt: Date
  ip: string
  userAgent: string | null
  /** Where the client reached the service, or PUBLIC_URL; without a slash at the end. */
  baseUrl: string
}

export type AuditEntry = {
  organizationId: string
  id: string
  /** The database's clock when the entry was written. */
  recordedAt: Date
}

type Subject = { operation: MemberOperation; actor: Actor; origin: Origin; path: Record<string, string> }

/** Before a write runs. What cannot be recorded does not run: 503. */
export function recordPending(database: Database, subject: Subject): Promise<AuditEntry> {
  return insertEntry(database, subject, 'pending', null)
}

/** A request refused before it ran. */
export function recordRejected(database: Database, subject: Subject, status: number): Promise<AuditEntry> {
  return insertEntry(database, subject, 'rejected', status)
}

async function insertEntry(
  database: Database,
  { operation, actor, origin, path }: Subject,
  outcome: 'pending' | 'rejected',
  status: number | null,
): Promise<AuditEntry> {
  const id = newId()
  try {
    const { rows } = await database.pool.query<{ now: Date }>({
      name: 'record-audit-event',
      text: `insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type,
                                      key_prefix, service, method, route, params, ip, user_agent, outcome, status)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::audit_outcome, $15)
             returning clock_timestamp() as now`,
      values: [
        actor.organizationId,
        id,
        origin.receivedAt,
        origin.requestId,
        actor.memberId,
        actor.authType,
        actor.keyPrefix,
        operation.service,
        operation.method,
        operation.route,
        JSON.stringify(path),
        origin.ip,
        toStorable(origin.userAgent),
        outcome,
        status,
      ],
    })
    return { organizationId: actor.organizationId, id, recordedAt: (rows[0] as { now: Date }).now }
  } catch (error) {
    throw unavailable('The audit log cannot be written, so nothing was changed. Try again in a moment.', error)
  }
}

/** In the transaction of the write that succeeded: both commit, or neither does. */
export async function recordSuccess(
  tx: Transaction,
  entry: AuditEntry,
  status: number,
  { details, createdId }: Pick<WriteOutcome<unknown>, 'details' | 'createdId'>,
): Promise<void> {
  const { count } = await tx.auditEvent.updateMany({
    where: { organizationId: entry.organizationId, id: entry.id, outcome: 'pending' },
    data: { outcome: 'responded', status, details: toRecordedDetails(details), createdId: createdId ?? null },
  })
  if (count !== 1) throw new Error(`Audit entry ${entry.id} is not pending any more.`)
}

/** After the write was rolled back. */
export async function recordFailure(database: Database, entry: AuditEntry, status: number): Promise<void> {
  await database.prisma.auditEvent.updateMany({
    where: { organizationId: entry.organizationId, id: entry.id, outcome: 'pending' },
    data: { outcome: 'responded', status },
  })
}

/** Whether the write of this entry committed; waits for a transaction that still holds the entry. */
export async function hasSucceeded(database: Database, entry: AuditEntry): Promise<boolean> {
  const { rows } = await database.pool.query<{ outcome: string }>({
    text: `select outcome from audit_event where organization_id = $1 and audit_event_id = $2 for update`,
    values: [entry.organizationId, entry.id],
  })
  return rows[0]?.outcome === 'responded'
}

function toStorable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}
