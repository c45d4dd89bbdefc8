import type { QueryResult } from 'pg'
import { decodeTime, ulid } from 'ulidx'
import type { Actor } from '../access/actor.ts'
import { isMoving } from '../access/organization-move.ts'
import { withDeadline } from '../core/deadline.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../database/client.ts'
import { isAnswered } from '../database/outage.ts'
import { asynchronousCommit } from '../database/sql.ts'
import type { WriteConnection } from '../database/write-connection.ts'
import {
  type AuditEntry,
  ConditionUnmet,
  type EntryCondition,
  logTables,
  maxIdSkewMs,
  notRecorded,
  type RecordedRequest,
  toRareOutcome,
} from './entry.ts'
import { type Reservation, reservationCondition } from './idempotency-record.ts'
import { assignToNewAccount } from './record.ts'
import { toStoredAgent, toStoredParam } from './stored-text.ts'

type PendingOptions = {
  /** By `performance.now()`. */
  deadline: number
  /** Called with an entry that may or may not exist, because its insert got no reply. */
  onUnsure: (entry: AuditEntry) => void
  /** Made by the same statement. If its key is taken, nothing is recorded, and `KeyTaken` is thrown. */
  reservation?: Reservation | undefined
}

/** Thrown if the caller is no longer as this process remembers it. */
export class CallerChanged extends ConditionUnmet {
  override readonly name = 'CallerChanged'
}

/** The condition that the remembered caller's key is still valid and its role is the same. */
function isCallerUnchanged({ memberId, role, credentialHash }: Actor): EntryCondition {
  return {
    name: 'remembered',
    text: (first) => `
      select from member m join api_key k on k.organization_id = m.organization_id and k.member_id = m.member_id
       where m.organization_id = $1 and m.member_id = $${first} and m.status = 'active' and m.role = $${first + 1}
         and not ${isMoving('m')} and k.organization_id = $1 and k.key_hash = decode($${first + 2}, 'hex')
         and (k.expires_at is null or k.expires_at > clock_timestamp())`,
    values: [memberId, role, credentialHash],
    unmet: CallerChanged,
  }
}

/**
 * Records a write before it runs; throws 503 if it cannot be recorded. Sends the entry before it waits for anything. Throws
 * `CallerChanged`, and records nothing, if the caller is remembered and has changed.
 */
export async function recordPending(
  connection: Pick<WriteConnection, 'send'>,
  subject: RecordedRequest,
  { deadline, onUnsure, reservation }: PendingOptions,
): Promise<AuditEntry> {
  const { actor } = subject
  const condition = reservation
    ? reservationCondition(reservation)
    : 'isRemembered' in actor && actor.isRemembered
      ? isCallerUnchanged(actor)
      : undefined
  const draft = draftEntry(subject, 'pending', null, condition)
  try {
    return await withDeadline(
      deadline,
      insert((statement) => connection.send(statement), draft),
    )
  } catch (error) {
    if (error instanceof ConditionUnmet) throw error
    if (!isAnswered(error)) {
      onUnsure({ ...draft.entry, recordedAt: subject.origin.receivedAt })
    }
    throw notRecorded(error)
  }
}

/** Records a request that was refused before it ran. */
export async function recordRejection(database: Database, subject: RecordedRequest, status: number): Promise<void> {
  try {
    const draft = draftEntry(subject, 'rejected', status)
    await assignToNewAccount(database, await insert((statement) => database.pool.query(statement), draft))
  } catch (error) {
    throw notRecorded(error)
  }
}

type Draft = {
  entry: Omit<AuditEntry, 'recordedAt'>
  insert: NamedStatement
  condition: EntryCondition | undefined
}

type NamedStatement = { name: string; text: string; values: unknown[] }
type SendStatement = (statement: NamedStatement) => Promise<Pick<QueryResult, 'rows'>>

async function insert(send: SendStatement, { entry, insert: statement, condition }: Draft): Promise<AuditEntry> {
  const { rows } = await send(statement)
  if (condition && rows.length === 0) throw new condition.unmet()
  return { ...entry, recordedAt: (rows[0] as { now: Date }).now }
}

/** Chooses the id before the insert, so that the entry can get its outcome even if the reply is lost. */
function draftEntry(
  subject: RecordedRequest,
  outcome: 'pending' | 'rejected',
  status: number | null,
  condition?: EntryCondition,
): Draft {
  const { actor, origin } = subject
  const id = newEntryId(origin.receivedAt)
  const isUser = 'userId' in actor
  const log = isUser ? 'user' : 'organization'
  const ownerId = isUser ? actor.userId : actor.organizationId
  const values = [ownerId, id, ...requestValues(subject), outcome, status]
  if (!isUser) values.push(actor.memberId, actor.authType, actor.keyPrefix, toRareOutcome(outcome))
  const insertAgain = () => ({ text: insertText(log, { suffix: 'on conflict do nothing' }), values })
  const entry = { log, ownerId, id, newIdentity: isUser ? actor.newIdentity : null, insertAgain } as const
  const name = `record-${log}-${outcome}${condition ? `-${condition.name}` : ''}`
  let text = textsByName.get(name)
  if (text === undefined) {
    text = `${insertText(log, { condition })} returning clock_timestamp() as now`
    // This commit does not wait for the disk: whatever waits for the disk later, such as the write's commit, also waits for
    // this entry, and nothing is answered before that.
    if (outcome === 'pending') text += `, ${asynchronousCommit}`
    textsByName.set(name, text)
  }
  return { entry, insert: { name, text, values: condition ? [...values, ...condition.values] : values }, condition }
}

/** The texts of the statements, by name. */
const textsByName = new Map<string, string>()

const requestColumns = ['occurred_at', 'request_id', 'service', 'method', 'route', 'params', 'ip', 'user_agent']
const columns = {
  user: ['user_id', 'audit_event_id', ...requestColumns, 'outcome', 'status'],
  organization: [
    ...['organization_id', 'audit_event_id', ...requestColumns, 'outcome', 'status'],
    ...['member_id', 'auth_type', 'key_prefix', 'rare_outcome'],
  ],
}

function requestValues({ operation, origin, path }: RecordedRequest): unknown[] {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(path)) params[name] = toStoredParam(value)
  const { receivedAt, requestId, ip, userAgent } = origin
  const { service, method, route } = operation
  return [receivedAt, requestId, service, method, route, JSON.stringify(params), ip, toStoredAgent(userAgent)]
}

/** SQL that inserts an entry. An organization's entry is also listed as unchained until a worker adds it to the chain. */
function insertText(
  log: AuditEntry['log'],
  { condition, suffix = '' }: { condition?: EntryCondition | undefined; suffix?: string },
): string {
  const names = columns[log]
  const values = names.map((_, index) => `$${index + 1}`).join(', ')
  const rows = condition ? `select ${values} from met` : `values (${values})`
  const insert = `insert into ${logTables[log].table} (${names.join(', ')}) ${rows} ${suffix}`
  if (log === 'user') return insert
  const before = condition ? `met as (${condition.text(names.length + 1)}), ` : ''
  return `with ${before}entry as (${insert} returning 1) insert into audit_event_unchained (organization_id, audit_event_id) select $1, $2 from entry`
}

/** A new id. Ids ascend within this process, but stay close to `occurred_at` if the clock was set back. */
export function newEntryId(receivedAt: Date): string {
  const id = newId()
  const skewMs = Math.abs(decodeTime(id) - receivedAt.getTime())
  return skewMs < maxIdSkewMs ? id : ulid(receivedAt.getTime())
}
