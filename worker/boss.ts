import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { warnAtIntervals } from '../src/core/warn-at-intervals.ts'
import { startQueues, toQueueError } from '../src/events/queues.ts'

const startTimeoutMs = 60_000

/**
 * Starts pg-boss for workers, on our pool, without LISTEN: all our jobs are delayed, and pg-boss sends no NOTIFY for delayed
 * jobs.
 */
export async function startBoss(pool: pg.Pool, logger: Pick<Logger, 'warn'>): Promise<PgBoss> {
  // Creating or migrating the schema of pg-boss may wait for another process that does the same; later queries time out sooner.
  let queryTimeoutMs: number | undefined = startTimeoutMs
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query({ text, values, query_timeout: queryTimeoutMs } as pg.QueryConfig),
    },
    schedule: false,
    // How often jobs whose worker died are returned to the queue.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
  })
  // Without a listener, an `error` event would end the process.
  const warn = warnAtIntervals(logger, quietMs)
  boss.on('error', (error) => warn({ err: toQueueError(error) }, 'the job queue failed'))
  await startQueues(boss, pool)
  queryTimeoutMs = undefined
  return boss
}

/** The minimum time between log lines: while the database is unavailable, each queue fails twice a second. */
const quietMs = 10_000

/** Fetches many jobs at once, one fetch after another. */
export const workOptions = {
  batchSize: 200,
  localConcurrency: 1,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
} as const

/** Fetches more jobs at once: each put of an override with an end creates a job, and one check handles many jobs. */
export const expireOptions = { ...workOptions, batchSize: 2000 } as const
