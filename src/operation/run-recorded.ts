import type { Logger } from 'pino'
import { unavailable } from '../core/errors.ts'
import type { FairQueue } from '../core/fair-queue.ts'
import { within } from '../core/within.ts'
import type { Database } from '../database/client.ts'
import { limits } from '../database/limits.ts'
import { toDomainError } from '../database/outage.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Origin } from '../http/origin.ts'
import { type AuditEntry, type EntryOutcome, notRecorded, type Subject } from '../recording/entry.ts'
import { recordPending } from '../recording/insert-entry.ts'
import { readBack } from '../recording/read-back.ts'
import { adopt, recordOutcome, recordSuccess } from '../recording/record.ts'
import type { Settler } from '../recording/settler.ts'

/*
 * | Entry     | Trigger                                                    | To          | Status |
 * | (none)    | recorded, before anything runs                             | pending     |        |
 * | pending   | the write commits, and its outcome with it                 | responded   | 2xx    |
 * | (unsure)  | no reply to the insert of the entry: the write does not run | responded  | 503    |
 * | pending   | refused, failed or rolled back                             | responded   | 4xx, 5xx |
 * | pending   | the caller's rights ended before the write                 | rejected    | 401, 403 |
 * | pending   | no reply to COMMIT, and read back: it did not commit       | responded   | 503    |
 * | pending   | no reply to COMMIT, not read back in time, did not commit  | no_response |        |
 * | pending   | the process is killed                                      | pending     |        |
 */

/**
 * Every wait of a write has a limit, and so do all of them together: it is answered within ten seconds. Until `begun`
 * the entry is recorded and the transaction runs to its COMMIT, until `committed` its reply is awaited, or shorter, and
 * until `readBack` the entry is read back. A failure is then recorded within `outcome`, or in the background.
 */
const budgetMs = { begun: 6_000, committed: 7_000, commit: 4_000, readBack: 8_700, outcome: 800 }
export const transactionLimits = { maxWait: limits.connectTimeoutMs, timeout: limits.transactionTimeoutMs }

type RecorderServices = { database: Database; settler: Settler; logger: Logger }

/** The result of a write, and what its entry records. */
export type RecordedOutcome<Result> = {
  result: Result
  details?: Record<string, unknown> | null
  createdId?: string
  member?: { organizationId: string; memberId: string }
}

/** One transaction, which includes the entry's outcome. `now` is the database's time when the entry was written. */
export type Transact<Result> = (
  write: (context: { tx: Transaction; now: Date }) => Promise<RecordedOutcome<Result>>,
) => Promise<Result>

type RecordedRun<Result> = {
  subject: Subject
  /** The status of a success. */
  status: number
  /** Whether the log of the organization in the outcome also has the entry, in addition to the person's own. */
  inOrganization?: boolean
  run: (transact: Transact<Result>) => Promise<Result>
}

/** In its owner's turn: an organization's or a person's. */
export function runRecorded<Result>(
  services: RecorderServices & { queue: FairQueue },
  recorded: RecordedRun<Result>,
): Promise<Result> {
  const { actor } = recorded.subject
  const owner = 'userId' in actor ? actor.userId : actor.organizationId
  return services.queue.run(owner, () => recordAndRun(services, recorded))
}

/**
 * Recorded first, then run: the entry is `pending` before anything happens, and its outcome commits with the write.
 * Any later failure rolls the write back and gives the entry the status of the answer.
 */
async function recordAndRun<Result>(
  services: RecorderServices,
  { subject, status, inOrganization = false, run }: RecordedRun<Result>,
): Promise<Result> {
  const { database, settler, logger } = services
  const beganAt = performance.now()
  const entry = await recordOnce(services, subject, beganAt)
  try {
    return await run(async (write) => {
      const { result } = await commit(database, { entry, beganAt }, async (tx) => {
        const outcome = await write({ tx, now: entry.recordedAt })
        const { details = null, createdId = null, member = null } = outcome
        await recordSuccess(tx, entry, { status, details, createdId, member, inOrganization })
        return outcome
      })
      await within(performance.now() + budgetMs.outcome, adopt(database, entry)).catch((cause) => {
        logger.warn({ err: cause }, "log entries from before the person's account could not be moved to it yet")
      })
      return result
    })
  } catch (error) {
    if (error instanceof ReplyLost) {
      unanswered.add(subject.origin)
      settler.settle(entry, { outcome: 'no_response', status: null })
      throw unavailable(
        'The database went away, and whether it took the change is not known: look before you repeat it.',
      )
    }
    const failure = toDomainError(error)
    const { status } = failure
    if (status === 503) unanswered.add(subject.origin)
    // The caller's rights are the only reason for a refusal at this point: the doors have already admitted the caller.
    const outcome = status === 401 || status === 403 ? 'rejected' : 'responded'
    const ended: EntryOutcome = { outcome, status }
    await within(performance.now() + budgetMs.outcome, recordOutcome(database, entry, ended)).catch((cause) => {
      logger.warn({ err: cause, auditEventId: entry.id }, 'the outcome of a refused request will be recorded later')
      settler.settle(entry, ended)
    })
    throw failure
  }
}

/** Requests that waited for the database in vain. Their other fields do not wait: each would take as long again. */
const unanswered = new WeakSet<Origin>()

async function recordOnce({ database, settler }: RecorderServices, subject: Subject, beganAt: number) {
  const { origin } = subject
  if (unanswered.has(origin)) throw notRecorded(new Error('An earlier field of this request had no answer.'))
  try {
    return await recordPending(database, subject, {
      deadline: beganAt + budgetMs.readBack,
      onUnsure: (entry) => settler.settle(entry, { outcome: 'responded', status: 503 }),
    })
  } catch (error) {
    unanswered.add(origin)
    throw error
  }
}

/** It is unknown whether the write committed. */
class ReplyLost extends Error {
  override readonly name = 'ReplyLost'
}

/** If no reply to COMMIT comes, the audit entry shows whether the write committed. */
async function commit<Outcome>(
  database: Database,
  { entry, beganAt }: { entry: AuditEntry; beganAt: number },
  run: (tx: Transaction) => Promise<Outcome>,
): Promise<Outcome> {
  const leftUntil = (endMs: number) => Math.max(0, beganAt + endMs - performance.now())
  const late = Promise.withResolvers<never>()
  let outcome: Outcome | undefined
  let isLate = false
  let timer = setTimeout(() => {
    isLate = true
    late.reject(unavailable('The database did not answer in time. Nothing was changed; try again in a moment.'))
  }, leftUntil(budgetMs.begun))
  const transaction = database.prisma.$transaction(
    async (tx) => {
      const ran = await run(tx)
      // Already answered: rolled back.
      if (isLate) throw new Error('The transaction is too late to commit.')
      clearTimeout(timer)
      outcome = ran
      const replyMs = Math.min(budgetMs.commit, leftUntil(budgetMs.committed))
      timer = setTimeout(() => late.reject(new Error('There was no reply to COMMIT.')), replyMs)
      return ran
    },
    { maxWait: transactionLimits.maxWait, timeout: Math.max(1, leftUntil(budgetMs.begun)) },
  )
  try {
    return await Promise.race([transaction, late.promise])
  } catch (error) {
    // A failure before COMMIT is sent cannot have committed.
    if (outcome === undefined) throw error
    const hasCommitted = await readBack(database, entry, beganAt + budgetMs.readBack).catch((cause) => {
      throw new ReplyLost('The outcome of a COMMIT could not be read back.', { cause })
    })
    if (hasCommitted) return outcome
    throw unavailable('The database did not take the change. Nothing was changed; try again in a moment.', error)
  } finally {
    clearTimeout(timer)
  }
}
