import { fromPrisma, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../database/client.ts'
import type { Transaction } from '../database/transaction.ts'
import { type Job, startQueues, toQueueError } from './queues.ts'

/** Sends jobs; only workers process them. */
export type Jobs = {
  /** In the transaction of a write: the jobs exist once it commits, and otherwise never. */
  send(tx: Transaction, organizationId: string, jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

/** pg-boss on the common pool, without its own loop; creates its schema and the queues if necessary. */
export async function startJobs({ pool }: Database, logger: Pick<Logger, 'warn'>): Promise<Jobs> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    supervise: false,
    schedule: false,
  })
  // Without a listener an `error` event ends the process.
  boss.on('error', (error) => logger.warn({ err: toQueueError(error) }, 'the job queue failed'))
  await startQueues(boss, pool)
  return {
    async send(tx, organizationId, jobs) {
      for (const { queue, startAfter } of jobs) {
        await boss.send(queue, { organizationId }, { db: fromPrisma(tx), ...(startAfter && { startAfter }) })
      }
    },
    stop: () => boss.stop({ graceful: false }),
  }
}
