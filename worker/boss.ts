import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { warnNowAndThen } from '../src/core/warn-now-and-then.ts'
import { startQueues, toQueueError } from '../src/events/queues.ts'

const startTimeoutMs = 60_000

/** Starts pg-boss for workers, on our pool. It does not listen: all jobs are for later, and such jobs do not notify. */
export async function startBoss(pool: pg.Pool, logger: Pick<Logger, 'warn'>): Promise<PgBoss> {
  // Creating or migrating its schema may wait for another process that does the same; later queries time out sooner.
  let queryTimeoutMs: number | undefined = startTimeoutMs
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query({ text, values, query_timeout: queryTimeoutMs } as pg.QueryConfig),
    },
    schedule: false,
    // A pass returns jobs whose worker died to the queue.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
  })
  // Without a listener an `error` event ends the process.
  const warn = warnNowAndThen(logger, quietMs)
  boss.on('error', (error) => warn({ err: toQueueError(error) }, 'the job queue failed'))
  await startQueues(boss, pool)
  queryTimeoutMs = undefined
  return boss
}

/** Log lines are this far apart: while the database is unavailable, each queue fails twice a second. */
const quietMs = 10_000

/** Fetches many jobs at once, one fetch after another. */
export const workOptions = {
  batchSize: 200,
  localConcurrency: 1,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
} as const

/** One check for due overrides serves many jobs: each put of an override with an end has its own job. */
export const expireOptions = { ...workOptions, batchSize: 2000 } as const
