import { type FirstLock, lockPerson, lockRights } from '../access/rights.ts'
import type { Vault } from '../core/vault.ts'
import type { Database } from '../database/client.ts'
import type { Prisma } from '../database/generated/client.ts'
import { awaitInOrder, type Sql } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import type { Job } from '../events/queues.ts'
import { lockIdempotencyKey } from '../recording/idempotency-record.ts'
import { admitMember, type MemberCall } from './admit-member.ts'
import {
  type Answers,
  addsStoredData,
  type MemberDefinition,
  type PathOf,
  type StorageDefinition,
} from './definition.ts'
import type { Kind } from './kind.ts'
import { lastStatements } from './last-statements.ts'
import type { Limits } from './limits.ts'
import { type KeyReservation, runIdempotent } from './run-idempotent.ts'
import { runRecorded, type WithPrisma } from './run-recorded.ts'
import type { Services } from './services.ts'

/** The context of a write before it is recorded. */
type WriteCall<Route extends string, T> = {
  organizationId: string
  /** The member who sent the request. */
  memberId: string
  path: PathOf<Route>
  input: T
  limits: Limits
  vault: Vault
  /** The service's address, without a trailing slash: links begin with it. */
  baseUrl: string
}

/** `now` is the database's time when the write was recorded. */
type RecordedCall<Route extends string, T> = WriteCall<Route, T> & { now: Date }

type WriteDefinition<Route extends string, T, Result> = MemberDefinition<Route, T> &
  Answers<Result> &
  StorageDefinition & {
    /** The status of a success, in the REST API and in the audit entry. */
    status: 200 | 201 | 204
    /**
     * The lock that the runner takes before the lock on the caller's rights. The operation never locks the organization, not
     * even through a foreign key: an operation that creates a row that refers to the organization declares this lock.
     */
    locks?: FirstLock
    /** The person whose account the runner locks before everything else. */
    locksPerson?(input: T): string
    /**
     * Runs once the audit entry is written, before the transaction, for work that would take too long in one transaction. May
     * refuse. What it has done stays, even if the write then fails.
     */
    prepare?(call: { database: Database; organizationId: string; input: T; limits: Limits }): Promise<void>
    /**
     * Runs before a stored success is sent again. The first request may still be in its `afterCommit`, or its process may have
     * been killed there. Never fails.
     */
    beforeReplay?: (database: Database, organizationId: string) => Promise<void>
  }

export type Write<Route extends string, T, Result> = WriteDefinition<Route, T, Result> & {
  kind: 'write'
  /**
   * Called right after the statement that checks the caller's rights is sent, without waiting for the answer. The returned
   * function is called once the write is recorded and the caller is known to have the rights.
   */
  start(
    context: WriteCall<Route, T> & { sql: Sql; withPrisma: WithPrisma },
  ): (now: Date) => Promise<WriteOutcome<Result>>
}

/** The result of a write. The runner records it in the transaction of the write. */
export type WriteOutcome<Result> = {
  result: Result
  /** The id or key of the created object, on a create. */
  createdId?: string
  /** The change, as the contract defines it for this write; null when nothing changed. */
  details: Record<string, unknown> | null
  /** When the object changed, as stored in its row; by default, when the outcome is recorded. */
  changedAt?: Date
  /** Statements whose results are not needed. They are sent together with COMMIT. */
  writes?: readonly Prisma.Sql[]
  /** Events that notify followers of changes, and are queued for receivers if the organization has an endpoint. */
  events?: readonly NewEvent[]
  /** Whether events that were queued before may now be due. */
  mayBeDue?: boolean
  /** Whether to send a test of the webhook. */
  hasTest?: boolean
  jobs?: readonly Job[]
  /** Runs after the commit, before the answer; never fails. */
  afterCommit?: (database: Database) => Promise<void>
}

/** Defines a write through Prisma, or in plain SQL in the same transaction. */
export function defineWrite<const Route extends string, T, Result>({
  run,
  ...definition
}: WriteDefinition<Route, T, Result> & {
  run(context: RecordedCall<Route, T> & { tx: Transaction; sql: Sql }): Promise<WriteOutcome<Result>>
}): Write<Route, T, Result> {
  return {
    kind: 'write',
    ...definition,
    start:
      ({ withPrisma, ...context }) =>
      (now) =>
        withPrisma((tx) => run({ ...context, tx, now })),
  }
}

/**
 * Defines a write that is called often, in plain SQL: `lockAndRead` locks and reads in the same round trip as the check of the
 * caller's rights; `apply` computes the outcome without a query.
 */
export function defineFastWrite<const Route extends string, T, Result, Read extends readonly unknown[]>({
  lockAndRead,
  apply,
  ...definition
}: WriteDefinition<Route, T, Result> & {
  /**
   * Sends its statements without waiting, in the order in which locks must be taken. If several fail, the write fails with the
   * first failure.
   */
  lockAndRead(sql: Sql, call: WriteCall<Route, T>): readonly [...{ [Index in keyof Read]: Promise<Read[Index]> }]
  apply(read: Read, call: RecordedCall<Route, T>): WriteOutcome<Result>
}): Write<Route, T, Result> {
  return {
    kind: 'write',
    ...definition,
    start({ sql, withPrisma: _, ...call }) {
      const reading = awaitInOrder(lockAndRead(sql, call))
      reading.catch(() => {})
      return async (now) => apply((await reading) as unknown as Read, { ...call, now })
    },
  }
}

type AnyWrite = Write<string, unknown, unknown>

export const write: Kind<AnyWrite> = {
  isWrite: true,
  isRecorded: () => true,
  admit: (services, operation, request) =>
    admitMember(services, { operation, isRecorded: true, takesRemembered: true }, request, (call, readInput) => {
      const { idempotentRequest } = request
      if (!idempotentRequest) return run(services, operation, call, readInput)
      const { actor } = call
      return runIdempotent({ services, operation, actor, request, idempotentRequest, readInput }, (readInput, once) =>
        run(services, operation, call, readInput, once),
      )
    }),
}

async function run(
  services: Services,
  operation: AnyWrite,
  { actor, origin, path }: MemberCall,
  readInput: () => unknown,
  keyReservation: KeyReservation | null = null,
): Promise<unknown> {
  const { changes, database, jobs, limits, storageQuota, vault } = services
  const { organizationId, memberId } = actor
  const { baseUrl } = origin
  let afterCommit: WriteOutcome<unknown>['afterCommit']
  const result = await runRecorded(services, {
    subject: { operation, actor, origin, path },
    status: operation.status,
    reservation: keyReservation?.reservation,
    preparation: operation.prepare && 'long',
    prepare() {
      keyReservation?.onSent()
      const input = operation.input.parse(readInput())
      return operation.prepare?.({ database, organizationId, input, limits }).then(() => input) ?? input
    },
    async run({ sql, withPrisma, recorded }, input) {
      // These statements are sent together. PostgreSQL executes them in this order, and their errors are read in the same
      // order.
      const key = keyReservation && lockIdempotencyKey(sql, keyReservation.reservation, recorded)
      const person = operation.locksPerson && lockPerson(sql, operation.locksPerson(input))
      const rights = lockRights(sql, actor, operation)
      const call = { organizationId, memberId, path, input, limits, vault, baseUrl }
      const finish = operation.start({ sql, withPrisma, ...call })
      const [now, , , stored] = await awaitInOrder([recorded, key, person, rights])
      const outcome = await finish(now)
      afterCommit = outcome.afterCommit
      const room = addsStoredData(operation) ? storageQuota.reserve(organizationId, stored) : null
      const { writes = [] } = outcome
      return {
        ...outcome,
        last: await lastStatements(jobs, organizationId, {
          ...outcome,
          writes: keyReservation ? [...writes, keyReservation.keep(outcome.result)] : writes,
        }),
        onCommitted({ events, hasChanges }) {
          room?.add(input)
          if (hasChanges) changes.wake(organizationId)
          if (events > 0 || outcome.mayBeDue) jobs.wake(organizationId)
          if (outcome.hasTest) jobs.test(organizationId)
        },
      }
    },
  })
  await afterCommit?.(database)
  return result
}
