import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { newId } from '../../core/ids.ts'
import { asynchronousCommit } from '../../database/sql.ts'
import { type BatchId, slotOf } from './gate-statement.ts'
import { runOnceText } from './run-once.ts'
import type { UncountedEvals } from './uncounted-evals.ts'

/** How long a refund is tried. */
const maxAgeMs = 86_400_000
const retryMs = 500
/** How long a stopping process waits for the database. */
const closeTimeoutMs = 2000

type PendingRefund = { organizationId: string; day: string; evals: number }

/** A statement that is repeated until the database answers. It may run twice, but takes effect only once. */
type RetriedStatement = { since: number; run: () => Promise<unknown> }

/**
 * Undoes the counts of evals that were granted but not answered, because only answered evals count. Runs one statement at a
 * time; evals added while it runs go into the next one. A refund counts for the day and month of its evals, whenever it runs.
 *
 * A statement whose reply was lost may have counted its evals: its row in `eval_batch` shows whether it did. The query that
 * reads this row also marks the batch as refused, so that a statement that is still on its way cannot count later.
 */
export class Refunds {
  readonly #pool: Pool
  readonly #mayRefund: () => boolean
  readonly #uncounted: UncountedEvals
  /** Each refund has a number, so that it is applied once even if its reply is lost. */
  readonly #batchId: BatchId = { gateId: newId(), number: 0 }
  readonly #closing = new AbortController()
  /** The evals to refund, by organization and day. */
  #pending = new Map<string, PendingRefund>()
  #pendingSince = 0
  #tasks: RetriedStatement[] = []
  #running: Promise<void> | null = null

  /** `mayRefund`: false while the pool may lead to a server that is no longer the primary. */
  constructor(pool: Pool, uncounted: UncountedEvals, mayRefund: () => boolean) {
    this.#pool = pool
    this.#mayRefund = mayRefund
    this.#uncounted = uncounted
  }

  /** Refunds evals in the background. */
  add(organizationId: string, countedAt: Date, grantedEvals = 1): void {
    const evals = grantedEvals - this.#uncounted.takeBack(organizationId, countedAt, grantedEvals)
    if (evals === 0) return
    this.#addPending({ organizationId, day: countedAt.toISOString().slice(0, 10), evals })
    this.#start()
  }

  /** Refunds, in the background, the grants of a statement whose reply was lost. */
  addLost(batchId: BatchId): void {
    this.#tasks.push({ since: performance.now(), run: () => this.#readBack(batchId) })
    this.#start()
  }

  /** Tries each remaining refund once. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.race([this.#running, wait(closeTimeoutMs, undefined, { ref: false })])
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null
      if (this.#tasks.length > 0 || this.#pending.size > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    // Evals that are added in this turn of the event loop go into the same statement.
    await new Promise(setImmediate)
    for (let task = this.#next(); task; task = this.#next()) await this.#retryUntilDone(task)
  }

  #next(): RetriedStatement | undefined {
    if (this.#tasks.length === 0 && this.#pending.size > 0) {
      const owed = this.#pending
      const since = this.#pendingSince
      this.#pending = new Map()
      for (const each of owed.values()) this.#tasks.push({ since, run: this.#refund(each) })
    }
    return this.#tasks.shift()
  }

  async #retryUntilDone({ since, run }: RetriedStatement): Promise<void> {
    const { signal } = this.#closing
    while (performance.now() < since + maxAgeMs) {
      const isDone =
        this.#mayRefund() &&
        (await run().then(
          () => true,
          () => false,
        ))
      if (isDone || signal.aborted) return
      await wait(retryMs, undefined, { signal }).catch(() => {})
    }
  }

  #addPending({ organizationId, day, evals }: PendingRefund): void {
    if (this.#pending.size === 0) this.#pendingSince = performance.now()
    const name = `${organizationId} ${day}`
    const owed = this.#pending.get(name)
    if (owed === undefined) this.#pending.set(name, { organizationId, day, evals })
    else owed.evals += evals
  }

  async #readBack(batchId: BatchId): Promise<void> {
    const { rows } = await this.#pool.query<{ granted: string | null }>(
      `with setting as materialized (select ${asynchronousCommit}),
       requested as (
         insert into eval_batch as b (gate_id, place, number, refused, counted_at)
         select $1, $2, 0, $3, clock_timestamp() from setting
         on conflict (gate_id, place) do update set refused = greatest(b.refused, excluded.refused)
         returning number, granted)
       select granted from requested where number = $3`,
      [batchId.gateId, slotOf(batchId), batchId.number],
    )
    const granted = rows[0]?.granted ?? ''
    for (const [, organizationId = '', day = '', evals] of granted.matchAll(/(\w+) (\S+) (\d+)/g)) {
      this.#addPending({ organizationId, day, evals: Number(evals) })
    }
  }

  #refund({ organizationId, day, evals }: PendingRefund): () => Promise<unknown> {
    this.#batchId.number += 1
    const { gateId, number } = this.#batchId
    return () =>
      this.#pool.query(
        `${runOnceText},
         locked as materialized (
           select c.organization_id, c.day, date_trunc('month', c.day::timestamp) = date_trunc('month', $2::timestamp) as is_month
           from once cross join eval_counter c where c.organization_id = $1 for update of c),
         -- An insert also finds a row that was added while this statement waited for the lock.
         past as (
           insert into eval_usage_day as u (organization_id, date, used)
           select l.organization_id, $2::date, 0 from locked l where l.day <> $2::date
           on conflict (organization_id, date) do update set used = u.used - $3::bigint where u.used >= $3::bigint
           returning 1)
         update eval_counter c set
           day_used = c.day_used - case when l.day = $2::date then $3::bigint else 0 end,
           month_used = c.month_used - case when l.is_month then $3::bigint else 0 end
           from locked l
          where c.organization_id = $1
            and case when l.day = $2::date then c.day_used >= $3::bigint else l.is_month and exists (select from past) end`,
        [organizationId, day, evals, gateId, number],
      )
  }
}
