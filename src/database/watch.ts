import type pg from 'pg'
import type { Logger } from 'pino'
import { currentMs, setClock } from '../core/clock.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { loadMigrations } from './migration-files.ts'
import { findForbiddingMigrations, type UnknownMigration } from './migration-history.ts'

/** Reads the database's time every second, and checks whether the database has migrations that this program does not know. */
type DatabaseWatch = {
  /** Aborted once the database has a migration after which this version may not run. */
  outdated: AbortSignal
  close(): Promise<void>
}

type WatchOptions = { pool: pg.Pool; logger: Pick<Logger, 'warn' | 'error'>; everyMs?: number }

const queryTimeoutMs = 3000
const quietMs = 60_000
/** A larger difference between the clocks is logged, but not again until it was smaller than `agreedClockDifferenceMs`. */
const maxClockDifferenceMs = 2000
const agreedClockDifferenceMs = 1000

const text = `
select extract(epoch from clock_timestamp())::float8 * 1000 as ms, array(
  select json_build_object('name', migration_name, 'runsBeside', runs_beside)
  from _prisma_migrations
  where finished_at is not null and rolled_back_at is null and not migration_name = any($1)
  order by migration_name) as unknown`

/** Resolves after the first check: from then on, this process knows the database's time. */
export async function watchDatabase({ pool, logger, everyMs = 1000 }: WatchOptions): Promise<DatabaseWatch> {
  const migrationNames = (await loadMigrations()).map(({ name }) => name)
  const outdated = new AbortController()
  const compareClocks = createClockComparison(logger)
  const warn = warnAtIntervals(logger, quietMs)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function check(): Promise<void> {
    const sentAt = performance.now()
    const config = { text, values: [migrationNames], query_timeout: queryTimeoutMs } as pg.QueryConfig
    const { rows } = await pool.query<{ ms: number; unknown: UnknownMigration[] }>(config)
    const answeredAt = performance.now()
    const { ms, unknown } = rows[0] as { ms: number; unknown: UnknownMigration[] }
    setClock({ databaseMs: ms, sentAt, answeredAt })
    compareClocks(answeredAt - sentAt)
    const forbidding = findForbiddingMigrations(unknown, migrationNames)
    if (forbidding.length === 0 || outdated.signal.aborted) return
    logger.error(
      { migrations: forbidding },
      'a newer version of this program has migrated the database, and this version cannot run beside it: this process sends no more events and answers 503. Stop it, or start the newer version',
    )
    outdated.abort()
  }

  let running = check()
  await running
  schedule()

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(() => {
      running = check()
        .catch((error) => warn({ err: error }, 'could not check the time and the migrations of the database'))
        .then(schedule)
    }, everyMs).unref()
  }

  return {
    outdated: outdated.signal,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

/**
 * Returns a function that logs when the machine's clock differs from the database's. `uncertainMs`, the time that the query
 * took, is the maximum error of the database's time.
 */
function createClockComparison(logger: Pick<Logger, 'warn'>): (uncertainMs: number) => void {
  let isApart = false
  return (uncertainMs) => {
    const aheadMs = Date.now() - currentMs()
    if (Math.abs(aheadMs) < agreedClockDifferenceMs) isApart = false
    if (isApart || Math.abs(aheadMs) < maxClockDifferenceMs + uncertainMs) return
    isApart = true
    const seconds = Math.round(Math.abs(aheadMs) / 100) / 10
    logger.warn(
      { seconds, is: aheadMs > 0 ? 'ahead' : 'behind' },
      "this machine's clock differs from the database's, whose time is used for everything but the log: set the machine's clock",
    )
  }
}
