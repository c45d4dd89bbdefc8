import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { currentTime } from '../../core/clock.ts'
import { DomainError, unavailable } from '../../core/errors.ts'
import { conditionFailed } from '../../database/fail-unless.ts'
import { Prisma } from '../../database/generated/client.ts'
import { isAnswered, toDomainError } from '../../database/outage.ts'
import { computedColumns, query, type Sql } from '../../database/sql.ts'
import type { NewEvent } from '../../events/event.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import type { BulkOutcome, Limits } from '../../operation/operation.ts'
import { newEntryId } from '../../recording/insert-entry.ts'
import type { ReadLine } from './batches.ts'
import type { LineOutcome } from './import-result.ts'
import { lockBatch } from './lock-batch.ts'
import { applyLine, type BatchContext, type LineResult } from './subscriber-state.ts'
import { toStatements } from './write-batch.ts'

export type ImportCall = {
  organizationId: string
  memberId: string
  isDryRun: boolean
  limits: Limits
  transact<Result>(work: (sql: Sql) => Promise<BulkOutcome<Result>>): Promise<Result>
}

/** Limits how many failures in the database an import survives. */
export class FailureBudget {
  #left = 40

  /** Counts a failure. Throws 503 if there were too many. */
  count(error: unknown): void {
    this.#left -= 1
    if (this.#left < 0)
      throw unavailable(
        'The import ended because the database refused too many of its lines. Lines that were applied stay. Send all lines again in a moment.',
        error,
      )
  }
}

/**
 * Applies the lines in one transaction and returns the result of each. A refused line fails alone. If the transaction conflicts
 * with other writes, it runs again, which does not count as a failure. If it fails for another reason, its halves run
 * separately, so that a line that the database never accepts fails alone too.
 */
export async function applyBatch(
  call: ImportCall,
  lines: readonly ReadLine[],
  failures: FailureBudget,
): Promise<LineOutcome[]> {
  const earlier: Outcome[] = []
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call.transact(async (sql) => {
        const outcome = await applyLines(sql, call, lines, earlier)
        earlier.push(outcome)
        return outcome
      })
    } catch (error) {
      if (error instanceof DomainError && error.status !== 503) throw error
      const isLast = attempt === maxAttempts
      if (!isConflict(error) || isLast) failures.count(error)
      if (!isLast && (isConflict(error) || !isAnswered(error))) {
        await wait(isConflict(error) ? 0 : retryMs * attempt)
        continue
      }
      if (!isAnswered(error)) throw error
      if (lines.length === 1) return [{ result: toRefusal(error), details: null }]
      const half = Math.ceil(lines.length / 2)
      const first = await applyBatch(call, lines.slice(0, half), failures)
      return [...first, ...(await applyBatch(call, lines.slice(half), failures))]
    }
  }
}

const maxAttempts = 5
const retryMs = 500

/** Deadlock, serialization failure, or a subscriber that another request just created: see insertSubscribers. */
const conflicts = ['40P01', '40001', conditionFailed]

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && conflicts.includes(error.code ?? '')
}

function toRefusal(error: unknown): DomainError {
  if (!isConflict(error)) return toDomainError(error)
  return unavailable('Other requests kept changing the same subscriber. Send the line again in a moment.', error)
}

type Outcome = BulkOutcome<LineOutcome[]>

/** `earlier` are the outcomes of failed attempts, one of which may have committed although its reply was lost. */
async function applyLines(
  sql: Sql,
  { organizationId, memberId, isDryRun, limits }: ImportCall,
  lines: readonly ReadLine[],
  earlier: readonly Outcome[],
): Promise<Outcome> {
  const valid = lines.flatMap(({ line }) => line ?? [])
  const { snapshots: before, ...locked } = await lockBatch(sql, { organizationId, isDryRun }, valid)
  // The earlier attempts ended while `lockBatch` waited for its locks, so it is now certain which of them committed.
  const committed = await findCommitted(sql, organizationId, earlier)
  if (committed) return { result: committed.result, ...noChanges }
  const context: BatchContext = { organizationId, memberId, limits, ...locked }
  const after = new Map(before)
  const results: LineOutcome[] = []
  const applied: { id: string; change: LineResult }[] = []
  const pause = pauseAfterSlices(organizationId)

  for (const { line, refusal } of lines) {
    await pause()
    if (!line) {
      results.push({ result: refusal, details: null })
      continue
    }
    try {
      const change = applyLine(line, after.get(line.id) as LineResult['after'], context)
      const { isNew, details } = change
      after.set(line.id, change.after)
      results.push({ result: isNew ? 'created' : details ? 'updated' : 'unchanged', details })
      if (isNew || details) applied.push({ id: line.id, change })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      results.push({ result: error, details: null })
    }
  }
  if (isDryRun) return { result: results, ...noChanges, wouldChange: applied.length > 0 }
  await pause()
  const changes = Array.from(before, ([id, snapshot]) => ({ before: snapshot, after: after.get(id) ?? snapshot }))
  return {
    result: results,
    writes: toStatements(changes, { at: context.now, by: memberId }),
    events: applied.flatMap(({ change }): NewEvent[] => change.events),
    jobs: toExpiryJobs(applied.flatMap(({ change }) => change.due)),
    changed: applied.map(({ id, change }) => ({
      id: newEntryId(currentTime()),
      params: { subscriber_id: id },
      details: change.details,
      createdId: change.isNew ? id : null,
    })),
  }
}

const noChanges = { writes: [], events: [], jobs: [], changed: [] }

/** Finds the attempt that was committed: the one whose entries are in the audit log. */
async function findCommitted(
  sql: Sql,
  organizationId: string,
  outcomes: readonly Outcome[],
): Promise<Outcome | undefined> {
  const ids = outcomes.flatMap(({ changed }) => changed[0]?.id ?? [])
  if (ids.length === 0) return undefined
  const [found] = await sql.query(query`
    select ${computedColumns({ id: ['text', Prisma.sql`audit_event_id`] })} from audit_event
     where organization_id = ${organizationId} and audit_event_id = any(${ids}::text[])`)
  return found && outcomes.find(({ changed }) => changed[0]?.id === found.id)
}

/** One job for each time: it wakes the worker for all due overrides of the organization. */
function toExpiryJobs(times: readonly Date[]): BulkOutcome<unknown>['jobs'] {
  const moments = new Set(times.map((time) => time.getTime()))
  return Array.from(moments, (moment) => ({ queue: 'override.expire', startAfter: new Date(moment) }))
}
