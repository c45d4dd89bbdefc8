import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { DomainError } from '../../core/errors.ts'
import { conditionFailed } from '../../database/fail-unless.ts'
import { isAnswered, toDomainError } from '../../database/outage.ts'
import type { Sql } from '../../database/sql.ts'
import type { NewEvent } from '../../events/event.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import type { BulkOutcome, Limits } from '../../operation/operation.ts'
import type { ReadLine } from './batches.ts'
import type { LineOutcome } from './import-result.ts'
import { lockBatch } from './lock-batch.ts'
import { applyLine, type BatchContext, type LineResult } from './snapshot.ts'
import { toStatements } from './write-batch.ts'

export type ImportCall = {
  organizationId: string
  memberId: string
  isDryRun: boolean
  limits: Limits
  transact<Result>(work: (sql: Sql) => Promise<BulkOutcome<Result>>): Promise<Result>
}

/** How often an import may fail in the database before it ends. */
export class FailureBudget {
  #left = 40

  /** Throws the error if there were too many. */
  lose(error: unknown): void {
    this.#left -= 1
    if (this.#left < 0) throw error
  }
}

/**
 * Applies the lines in one transaction and returns the result of each. A refused line fails alone. If the database refuses
 * the transaction because of others' writes, it runs again; if for another reason, its halves run separately, so that a line
 * that the database never accepts fails alone as well.
 */
export async function applyBatch(
  call: ImportCall,
  lines: readonly ReadLine[],
  patience: FailureBudget,
): Promise<LineOutcome[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call.transact((sql) => applyLines(sql, call, lines))
    } catch (error) {
      if (error instanceof DomainError && error.status !== 503) throw error
      patience.lose(error)
      if (attempt < maxAttempts && (isConflict(error) || !isAnswered(error))) {
        await wait(isConflict(error) ? 0 : retryMs * attempt)
        continue
      }
      if (!isAnswered(error)) throw error
      if (lines.length === 1) return [{ result: toDomainError(error), details: null }]
      const half = Math.ceil(lines.length / 2)
      const first = await applyBatch(call, lines.slice(0, half), patience)
      return [...first, ...(await applyBatch(call, lines.slice(half), patience))]
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

async function applyLines(
  sql: Sql,
  { organizationId, memberId, isDryRun, limits }: ImportCall,
  lines: readonly ReadLine[],
): Promise<BulkOutcome<LineOutcome[]>> {
  const valid = lines.flatMap(({ line }) => line ?? [])
  const { snapshots: before, ...held } = await lockBatch(sql, { organizationId, isDryRun }, valid)
  const context: BatchContext = { organizationId, memberId, limits, ...held }
  const after = new Map(before)
  const results: LineOutcome[] = []
  const applied: { id: string; made: LineResult }[] = []
  const pause = pauseAfterSlices(organizationId)

  for (const { line, refusal } of lines) {
    await pause()
    if (!line) {
      results.push({ result: refusal, details: null })
      continue
    }
    try {
      const made = applyLine(line, after.get(line.id) as LineResult['after'], context)
      after.set(line.id, made.after)
      results.push({ result: made.isNew ? 'created' : made.details ? 'updated' : 'unchanged', details: made.details })
      if (made.isNew || made.details) applied.push({ id: line.id, made })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      results.push({ result: error, details: null })
    }
  }
  if (isDryRun) return { result: results, writes: [], events: [], jobs: [], changed: [] }
  await pause()
  const changes = Array.from(before, ([id, snapshot]) => ({ before: snapshot, after: after.get(id) ?? snapshot }))
  return {
    result: results,
    writes: toStatements(changes, { at: context.now, by: memberId }),
    events: applied.flatMap(({ made }): NewEvent[] => made.events),
    jobs: jobsAt(applied.flatMap(({ made }) => made.due)),
    changed: applied.map(({ id, made }) => ({
      params: { subscriber_id: id },
      details: made.details,
      createdId: made.isNew ? id : null,
    })),
  }
}

/** A job wakes the worker for all overrides of the organization that are due. */
function jobsAt(times: readonly Date[]): BulkOutcome<unknown>['jobs'] {
  const moments = new Set(times.map((time) => time.getTime()))
  return Array.from(moments, (moment) => ({ queue: 'override.expire', startAfter: new Date(moment) }))
}
