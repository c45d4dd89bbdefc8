import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { warnNowAndThen } from '../src/core/warn-now-and-then.ts'
import { startQueues, toQueueError } from '../src/events/queues.ts'

const startTimeoutMs = 60_000

/** pg-boss as workers use it: on our pool. It does not listen, because all jobs are for later, and those do not notify. */
export async function startBoss(pool: pg.Pool, logger: Pick<Logger, 'warn'>): Promise<PgBoss> {
  // Creating or migrating its schema may wait for another process that does; later queries time out sooner.
  let queryTimeoutMs: number | undefined = startTimeoutMs
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query({ text, values, query_timeout: queryTimeoutMs } as pg.QueryConfig),
    },
    schedule: false,
    // A job whose worker died returns at one of these passes.
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

/** While the database is unavailable, each queue fails twice a second. */
const quietMs = 10_000

/** Many at once, one fetch after another. */
export const workOptions = {
  batchSize: 200,
  localConcurrency: 1,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
} as const

/** As many at once as one look at what is due serves: each put of an override with an end has a job of its own. */
export const expireOptions = { ...workOptions, batchSize: 2000 } as const
