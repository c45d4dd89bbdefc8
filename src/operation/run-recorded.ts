import type { QueryConfig } from 'pg'
import type { Logger } from 'pino'
import { fairQueueKey } from '../access/actor.ts'
import { DeadlineExceeded, withDeadline } from '../core/deadline.ts'
import { DomainError, unavailable } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import { isAnswered, isStatementLost, toDomainError } from '../database/outage.ts'
import { runTransactionOn } from '../database/prisma.ts'
import { awaitInOrder, type Sql, type Statement } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import { WriteConnection } from '../database/write-connection.ts'
import type { FairQueue } from '../fairness/fair-queue.ts'
import type { Origin } from '../http/origin.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AuditEntry, EntryOutcome, RecordedRequest } from '../recording/entry.ts'
import { ConditionUnmet, notRecorded } from '../recording/entry.ts'
import type { Reservation } from '../recording/idempotency-record.ts'
import { recordPending } from '../recording/insert-entry.ts'
import type { LateOutcomes } from '../recording/late-outcomes.ts'
import { readBack } from '../recording/read-back.ts'
import { assignToNewAccount, type RecordedChange, recordOutcome, successStatements } from '../recording/record.ts'
import type { Refusals } from '../recording/refusals.ts'
import { type CommitResult, type LastStatements, sendCommit } from './last-statements.ts'
import { budgetMs } from './write-budget.ts'

/*
 * | Entry     | Trigger                                                    | To          | Status |
 * | (none)    | recorded, before anything runs                             | pending     |        |
 * | pending   | the write commits, and its outcome with it                 | responded   | 2xx    |
 * | (unsure)  | no reply to the insert of the entry: the write does not run | responded  | 503    |
 * | pending   | refused, failed or rolled back                             | responded   | 4xx, 5xx |
 * | pending   | the caller's rights ended before the write                 | rejected    | 401, 403 |
 * | pending   | no reply to COMMIT; the entry shows that it did not commit | responded   | 503    |
 * | pending   | no reply to COMMIT, not read back in time, did not commit  | no_response |        |
 * | pending   | the process is killed                                      | pending     |        |
 */

type RecorderServices = { database: Database; lateOutcomes: LateOutcomes; logger: Logger; metrics: Metrics }

/** The result of a write, with the values that its entry records. */
type RecordedOutcome<Result> = RecordedChange & {
  result: Result
  /** Sent together with COMMIT. */
  last?: LastStatements
  /** Called once COMMIT is answered. Never waits, never fails. */
  onCommitted?(queued: CommitResult): void
}

/** Prisma's client in the transaction of the write. */
export type WithPrisma = <Result>(run: (tx: Transaction) => Promise<Result>) => Promise<Result>

/** A transaction that has begun. */
type RecordedTransaction = {
  sql: Sql
  withPrisma: WithPrisma
  /** Resolves to the database's time when the entry was written; rejects if it could not be written. */
  recorded: Promise<Date>
}

type RecordedRun<Prepared, Result> = {
  subject: RecordedRequest
  /** The status of a success. */
  status: number
  /** Set for a request with an `Idempotency-Key`: if the key is taken, nothing is recorded and nothing runs. */
  reservation?: Reservation | undefined
  /** Whether the entry is also in the log of the outcome's organization, in addition to the person's own log. */
  inOrganization?: boolean
  /** Whether the number of its refusals is limited: see `Refusals`. */
  limitsRefusals?: true | undefined
  /** Whether `prepare` runs once the entry is written, without a connection. After a `long` one, the budget begins again. */
  preparation?: 'slow' | 'long' | undefined
  /** Reads the input; throws if it is invalid. */
  prepare: () => Prepared | Promise<Prepared>
  /** Runs in one transaction, which includes the entry's outcome. Waits for `recorded` before it returns or refuses. */
  run: (transaction: RecordedTransaction, prepared: Prepared) => Promise<RecordedOutcome<Result>>
}

/** Runs a write, or a read that is recorded, in the queue of its owner's requests. Records it first. */
export function runRecorded<Prepared, Result>(
  services: RecorderServices & { queue: FairQueue; refusals: Refusals },
  recorded: RecordedRun<Prepared, Result>,
): Promise<Result> {
  const { actor } = recorded.subject
  const run = () => recordAndRun(services, recorded)
  const runLimited = recorded.limitsRefusals ? () => services.refusals.run(actor, run) : run
  return services.queue.run(fairQueueKey(actor), runLimited)
}

/**
 * Records first, then runs: the entry is `pending` before anything happens, and its outcome commits with the write.
 * Any later failure rolls the write back and gives the entry the status of the answer.
 */
async function recordAndRun<Prepared, Result>(
  services: RecorderServices,
  recorded: RecordedRun<Prepared, Result>,
): Promise<Result> {
  const { database, metrics } = services
  const beganAt = performance.now()
  const recording = await record(services, recorded, beganAt)
  try {
    const { result } = await prepareAndCommit(database, recording, recorded)
    const entry = await recording.entry
    metrics.auditEntries.add(1, 'responded')
    if (entry.newIdentity) await assignToAccountSoon(services, entry)
    return result
  } catch (error) {
    // If the entry was not recorded, answer with that error, whatever else failed.
    const entry = await recording.entry
    throw await recordFailure(services, recorded.subject, entry, error)
  }
}

async function assignToAccountSoon({ database, logger }: RecorderServices, entry: AuditEntry): Promise<void> {
  await withDeadline(performance.now() + budgetMs.outcome, assignToNewAccount(database, entry)).catch((cause) => {
    logger.warn({ err: cause }, 'log entries from before the person had an account could not be moved to it yet')
  })
}

/** Records the failure as the outcome of the entry; returns the error to answer. */
export async function recordFailure(
  { database, lateOutcomes, logger, metrics }: RecorderServices,
  { origin }: RecordedRequest,
  entry: AuditEntry,
  error: unknown,
): Promise<DomainError> {
  if (error instanceof CommitOutcomeUnknown) {
    timedOutOrigins.add(origin)
    metrics.auditEntries.add(1, 'no_response')
    lateOutcomes.record(entry, { outcome: 'no_response', status: null })
    return unavailable(
      'The connection to the database was lost, and we do not know whether the change was saved: check before you retry.',
    )
  }
  const failure = toDomainError(error)
  const { status } = failure
  if (status === 503) timedOutOrigins.add(origin)
  // The caller was admitted before, so 401 and 403 mean that the caller's rights have ended since.
  const outcome = status === 401 || status === 403 ? 'rejected' : 'responded'
  const entryOutcome: EntryOutcome = { outcome, status }
  metrics.auditEntries.add(1, outcome)
  const recording = recordOutcome(database, entry, entryOutcome)
  await withDeadline(performance.now() + budgetMs.outcome, recording).catch((cause) => {
    logger.warn({ err: cause, auditEventId: entry.id }, 'the outcome of a refused request will be recorded later')
    lateOutcomes.record(entry, entryOutcome)
  })
  return failure
}

/** Requests that timed out on the database. Their other fields fail at once, because each would wait as long again. */
const timedOutOrigins = new WeakSet<Origin>()

type Recording = {
  beganAt: number
  /** Writes the entry first, and then runs the transaction on the same connection. */
  connection: WriteConnection
  /** Rejects if the entry could not be written. */
  entry: Promise<AuditEntry>
}

/** Sends the entry, without waiting for the answer. */
async function record(
  { database, lateOutcomes, metrics }: RecorderServices,
  { subject, reservation }: Pick<RecordedRun<never, never>, 'subject' | 'reservation'>,
  beganAt: number,
): Promise<Recording> {
  const { origin } = subject
  if (timedOutOrigins.has(origin)) throw notRecorded(new Error('An earlier field of this request had no answer.'))
  try {
    const connection = await WriteConnection.take(database.pool)
    const send = (statement: Statement) =>
      connection.send(statement).catch((error) => {
        if (!isStatementLost(error)) throw error
        // The driver has dropped the name. Use another connection, because this one has already sent the transaction.
        return database.pool.query(statement as QueryConfig)
      })
    const entry = recordPending({ send }, subject, {
      deadline: beganAt + budgetMs.readBack,
      reservation,
      onUnsure: (unsure) => {
        connection.drop(new Error('The database did not confirm the entry of the audit log.'))
        lateOutcomes.record(unsure, { outcome: 'responded', status: 503 })
      },
    })
    entry.then(
      () => metrics.auditEntries.add(1, 'pending'),
      (error) => {
        if (!(error instanceof ConditionUnmet)) timedOutOrigins.add(origin)
      },
    )
    return { beganAt, connection, entry }
  } catch (error) {
    timedOutOrigins.add(origin)
    throw notRecorded(error)
  }
}

async function prepareAndCommit<Prepared, Result>(
  database: Database,
  recording: Recording,
  recorded: RecordedRun<Prepared, Result>,
): Promise<RecordedOutcome<Result>> {
  const { beganAt, connection, entry } = recording
  const { prepare, preparation } = recorded
  try {
    if (!preparation) return await commitWithRetry(database, recording, recorded, (prepare as () => Prepared)())
    await entry
  } catch (error) {
    await entry
    throw error
  } finally {
    connection.release()
  }
  const prepared = await prepare()
  const began = preparation === 'long' ? performance.now() : beganAt
  const another = await WriteConnection.take(database.pool)
  return commitWithRetry(database, { beganAt: began, connection: another, entry }, recorded, prepared)
}

/** Runs the transaction, and runs it again if PostgreSQL had lost a named statement and therefore did not commit. */
async function commitWithRetry<Prepared, Result>(
  database: Database,
  recording: Recording,
  recorded: RecordedRun<Prepared, Result>,
  prepared: Prepared,
): Promise<RecordedOutcome<Result>> {
  try {
    return await commit(database, recording, recorded, prepared)
  } catch (error) {
    if (!recording.connection.hasLostStatement) throw error
    return commit(database, { ...recording, connection: await WriteConnection.take(database.pool) }, recorded, prepared)
  }
}

/** Thrown if nobody knows whether the write committed. */
class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown'
}

/** If no reply to COMMIT comes, the audit entry shows whether the write committed. */
async function commit<Prepared, Result>(
  database: Database,
  recording: Recording,
  recorded: RecordedRun<Prepared, Result>,
  prepared: Prepared,
): Promise<RecordedOutcome<Result>> {
  const { beganAt, connection } = recording
  const { outcome, entry, committed } = await runAndSendCommit(database, recording, recorded, prepared)
  const replyDeadline = Math.min(performance.now() + budgetMs.commit, beganAt + budgetMs.committed)
  try {
    const committedCounts = await withDeadline(replyDeadline, committed)
    outcome.onCommitted?.(committedCounts)
    return outcome
  } catch (error) {
    // PostgreSQL refused a statement, and therefore did not commit.
    if (isAnswered(error) || error instanceof DomainError) {
      await untilEnded(connection)
      throw error
    }
    connection.drop(error)
    const hasCommitted = await readBack(database, entry, beganAt + budgetMs.readBack).catch((cause) => {
      throw new CommitOutcomeUnknown('The outcome of a COMMIT could not be read back.', { cause })
    })
    if (hasCommitted) return outcome
    throw unavailable('The database did not accept the change. Nothing was changed; try again in a moment.', error)
  }
}

type SentWrite<Result> = { outcome: RecordedOutcome<Result>; entry: AuditEntry; committed: Promise<CommitResult> }

/** If this throws, COMMIT was not sent, so nothing can have committed. */
async function runAndSendCommit<Prepared, Result>(
  { prisma }: Database,
  { beganAt, connection, entry: recording }: Recording,
  { status, inOrganization = false, run }: RecordedRun<Prepared, Result>,
  prepared: Prepared,
): Promise<SentWrite<Result>> {
  const deadline = beganAt + budgetMs.begun
  const withPrisma: WithPrisma = (work) =>
    runTransactionOn(connection.lend(), prisma, work, Math.max(1, deadline - performance.now()))
  try {
    const begun = connection.begin()
    const recorded = recording.then(({ recordedAt }) => recordedAt)
    const running = run({ sql: connection, withPrisma, recorded }, prepared)
    const [entry, , outcome] = await withDeadline(deadline, awaitInOrder([recording, begun, running]))
    const last = outcome.last ?? { writes: [], events: null, changes: null, jobs: [] }
    const statements = successStatements(entry, { ...outcome, status, inOrganization })
    return { outcome, entry, committed: sendCommit(connection, last, statements) }
  } catch (error) {
    connection.rollBack()
    if (!(error instanceof DeadlineExceeded)) await untilEnded(connection)
    throw error instanceof DeadlineExceeded
      ? unavailable('The database did not answer in time. Nothing was changed; try again in a moment.', error)
      : error
  }
}

/** Waits until the connection has ended, so that a refused write has released its locks before it is answered. */
async function untilEnded({ ended }: WriteConnection): Promise<void> {
  await withDeadline(performance.now() + budgetMs.outcome, ended).catch(() => {})
}
