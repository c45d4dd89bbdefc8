import { fromPrisma, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../database/client.ts'
import type { Transaction } from '../database/transaction.ts'
import { type Job, startQueues, toQueueError } from './queues.ts'

/** Sends jobs; it works none off, which is for workers. */
export type Jobs = {
  /** In the transaction of a write: the jobs are there once it commits, and never otherwise. */
  send(tx: Transaction, organizationId: string, jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

/** pg-boss on the pool of everything else, with no loop of its own: its schema and the queues are made if need be. */
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
