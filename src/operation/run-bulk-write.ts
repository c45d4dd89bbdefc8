import { type Actor, fairQueueKey } from '../access/actor.ts'
import { lockRights } from '../access/rights.ts'
import { DeadlineExceeded, withDeadline } from '../core/deadline.ts'
import { unavailable } from '../core/errors.ts'
import { awaitInOrder, type Sql, type Statement } from '../database/sql.ts'
import { WriteConnection } from '../database/write-connection.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import type { AuditEntry, RecordedRequest } from '../recording/entry.ts'
import { recordPending } from '../recording/insert-entry.ts'
import { changedLinesStatement } from '../recording/insert-lines.ts'
import { successStatements } from '../recording/record.ts'
import { admitMember } from './admit-member.ts'
import type { BulkOutcome, BulkWrite } from './bulk-write.ts'
import type { MemberDefinition } from './definition.ts'
import { idempotencyKeyNotAllowed } from './idempotent-request.ts'
import type { Kind } from './kind.ts'
import { type CommitResult, type LastStatements, lastStatements, sendCommit } from './last-statements.ts'
import { RightsWatch } from './rights-watch.ts'
import { recordFailure } from './run-recorded.ts'
import type { Services } from './services.ts'
import { withSlot } from './slots.ts'
import { budgetMs } from './write-budget.ts'

/*
 * The audit entry of a bulk write, and which of its lines are committed:
 *
 * | Entry   | Trigger                                 | To        | Status   | Lines                            |
 * | (none)  | recorded, before the first line is read | pending   |          |                                  |
 * | pending | the last transaction has committed      | responded | 200      | applied, each with its own entry |
 * | pending | refused or failed between transactions  | responded | 4xx, 5xx | earlier transactions stay        |
 * | pending | the caller's rights ended               | rejected  | 401, 403 | earlier transactions stay        |
 * | pending | the process is killed                   | pending   |          | earlier transactions stay        |
 */

/** The time limit of a transaction, once it has a connection. */
const transactionMs = 8_000

export const bulkWrite: Kind<BulkWrite<string, unknown, unknown>> = {
  isWrite: true,
  isRecorded: () => true,
  admit: (services, operation, request) =>
    admitMember(services, { operation, isRecorded: true }, request, ({ actor, origin, path }, readLines) => {
      const readInput = request.idempotentRequest ? () => refuseKey(operation) : readLines
      return withSlot(services.bulkSlots, actor.ownerId, refusals, () =>
        recordAndRun(services, { operation, actor, origin, path }, readInput),
      )
    }),
}

function refuseKey(operation: BulkWrite<string, unknown, unknown>): never {
  throw idempotencyKeyNotAllowed(operation)
}

const refusals = {
  ofOne: (held: number) =>
    `Your organization is already running ${held} such requests. Wait until one ends, then try again.`,
  ofAll: 'Other organizations are already running too many such requests. Try again in a moment.',
}

async function recordAndRun<T, Result>(
  services: Services,
  subject: RecordedRequest & { operation: BulkWrite<string, T, Result>; actor: Actor },
  readInput: () => unknown,
): Promise<Result> {
  const { limits, metrics, queue, batchSlots } = services
  const { operation, actor } = subject
  const { organizationId, memberId } = actor
  const entry = await queue.run(fairQueueKey(actor), () => recordEntry(services, subject))
  metrics.auditEntries.add(1, 'pending')
  const rights = new RightsWatch(services, actor, operation)
  try {
    const { result, details } = await operation.run({
      organizationId,
      memberId,
      input: operation.input.parse(readInput()),
      limits,
      signal: rights.signal,
      inSlot: (work) => batchSlots.run(fairQueueKey(actor), work),
      async transact(work) {
        const result = await queue.run(fairQueueKey(actor), () =>
          transact(services, { ...subject, requestEventId: entry.id }, work),
        )
        rights.confirm()
        return result
      },
    })
    await queue.run(fairQueueKey(actor), () => recordSuccess(services, entry, details))
    metrics.auditEntries.add(1, 'responded')
    return result
  } catch (error) {
    throw await recordFailure(services, subject, entry, error)
  } finally {
    rights.stop()
  }
}

function recordEntry({ database: { pool }, lateOutcomes }: Services, subject: RecordedRequest): Promise<AuditEntry> {
  return recordPending({ send: ({ text, values }) => pool.query(text, [...values]) }, subject, {
    deadline: performance.now() + budgetMs.readBack,
    onUnsure: (unsure) => lateOutcomes.record(unsure, { outcome: 'responded', status: 503 }),
  })
}

async function recordSuccess(
  { database: { pool } }: Services,
  entry: AuditEntry,
  details: Record<string, unknown> | null,
): Promise<void> {
  try {
    for (const { text, values } of successStatements(entry, { status: 200, details })) {
      await withDeadline(performance.now() + budgetMs.committed, pool.query(text, [...values]))
    }
  } catch (error) {
    throw unavailable(
      'All lines were read and applied, but the audit log could not record the outcome. Sending them again changes nothing.',
      error,
    )
  }
}

type BulkSubject = Omit<RecordedRequest, 'operation' | 'actor'> & {
  operation: Pick<MemberDefinition<string, unknown>, 'labels' | 'service' | 'method' | 'route'>
  actor: Actor
  /** The id of the request's audit entry. */
  requestEventId: string
}

async function transact<Result>(
  services: Services,
  subject: BulkSubject,
  work: (sql: Sql) => Promise<BulkOutcome<Result>>,
): Promise<Result> {
  const connection = await WriteConnection.take(services.database.pool)
  const deadline = performance.now() + transactionMs
  try {
    // These statements are sent together. PostgreSQL executes them in this order, and their errors are read in the same order.
    const begun = connection.begin()
    const unnamed = sendUnnamed(connection)
    const rights = lockRights(unnamed, subject.actor, subject.operation)
    const working = work(unnamed)
    const [, stored, outcome] = await withDeadline(deadline, awaitInOrder([begun, rights, working]))
    const { organizationId } = subject.actor
    const changes = outcome.changed.length > 0 || outcome.wouldChange
    const room = changes ? services.storageQuota.reserve(organizationId, stored) : null
    const last = await lastStatements(services.jobs, organizationId, withEntries(subject, outcome))
    const { events, hasChanges } = await withDeadline(deadline, sendInSlices(unnamed, organizationId, last))
    room?.add(
      last.writes.map(({ values }) => values),
      outcome.changed.length,
    )
    if (hasChanges) services.changes.wake(organizationId)
    if (events > 0) services.jobs.wake(organizationId)
    services.metrics.auditEntries.add(outcome.changed.length, 'responded')
    return outcome.result
  } catch (error) {
    connection.rollBack()
    // Wait until the locks are released before any retry, unless the database is slow.
    if (!(error instanceof DeadlineExceeded))
      await withDeadline(performance.now() + budgetMs.outcome, connection.ended).catch(() => {})
    throw error
  }
}

/**
 * Lets other requests run between two statements, because serializing the values of each statement takes milliseconds.
 * Meanwhile, PostgreSQL executes the statements that were sent before.
 */
async function sendInSlices(
  connection: Parameters<typeof sendCommit>[0],
  owner: string,
  { writes, ...last }: LastStatements,
): Promise<CommitResult> {
  const written: Promise<unknown>[] = []
  for (const statement of writes) {
    written.push(connection.send(statement))
    await loopSlices.next(owner)
  }
  const committed = sendCommit(connection, { ...last, writes: [] })
  await awaitInOrder([...written, committed])
  return committed
}

/**
 * Sends statements without names, so that PostgreSQL plans each of them: a plan cached while the tables were almost empty would
 * scan whole tables for every batch of the import that fills them.
 */
function sendUnnamed(connection: WriteConnection): Sql & Pick<WriteConnection, 'send' | 'commit'> {
  const send = ({ text, values }: Statement) => connection.send({ text, values, name: '' })
  return {
    send,
    async query<Row>(statement: Statement) {
      const { rows } = await send(statement)
      return rows as Row[]
    },
    commit: () => connection.commit(),
  }
}

function withEntries(subject: BulkSubject, { writes, changed, ...outcome }: BulkOutcome<unknown>) {
  return {
    ...outcome,
    writes:
      changed.length > 0 ? [...writes, changedLinesStatement(subject, subject.requestEventId, 200, changed)] : writes,
  }
}
