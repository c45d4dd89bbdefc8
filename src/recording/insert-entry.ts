import type { QueryConfig, QueryResult } from 'pg'
import { decodeTime, ulid } from 'ulidx'
import { withDeadline } from '../core/deadline.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../database/client.ts'
import { isAnswered } from '../database/outage.ts'
import type { WriteConnection } from '../database/write-connection.ts'
import { type AuditEntry, logColumns, maxIdSkewMs, notRecorded, type Subject, toRareOutcome } from './entry.ts'
import { KeyTaken, type Reservation, reserving } from './kept-answer.ts'
import { adopt } from './record.ts'
import { toStoredAgent, toStoredParam } from './stored-text.ts'

type PendingOptions = {
  /** On the clock of `performance.now()`. */
  deadline: number
  /** Called with an entry that may or may not exist: its insert got no reply. */
  onUnsure: (entry: AuditEntry) => void
  /** Records nothing and throws `KeyTaken` unless it can be made, in the same statement. */
  reservation?: Reservation | undefined
}

/** Records a write before it runs; 503, and no write, if it cannot be recorded. Sends the entry before it returns. */
export async function recordPending(
  connection: Pick<WriteConnection, 'send'>,
  subject: Subject,
  { deadline, onUnsure, reservation }: PendingOptions,
): Promise<AuditEntry> {
  const draft = draftEntry(subject, 'pending', null, reservation)
  try {
    return await withDeadline(
      deadline,
      insert((statement) => connection.send(statement), draft),
    )
  } catch (error) {
    if (error instanceof KeyTaken) throw error
    if (!isAnswered(error)) {
      onUnsure({ ...draft.entry, recordedAt: subject.origin.receivedAt, insertAgain: draft.insertAgain })
    }
    throw notRecorded(error)
  }
}

/** Records a request refused before it ran. */
export async function recordRejected(database: Database, subject: Subject, status: number): Promise<void> {
  try {
    const draft = draftEntry(subject, 'rejected', status)
    await adopt(database, await insert((statement) => database.pool.query(statement), draft))
  } catch (error) {
    throw notRecorded(error)
  }
}

type Draft = {
  entry: Pick<AuditEntry, 'log' | 'ownerId' | 'id' | 'newIdentity'>
  insert: QueryConfig & { values: unknown[] }
  insertAgain: QueryConfig
}

type Send = (statement: QueryConfig & { values: unknown[] }) => Promise<Pick<QueryResult, 'rows'>>

async function insert(send: Send, { entry, insert: statement }: Draft): Promise<AuditEntry> {
  const { rows } = await send(statement)
  if (rows.length === 0) throw new KeyTaken()
  return { ...entry, recordedAt: (rows[0] as { now: Date }).now }
}

/** The id is known before the insert, so that the entry can get its outcome even if the reply is lost. */
function draftEntry(
  subject: Subject,
  outcome: 'pending' | 'rejected',
  status: number | null,
  reservation?: Reservation,
): Draft {
  const { actor, origin } = subject
  const id = newEntryId(origin.receivedAt)
  const isUser = 'userId' in actor
  const log = isUser ? 'user' : 'organization'
  const ownerId = isUser ? actor.userId : actor.organizationId
  const row: Record<string, unknown> = {
    [logColumns[log].owner]: ownerId,
    audit_event_id: id,
    ...requestColumns(subject),
    outcome,
    status,
    ...(!isUser && {
      member_id: actor.memberId,
      auth_type: actor.authType,
      key_prefix: actor.keyPrefix,
      rare_outcome: toRareOutcome(outcome),
    }),
  }
  const text = insertInto(logColumns[log].table, Object.keys(row))
  const values = Object.values(row)
  const complete = (insert: string) => (isUser ? insert : listEntry(insert))
  const entry: Draft['entry'] = { log, ownerId, id, newIdentity: isUser ? actor.newIdentity : null }
  const returning = 'returning clock_timestamp() as now'
  const reserved = reservation && reserving(reservation, values.length + 1)
  return {
    entry,
    insert: reserved
      ? {
          name: `record-${log}-${outcome}-once`,
          text: `${listEntry(insertInto(logColumns[log].table, Object.keys(row), 'reserved'), reserved.text)} ${returning}`,
          values: [...values, ...reserved.values],
        }
      : { name: `record-${log}-${outcome}`, text: `${complete(text)} ${returning}`, values },
    insertAgain: { text: complete(`${text} on conflict do nothing`), values },
  }
}

/** If the statement inserts an entry, lists it: it waits for its outcome, and with it for the chain. */
function listEntry(insert: string, before?: string): string {
  return `with ${before ? `${before}, ` : ''}entry as (${insert} returning 1) insert into audit_event_unchained (organization_id, audit_event_id) select $1, $2 from entry`
}

function requestColumns({ operation, origin, path }: Subject): Record<string, unknown> {
  const params = Object.entries(path).map(([name, value]) => [name, toStoredParam(value)])
  return {
    occurred_at: origin.receivedAt,
    request_id: origin.requestId,
    service: operation.service,
    method: operation.method,
    route: operation.route,
    params: JSON.stringify(Object.fromEntries(params)),
    ip: origin.ip,
    user_agent: toStoredAgent(origin.userAgent),
  }
}

/** Inserts one row; with `from`, one for each row of that. */
function insertInto(table: string, columns: string[], from?: string): string {
  const values = columns.map((_, index) => `$${index + 1}`).join(', ')
  return `insert into ${table} (${columns.join(', ')}) ${from ? `select ${values} from ${from}` : `values (${values})`}`
}

/** Ids ascend within this process, but stay near occurred_at in case the clock was set back. */
export function newEntryId(receivedAt: Date): string {
  const id = newId()
  const skewMs = Math.abs(decodeTime(id) - receivedAt.getTime())
  return skewMs < maxIdSkewMs ? id : ulid(receivedAt.getTime())
}
