import type { Pool } from 'pg'
import { conflict, type DomainError } from '../core/errors.ts'
import { Prisma } from '../database/generated/client.ts'
import { computedColumns, query, type Sql } from '../database/sql.ts'
import { ConditionUnmet, type EntryCondition } from './entry.ts'

/*
 * The row of a key:
 *
 * | Row      | Trigger                                                      | To       |
 * | (none)   | reserved, in the statement that writes the audit entry       | running  |
 * | running  | the write commits, and its answer with it                    | kept     |
 * | running  | refused with a status that is kept                           | kept     |
 * | running  | failed, or the caller's rights ended                         | (none)   |
 * | running  | its process was killed: a repetition finds the row unlocked  | (none)   |
 * | kept     | 24 hours have passed, or newer answers need the space        | (none)   |
 *
 * The transaction of the write locks the row, so a repetition on any process knows whether the request still runs.
 */

/** A key with its owner, because two members may use the same key. */
export type RecordKey = { organizationId: string; memberId: string; key: string }

/** A request that wants to run under a key. */
export type Reservation = RecordKey & { requestId: string; requestHash: Buffer }

/** `body` is null if the answer had none, or if the body was too large to keep. */
export type StoredAnswer = { status: number; body: string | null }

export type IdempotencyRecord = {
  requestHash: Buffer
  requestId: string
  /** Null while the request runs, or if its process was killed. */
  status: number | null
  body: string | null
  /** The result of the GraphQL field, serialized; set until the answer of the whole document is stored. */
  result: Buffer | null
  /** Whether the row has an answer that will not change. */
  isFinal: boolean
  /** Whether the row may be deleted unless it is locked: its answer is old, or it has had no answer for a few seconds. */
  isStale: boolean
}

export const retentionHours = 24

/** A row that is older than this, has no answer and is not locked belongs to a request whose process was killed. */
const graceSeconds = 3

/** Thrown if another request has reserved the key. */
export class KeyTaken extends ConditionUnmet {
  override readonly name = 'KeyTaken'
}

/** The condition that makes the reservation, if the key is free. */
export function reservationCondition({ memberId, key, requestHash, requestId }: Reservation): EntryCondition {
  return {
    name: 'once',
    text: (first) => `
      insert into kept_answer (organization_id, member_id, idempotency_key, request_hash, request_id)
      values ($1, $${first}, $${first + 1}, $${first + 2}, $${first + 3}) on conflict do nothing returning 1`,
    values: [memberId, key, requestHash, requestId],
    unmet: KeyTaken,
  }
}

/**
 * Locks the row until the transaction ends. Must be the first statement of the transaction, and may be sent before `recorded`
 * has made the reservation. Throws 409 if the row belongs to another request.
 */
export async function lockIdempotencyKey(
  sql: Sql,
  reservation: Reservation,
  recorded: Promise<unknown>,
): Promise<void> {
  const lock = () =>
    sql.query(query`
      select ${computedColumns({ isHeld: ['boolean', Prisma.sql`true`] })} from kept_answer
       where ${hasKey(reservation)} and request_id = ${reservation.requestId} for no key update`)
  if ((await lock()).length === 1) return
  // The entry may have been sent again on another connection, because the server had lost its statement.
  await recorded
  if ((await lock()).length === 0) throw requestReplaced(reservation)
}

/** The refusal of a request that was delayed for so long that a repetition has replaced it. */
function requestReplaced({ key }: Reservation): DomainError {
  return conflict(
    { field: 'idempotency_key', value: key },
    `This request was delayed, and another request with the key "${key}" replaced it. Repeat it in a moment.`,
  )
}

/** The statement that stores the answer, to be sent in the transaction of the write. */
export function storeAnswerStatement(
  reservation: Reservation,
  { status, body }: StoredAnswer,
  result: Buffer | null,
): Prisma.Sql {
  return Prisma.sql`
    update kept_answer set status = ${status}, body = ${body}, result = ${result}
     where ${hasKey(reservation)} and request_id = ${reservation.requestId}`
}

export async function storeAnswer(
  pool: Pool,
  reservation: Reservation,
  answer: StoredAnswer,
  result: Buffer | null = null,
): Promise<void> {
  const { text, values } = storeAnswerStatement(reservation, answer, result)
  await pool.query({ name: 'keep-answer', text, values })
}

/** A reservation that is further in the future is void: the database's clock has stepped back since it was made. */
const maxAheadSeconds = 10

const isGraceOver = Prisma.sql`
  (reserved_at < clock_timestamp() - ${graceSeconds} * interval '1 second'
   or reserved_at > clock_timestamp() + ${maxAheadSeconds} * interval '1 second')`
const isExpired = Prisma.sql`reserved_at < clock_timestamp() - ${retentionHours} * interval '1 hour'`

const keptColumns = computedColumns({
  isFinal: ['boolean', Prisma.sql`status is not null and (result is null or ${isGraceOver})`],
  isStale: ['boolean', Prisma.sql`${isExpired} or (status is null and ${isGraceOver})`],
})

export async function findIdempotencyRecord(pool: Pool, key: RecordKey): Promise<IdempotencyRecord | null> {
  const { text, values } = Prisma.sql`
    select request_hash as "requestHash", request_id as "requestId", status, body, result, ${keptColumns} from kept_answer where ${hasKey(key)}`
  const { rows } = await pool.query<IdempotencyRecord>({ name: 'find-kept', text, values })
  return rows[0] ?? null
}

/**
 * Deletes the row if its answer is too old, or if it has no answer and belongs to this request or to a request whose
 * process was killed. Returns false if the row stays, for example because a transaction has locked it.
 */
export async function deleteUnusedRecord(pool: Pool, reservation: Reservation): Promise<boolean> {
  const matchesKey = hasKey(reservation)
  const { text, values } = Prisma.sql`
    delete from kept_answer
     where ${matchesKey} and (member_id, idempotency_key) in (
           select member_id, idempotency_key from kept_answer
            where ${matchesKey}
              and (${isExpired} or (status is null and (request_id = ${reservation.requestId} or ${isGraceOver})))
              for update skip locked)`
  const { rowCount } = await pool.query({ name: 'drop-unused-key', text, values })
  return rowCount === 1
}

/** The bytes of a row without its answer, but with its index entries. */
export const keptRowBytes = 512

/** Deletes an organization's oldest answers, so that the others take at most `maxBytes`. Returns how many it deleted. */
export async function deleteOldestAnswers(pool: Pool, organizationId: string, maxBytes: number): Promise<number> {
  const { text, values } = Prisma.sql`
    with sized as (
      select member_id, idempotency_key,
             sum(${keptRowBytes} + coalesce(octet_length(body), 0) + coalesce(octet_length(result), 0))
               over (order by reserved_at desc, member_id, idempotency_key) as bytes
        from kept_answer where organization_id = ${organizationId} and status is not null)
    delete from kept_answer kept using sized
     where kept.organization_id = ${organizationId} and kept.member_id = sized.member_id
       and kept.idempotency_key = sized.idempotency_key and sized.bytes > ${maxBytes}`
  const { rowCount } = await pool.query({ name: 'drop-oldest-answers', text, values })
  return rowCount ?? 0
}

function hasKey({ organizationId, memberId, key }: RecordKey): Prisma.Sql {
  return Prisma.sql`organization_id = ${organizationId} and member_id = ${memberId} and idempotency_key = ${key}`
}
