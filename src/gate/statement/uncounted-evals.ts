import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { newId } from '../../core/ids.ts'
import { runOnceText } from './run-once.ts'

/** Evals of an organization on a day of the database's clock. */
type Count = { organizationId: string; day: string; evals: number }

/** The evals of organizations beyond this number are answered, but never counted. */
const maxOrganizations = 100_000
const addIntervalMs = 1000
/** How long a stopping process waits for the database. */
const closeTimeoutMs = 2000
const maxTriesAtClose = 5

/**
 * Evals that were granted while the database took no writes. Tries every second to add them to the database's counts, one
 * organization and day at a time. Each addition has a number, so that it takes effect once even if its reply is lost.
 */
export class UncountedEvals {
  readonly #pool: Pool
  readonly #mayRecord: () => boolean
  readonly #gateId = newId()
  #number = 0
  /** By organization, and then by day. */
  readonly #counts = new Map<string, Map<string, Count>>()
  /** The addition in progress; repeated unchanged until the database answers. */
  #unfinishedAddition: (Count & { number: number }) | null = null
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  /** `mayRecord`: false while the pool may lead to a server that is no longer the primary. */
  constructor(pool: Pool, mayRecord: () => boolean) {
    this.#pool = pool
    this.#mayRecord = mayRecord
  }

  /** The number of evals that are still to be added. */
  get size(): number {
    let evals = 0
    for (const days of this.#counts.values()) for (const count of days.values()) evals += count.evals
    return evals
  }

  add(organizationId: string, countedAt: Date, evals = 1): void {
    const days = this.#counts.get(organizationId) ?? new Map<string, Count>()
    if (days.size === 0 && this.#counts.size >= maxOrganizations) return
    const day = dayOf(countedAt)
    const count = days.get(day) ?? { organizationId, day, evals: 0 }
    count.evals += evals
    this.#counts.set(organizationId, days.set(day, count))
    this.#schedule()
  }

  /** Removes up to `evals` of the evals that are still to be added; returns how many. */
  takeBack(organizationId: string, countedAt: Date, evals: number): number {
    const count = this.#counts.get(organizationId)?.get(dayOf(countedAt))
    if (count === undefined) return 0
    const left =
      count.evals - (this.#unfinishedAddition?.organizationId === organizationId ? this.#unfinishedAddition.evals : 0)
    const removed = Math.max(0, Math.min(left, evals))
    count.evals -= removed
    return removed
  }

  /** The organization's evals that are still to be added to the month of `now`. */
  countInMonth(organizationId: string, now: Date): number {
    const month = dayOf(now).slice(0, 7)
    let evals = 0
    for (const count of this.#counts.get(organizationId)?.values() ?? []) {
      if (count.day.startsWith(month)) evals += count.evals
    }
    return evals
  }

  /** Tries a few times to add all counts, because the pool's connections may be broken or still read-only. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.race([this.#addLast(), wait(closeTimeoutMs, undefined, { ref: false })])
  }

  async #addLast(): Promise<void> {
    await this.#running
    for (let tries = 0; this.#counts.size > 0 && tries < maxTriesAtClose; tries++) await this.#addAll()
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#addAll().then(() => {
        this.#timer = undefined
        if (this.#counts.size > 0) this.#schedule()
      })
    }, addIntervalMs).unref()
  }

  /** Adds all counts, up to the first that cannot be added. */
  async #addAll(): Promise<void> {
    for (const days of this.#counts.values()) {
      for (const count of days.values()) {
        // `takeBack` removed all evals of this count.
        if (this.#unfinishedAddition === null && count.evals === 0) this.#subtract(count)
        else if (!(await this.#addNext(count))) return
      }
    }
  }

  /** Adds this count, or instead an earlier one whose addition is unfinished. False if the addition failed. */
  async #addNext(count: Count): Promise<boolean> {
    if (!this.#mayRecord()) return false
    this.#unfinishedAddition ??= { ...count, number: ++this.#number }
    const isAdded = await this.#add(this.#unfinishedAddition).then(
      () => true,
      () => false,
    )
    if (!isAdded) return false
    this.#subtract(this.#unfinishedAddition)
    this.#unfinishedAddition = null
    return true
  }

  #subtract({ organizationId, day, evals }: Count): void {
    const days = this.#counts.get(organizationId)
    const count = days?.get(day)
    if (!days || !count) return
    count.evals -= evals
    if (count.evals > 0) return
    days.delete(day)
    if (days.size === 0) this.#counts.delete(organizationId)
  }

  /** Adds to the counter row if it still counts the same day, or else to the table of days. */
  #add({ organizationId, day, evals, number }: Count & { number: number }): Promise<unknown> {
    return this.#pool.query(
      `${runOnceText},
       locked as materialized (
         select c.organization_id, c.day, date_trunc('month', c.day::timestamp) = date_trunc('month', $2::timestamp) as is_month
         from once cross join eval_counter c where c.organization_id = $1 for update of c),
       past as (
         insert into eval_usage_day as u (organization_id, date, used)
         select l.organization_id, $2::date, $3::bigint from locked l where l.day <> $2::date
         on conflict (organization_id, date) do update set used = u.used + excluded.used)
       update eval_counter c set
         day_used = c.day_used + case when l.day = $2::date then $3::bigint else 0 end,
         month_used = c.month_used + case when l.is_month then $3::bigint else 0 end
         from locked l
        where c.organization_id = $1`,
      [organizationId, day, evals, this.#gateId, number],
    )
  }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
