import type pg from 'pg'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { expireAfterReading, withDeadline } from '../core/deadline.ts'
import { DomainError } from '../core/errors.ts'
import { reasonOf } from '../core/startup-error.ts'
import { createReadTimeoutError, isAnswered, isOutage, isReadTimeout, isServerFull } from './outage.ts'

const checkIntervalMs = 1000
/** A primary that does not answer within this time counts as gone, because evals must be answered within a second. */
const primaryTimeoutMs = 700
/** An older check no longer counts, because this process may have been frozen since. */
const checkValidMs = 3 * checkIntervalMs

/**
 * Reads the standby's name, as in the primary's `synchronous_standby_names`; for a promoted standby, also the timeline that it
 * began.
 */
const standbyCheckText = `
select pg_is_in_recovery() as "isStandby",
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  (select coalesce(substring(conninfo from '(?:^|\\s)application_name=''?([^\\s'']+)'),
                   substring(conninfo from 'fallback_application_name=''?([^\\s'']+)'))
     from pg_stat_wal_receiver) as name`

/** $1 is the position up to which the primary's write-ahead log was on disk at the last check. */
const primaryCheckText = `
select pg_is_in_recovery() as "isStandby", current_setting('synchronous_commit') as commits,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end::text as flushed,
  array(select json_build_object('name', application_name, 'syncState', sync_state,
                                 'follows', state = 'streaming' and flush_lsn >= coalesce($1::pg_lsn, '0/0'))
          from pg_stat_replication) as standbys`

type StandbyState = { isStandby: boolean; timeline: string | null; name: string | null }

type PrimaryState = {
  isStandby: boolean
  commits: string
  timeline: string | null
  flushed: string | null
  standbys: { name: string | null; syncState: string | null; follows: boolean | null }[]
}

type StandbyOptions = {
  /** The service's pool on the primary. */
  primary: Pool
  /** A separate pool for the primary, so that checks never wait for requests. */
  checkPool: Pool
  pool: Pool
  logger: Pick<Logger, 'info' | 'warn'> | undefined
}

/**
 * A standby that answers reads while the primary is gone. It has every write that was answered, because the primary answers no
 * write before this standby has applied it. A check of the primary verifies this every second, and the last check counts.
 *
 * | State | Trigger                                                                     | To    |
 * |-------|-----------------------------------------------------------------------------|-------|
 * | back  | the primary does not answer a check or a read, and the last check was good  | gone  |
 * | gone  | the primary answers a check, and no promotion has replaced it               | back  |
 *
 * If the standby does not answer whether it was promoted, its last answer counts. Until a few seconds after that answer, the
 * primary does not count as back.
 */
export class Standby {
  readonly pool: Pool
  readonly #options: StandbyOptions
  /** Why the standby could not have replaced the primary at the last check; null if it could have. */
  #fault: string | null = 'it has not been checked yet'
  #checkedAt = Number.NEGATIVE_INFINITY
  #flushed: string | null = null
  /** The standby's last answer to a check, so that an observed promotion is not forgotten. */
  #lastState: StandbyState | null = null
  #lastStateAt = Number.NEGATIVE_INFINITY
  #isInUse = false
  /** For each read of the primary without an answer yet, the function that makes it give up. */
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void>
  #isClosed = false

  constructor(options: StandbyOptions) {
    this.#options = options
    this.pool = options.pool
    this.#running = this.#checkRepeatedly()
  }

  /** Whether the standby answers reads, because the primary is gone. */
  get isInUse(): boolean {
    return this.#isInUse
  }

  /** Whether the standby answers reads as soon as the primary is gone. */
  get isReady(): boolean {
    return this.#isInUse || (this.#fault === null && performance.now() - this.#checkedAt < checkValidMs)
  }

  /** How long to wait for the primary if the statement's own limit is `timeoutMs`: shorter if the standby can answer. */
  primaryTimeoutOf(timeoutMs: number): number {
    return this.isReady && !this.#isInUse ? Math.min(timeoutMs, primaryTimeoutMs) : timeoutMs
  }

  /**
   * Runs a read on the primary, or on the standby if the primary is gone. A read that may take long waits until another read,
   * or a check, finds out that the primary is gone.
   */
  async read<Result>(read: (pool: Pool) => Promise<Result>, { mayTakeLong = false } = {}): Promise<Result> {
    if (this.#isInUse) return read(this.pool)
    if (!this.isReady) return read(this.#options.primary)
    const late = Promise.withResolvers<never>()
    const giveUp = () => late.reject(createReadTimeoutError())
    const cancel = mayTakeLong ? () => {} : expireAfterReading(primaryTimeoutMs, giveUp)
    this.#waiting.add(giveUp)
    try {
      return await Promise.race([read(this.#options.primary), late.promise])
    } catch (error) {
      if (!this.replacesAfter(error)) throw error
      return read(this.pool)
    } finally {
      cancel()
      this.#waiting.delete(giveUp)
    }
  }

  /**
   * Whether this error means that the primary is gone and the standby can answer reads; if so, the standby answers reads from
   * now on.
   */
  replacesAfter(error: unknown): boolean {
    if (!isGone(error) || !this.isReady) return false
    this.#startUse()
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #startUse(): void {
    if (this.#isInUse) return
    this.#isInUse = true
    this.#options.logger?.warn('the primary database is gone: its standby answers evals, and nothing is written')
    for (const giveUp of this.#waiting) giveUp()
  }

  async #checkRepeatedly(): Promise<void> {
    await this.#check()
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#checkRepeatedly()
    }, checkIntervalMs).unref()
  }

  async #check(): Promise<void> {
    const { checkPool } = this.#options
    const [standbyResult, primaryResult] = await Promise.allSettled([
      queryRow<StandbyState>(this.pool, standbyCheckText),
      queryRow<PrimaryState>(checkPool, primaryCheckText, [this.#flushed]),
    ])
    const standby = standbyResult.status === 'fulfilled' ? standbyResult.value : null
    if (standby !== null) {
      this.#lastState = standby
      this.#lastStateAt = performance.now()
    }
    if (primaryResult.status === 'rejected') {
      this.replacesAfter(primaryResult.reason)
      return
    }
    const primary = primaryResult.value
    if (primary.isStandby || isReplaced(primary, this.#lastState)) {
      if (this.isReady) this.#startUse()
      return
    }
    // The standby may have been promoted since its last answer.
    if (this.#isInUse && standby === null && performance.now() - this.#lastStateAt < checkValidMs) return
    this.#checkedAt = performance.now()
    this.#flushed = primary.flushed
    this.#setFault(
      standby
        ? findFault(standby, primary)
        : `it cannot be used: ${reasonOf((standbyResult as PromiseRejectedResult).reason)}`,
    )
    if (!this.#isInUse) return
    this.#isInUse = false
    this.#options.logger?.warn('the primary database is back')
  }

  #setFault(fault: string | null): void {
    if (fault === this.#fault) return
    this.#fault = fault
    const { logger } = this.#options
    if (fault === null) logger?.info('the standby will answer evals if the primary database is gone')
    else logger?.warn({ reason: fault }, 'the standby could not answer evals if the primary database were gone')
  }
}

/** Whether the standby has been promoted, so that this server, which is running again, is no longer the primary. */
function isReplaced(primary: PrimaryState, standby: StandbyState | null): boolean {
  return standby?.timeline != null && primary.timeline != null && primary.timeline < standby.timeline
}

/** Finds the reason why the standby may lack writes that the primary has answered; null if there is none. */
function findFault({ isStandby, name }: StandbyState, { commits, standbys }: PrimaryState): string | null {
  if (!isStandby) return 'it is not a standby'
  if (name === null) return 'it does not follow a primary, or the role may not see that: grant it pg_read_all_stats'
  if (commits !== 'remote_apply') return `synchronous_commit is ${commits} and not remote_apply`
  const [namedStandby, ...others] = standbys.filter((each) => each.name === name)
  if (!namedStandby) return `the primary has no standby ${name}, or the role may not see it: grant it pg_read_all_stats`
  if (others.length > 0) return `several standbys have the name ${name}`
  if (namedStandby.syncState !== 'sync') return `sync_state of ${name} is ${namedStandby.syncState} and not sync`
  return namedStandby.follows ? null : `${name} does not follow the primary`
}

/** Whether the server or the network to it is gone; false if the server answered with an error. */
function isGone(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'SERVICE_UNAVAILABLE'
  if (isReadTimeout(error)) return true
  return isOutage(error) && !isAnswered(error) && !isServerFull(error)
}

async function queryRow<Row extends object>(pool: Pool, text: string, values: unknown[] = []): Promise<Row> {
  const config = { text, values, query_timeout: primaryTimeoutMs } as pg.QueryConfig
  const { rows } = await withDeadline(
    performance.now() + primaryTimeoutMs,
    pool.query<Row>(config),
    createReadTimeoutError,
  )
  return rows[0] as Row
}
