import type pg from 'pg'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { afterReading, withDeadline } from '../core/deadline.ts'
import { DomainError } from '../core/errors.ts'
import { reasonOf } from '../core/startup-error.ts'
import { isAnswered, isOutage, isReadTimeout, isServerFull, readTimeout } from './outage.ts'

const checkIntervalMs = 1000
/** A primary that has not answered by then counts as gone: evals must have their answer within a second. */
const primaryTimeoutMs = 700
/** An older check says nothing about the present: this process was frozen since. */
const checkValidMs = 3 * checkIntervalMs

/**
 * The standby's name among those that follow its primary, as in `synchronous_standby_names`; for a promoted standby, the
 * timeline that it began.
 */
const standbyCheckText = `
select pg_is_in_recovery() as "isStandby",
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  (select coalesce(substring(conninfo from '(?:^|\\s)application_name=''?([^\\s'']+)'),
                   substring(conninfo from 'fallback_application_name=''?([^\\s'']+)'))
     from pg_stat_wal_receiver) as name`

/** $1 is the end of the primary's log on its disk at the last check. */
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
  looking: Pool
  pool: Pool
  logger: Pick<Logger, 'info' | 'warn'> | undefined
}

/**
 * A standby that answers reads while the primary is gone. It shows every write that was answered, because the primary answers
 * none before this standby has applied it: this is verified on the primary each second, and the last look at it counts.
 *
 * | State | Trigger                                                                     | To    |
 * |-------|-----------------------------------------------------------------------------|-------|
 * | back  | the primary does not answer a look or a read, and the last look was good    | gone  |
 * | gone  | the primary answers a look, and is not one that a promotion has replaced    | back  |
 *
 * While the standby cannot be asked whether it was promoted, its last answer counts, and for a few seconds nothing is back.
 */
export class Standby {
  readonly pool: Pool
  readonly #options: StandbyOptions
  /** Why the standby could not replace the primary at the last check; null if it could. */
  #fault: string | null = 'the first look at it is not over'
  #lookedAt = Number.NEGATIVE_INFINITY
  #flushed: string | null = null
  /** The last check that the standby answered: an observed promotion is remembered. */
  #seen: StandbyState | null = null
  #seenAt = Number.NEGATIVE_INFINITY
  #isInUse = false
  /** Reads of the primary that have no answer yet. */
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void>
  #isClosed = false

  constructor(options: StandbyOptions) {
    this.#options = options
    this.pool = options.pool
    this.#running = this.#checkRepeatedly()
  }

  /** Whether reads are answered by the standby: the primary is gone. */
  get isInUse(): boolean {
    return this.#isInUse
  }

  /** Whether the standby answers reads as soon as the primary is gone. */
  get isReady(): boolean {
    return this.#isInUse || (this.#fault === null && performance.now() - this.#lookedAt < checkValidMs)
  }

  /** How long to wait for the primary, which has this limit of its own. */
  patienceOf(timeoutMs: number): number {
    return this.isReady && !this.#isInUse ? Math.min(timeoutMs, primaryTimeoutMs) : timeoutMs
  }

  /**
   * Runs a read on the primary, or here if the primary is gone. A read that may take long waits until another one discovers
   * that.
   */
  async read<Result>(read: (pool: Pool) => Promise<Result>, { mayTakeLong = false } = {}): Promise<Result> {
    if (this.#isInUse) return read(this.pool)
    if (!this.isReady) return read(this.#options.primary)
    const late = Promise.withResolvers<never>()
    const giveUp = () => late.reject(readTimeout())
    const cancel = mayTakeLong ? () => {} : afterReading(primaryTimeoutMs, giveUp)
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

  /** Whether this error of the primary means that it is gone, and the standby answers reads now. */
  replacesAfter(error: unknown): boolean {
    if (!isGone(error) || !this.isReady) return false
    this.#use()
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #use(): void {
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
    const { looking } = this.#options
    const [ofStandby, ofPrimary] = await Promise.allSettled([
      ask<StandbyState>(this.pool, standbyCheckText),
      ask<PrimaryState>(looking, primaryCheckText, [this.#flushed]),
    ])
    const standby = ofStandby.status === 'fulfilled' ? ofStandby.value : null
    if (standby !== null) {
      this.#seen = standby
      this.#seenAt = performance.now()
    }
    if (ofPrimary.status === 'rejected') {
      this.replacesAfter(ofPrimary.reason)
      return
    }
    const primary = ofPrimary.value
    if (primary.isStandby || isReplaced(primary, this.#seen)) {
      if (this.isReady) this.#use()
      return
    }
    // The standby may have been promoted since.
    if (this.#isInUse && standby === null && performance.now() - this.#seenAt < checkValidMs) return
    this.#lookedAt = performance.now()
    this.#flushed = primary.flushed
    this.#note(
      standby
        ? findFault(standby, primary)
        : `it cannot be used: ${reasonOf((ofStandby as PromiseRejectedResult).reason)}`,
    )
    if (!this.#isInUse) return
    this.#isInUse = false
    this.#options.logger?.warn('the primary database is back')
  }

  #note(fault: string | null): void {
    if (fault === this.#fault) return
    this.#fault = fault
    const { logger } = this.#options
    if (fault === null) logger?.info('the standby will answer evals if the primary database is gone')
    else logger?.warn({ reason: fault }, 'the standby could not answer evals if the primary database were gone')
  }
}

/** Whether the standby was promoted after this server, which is running again, was the primary. */
function isReplaced(primary: PrimaryState, standby: StandbyState | null): boolean {
  return standby?.timeline != null && primary.timeline != null && primary.timeline < standby.timeline
}

/** Why the standby may lack data that the primary has answered. */
function findFault({ isStandby, name }: StandbyState, { commits, standbys }: PrimaryState): string | null {
  if (!isStandby) return 'it is no standby'
  if (name === null) return 'it does not follow a primary, or the role may not see that: grant it pg_read_all_stats'
  if (commits !== 'remote_apply') return `synchronous_commit is ${commits} and not remote_apply`
  const [found, ...others] = standbys.filter((each) => each.name === name)
  if (!found) return `the primary has no standby ${name}, or the role may not see it: grant it pg_read_all_stats`
  if (others.length > 0) return `several standbys have the name ${name}`
  if (found.syncState !== 'sync') return `sync_state of ${name} is ${found.syncState} and not sync`
  return found.follows ? null : `${name} does not follow the primary`
}

/** The server or the network to it is gone; a server that answered with an error is not. */
function isGone(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'SERVICE_UNAVAILABLE'
  if (isReadTimeout(error)) return true
  return isOutage(error) && !isAnswered(error) && !isServerFull(error)
}

async function ask<Row extends object>(pool: Pool, text: string, values: unknown[] = []): Promise<Row> {
  const config = { text, values, query_timeout: primaryTimeoutMs } as pg.QueryConfig
  const { rows } = await withDeadline(performance.now() + primaryTimeoutMs, pool.query<Row>(config), readTimeout)
  return rows[0] as Row
}
