import { setTimeout as wait } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { Pool } from 'pg'
import { type Actor, fairQueueKey } from '../access/actor.ts'
import { withDeadline } from '../core/deadline.ts'
import type { DomainError } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import type { Prisma } from '../database/generated/client.ts'
import { toDomainError } from '../database/outage.ts'
import {
  deleteUnusedRecord,
  findIdempotencyRecord,
  type IdempotencyRecord,
  KeyTaken,
  type Reservation,
  storeAnswer,
  storeAnswerStatement,
} from '../recording/idempotency-record.ts'
import type { Definition, KindName } from './definition.ts'
import {
  acceptsIdempotencyKey,
  type IdempotentRequest,
  idempotencyKeyNotAllowed,
  invalidKey,
  isKeptRefusal,
  keyUsedForAnotherRequest,
  nullIfTooLarge,
  Replayed,
  readKey,
  requestStillRunning,
} from './idempotent-request.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'
import { budgetMs } from './write-budget.ts'

/** A write whose request has an `Idempotency-Key`. */
type IdempotentCall = {
  services: Services
  operation: Definition<string, unknown> & {
    kind: KindName
    status: number
    beforeReplay?: (database: Database, organizationId: string) => Promise<void>
  }
  actor: Actor
  request: OperationRequest
  idempotentRequest: IdempotentRequest
  readInput: () => unknown
}

/** How the write reserves its key and keeps its answer. */
export type KeyReservation = {
  reservation: Reservation
  /** Called once the reservation has been sent to the database. */
  onSent(): void
  /** Returns the statement that keeps the answer, to be sent together with COMMIT. */
  keep(result: unknown): Prisma.Sql
}

/** Runs the write under a key; without a key, it only records the refusal that `readInput` throws. */
type Run = (readInput: () => unknown, once: KeyReservation | null) => Promise<unknown>

/** How often a repetition asks whether the first request, which runs in another process, has ended. */
const pollMs = 50

/**
 * Runs a write once for each key. A repetition waits until the first request has its answer; then this throws that answer as
 * `Replayed`, or returns the result again if the answer itself was not kept.
 */
export async function runIdempotent(call: IdempotentCall, run: Run): Promise<unknown> {
  const { services, operation, actor, request, idempotentRequest } = call
  const { repeats, queue } = services
  const refuse = (refusal: DomainError) => {
    const readInput = () => {
      throw refusal
    }
    return run(readInput, null)
  }
  if (!acceptsIdempotencyKey(operation)) return refuse(idempotencyKeyNotAllowed(operation))
  const key = readKey(idempotentRequest.header)
  if (key === null) return refuse(invalidKey())

  const { organizationId, memberId } = actor
  const { requestHash } = idempotentRequest
  const reservation = { organizationId, memberId, key, requestId: request.requestId, requestHash }
  const name = `${organizationId}/${memberId}/${key}`
  const deadline = performance.now() + budgetMs.begun
  let mayBeTaken = repeats.isRunning(name)
  let hasWaited = false
  while (true) {
    if (!mayBeTaken) {
      try {
        return await repeats.run(name, () => runFirstRequest(call, reservation, run))
      } catch (error) {
        if (!(error instanceof KeyTaken)) throw error
      }
    }
    await repeats.untilEnded(name, deadline)
    const record = await repeats.shareLookup(name, async () => {
      if (hasWaited) await wait(pollMs)
      return queue.run(fairQueueKey(actor), () => findUsableRecord(services, reservation))
    })
    if (record && !requestHash.equals(record.requestHash)) return refuse(keyUsedForAnotherRequest(key))
    if (record?.isFinal) return replay(call, { ...reservation, requestId: record.requestId }, record)
    mayBeTaken = record !== null || repeats.isRunning(name)
    if (mayBeTaken && performance.now() > deadline) return refuse(requestStillRunning(key))
    hasWaited = record !== null
  }
}

/** The key's row, or null if the key is free. Deletes a row that its request abandoned. */
async function findUsableRecord(
  { database: { pool } }: Services,
  reservation: Reservation,
): Promise<IdempotencyRecord | null> {
  const record = await findIdempotencyRecord(pool, reservation)
  const isDeleted = record?.isStale && (await deleteUnusedRecord(pool, reservation))
  return isDeleted ? null : record
}

async function runFirstRequest(call: IdempotentCall, reservation: Reservation, run: Run): Promise<unknown> {
  const { services, operation, idempotentRequest, readInput } = call
  const { status } = operation
  let keptBytes = 0
  let isSent = false
  const keyReservation: KeyReservation = {
    reservation,
    onSent() {
      isSent = true
    },
    keep(result) {
      // In GraphQL the answer is not known before the document has run, which is after the commit.
      const body = idempotentRequest.toBody ? nullIfTooLarge(idempotentRequest.toBody(result)) : null
      const serialized = idempotentRequest.toBody ? null : nullIfTooLarge(serialize(result))
      keptBytes = Math.max(body?.length ?? 0, serialized?.length ?? 0)
      return storeAnswerStatement(reservation, { status, body }, serialized)
    },
  }
  try {
    const result = await run(readInput, keyReservation)
    services.repeats.countKept(reservation.organizationId, keptBytes)
    if (!idempotentRequest.toBody) storeAnswerText(call, reservation)
    return result
  } catch (error) {
    if (isSent && !(error instanceof KeyTaken)) await storeOrForgetRefusal(call, reservation, toDomainError(error))
    throw error
  }
}

/**
 * Keeps the answer of a GraphQL document. If it is too large, a repetition gets the object in its state at the time of the
 * repetition.
 */
function storeAnswerText(call: IdempotentCall, reservation: Reservation): void {
  const { services, operation, idempotentRequest } = call
  const { status } = operation
  idempotentRequest.keepLater(async (text) => {
    const body = nullIfTooLarge(text)
    if (body === null && !services.findReadOperation(operation.answer)) return
    await updateRecordSoon(call, (pool) => storeAnswer(pool, reservation, { status, body }))
    services.repeats.countKept(reservation.organizationId, body?.length ?? 0)
  })
}

/** Keeps a refusal once the API has its body. Forgets the request after any other failure, or if the body is too large. */
async function storeOrForgetRefusal(
  call: IdempotentCall,
  reservation: Reservation,
  failure: DomainError,
): Promise<void> {
  const { status } = failure
  const forget = () => updateRecordSoon(call, (pool) => deleteUnusedRecord(pool, reservation))
  if (!isKeptRefusal(failure)) return forget()
  call.idempotentRequest.keepLater(async (text) => {
    const body = nullIfTooLarge(text)
    if (body === null) return forget()
    await updateRecordSoon(call, (pool) => storeAnswer(pool, reservation, { status, body }))
    call.services.repeats.countKept(reservation.organizationId, body.length)
  })
}

/**
 * Waits only briefly, because the answer is sent afterwards. If the row stays unfinished, a repetition takes it over after a
 * few seconds.
 */
async function updateRecordSoon(
  { services, actor }: IdempotentCall,
  work: (pool: Pool) => Promise<unknown>,
): Promise<void> {
  const { database, logger, queue } = services
  const working = queue.run(fairQueueKey(actor), () => work(database.pool))
  await withDeadline(performance.now() + budgetMs.outcome, working).catch((error) => {
    logger.warn({ err: error }, 'the answer to a request with an Idempotency-Key could not be stored yet')
  })
}

async function replay(call: IdempotentCall, first: Reservation, kept: IdempotencyRecord): Promise<unknown> {
  const { services, operation, request, idempotentRequest, readInput } = call
  const { status, body, result } = kept
  if (status === operation.status) await operation.beforeReplay?.(services.database, first.organizationId)
  idempotentRequest.isReplay = true
  const hasNoBody = operation.answer === null && idempotentRequest.toBody !== undefined
  if (body !== null || hasNoBody) throw new Replayed({ status: status as number, body })
  if (result) {
    storeAnswerText(call, first)
    return deserialize(result)
  }
  const input = operation.input.parse(readInput()) as object
  return services.findReadOperation(operation.answer)?.(services, request, { ...input, ...request.path })
}
