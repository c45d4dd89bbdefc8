import type { Db, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../database/client.ts'
import type { Statement } from '../database/sql.ts'
import { idleBoss, type Job, type QueueName, startQueues, toQueueError } from './queues.ts'
import { createWaker } from './waker.ts'
import { notify, toTestWake, wakeChannel } from './wakes.ts'

/** Sends jobs; only workers process them. */
export type Jobs = {
  /** Returns statements that send the jobs in the transaction of a write, so that they exist only if it commits. */
  toStatements(organizationId: string, jobs: readonly Job[]): Promise<Statement[]>
  /**
   * Wakes the workers once the organization's events are committed; never waits, never fails. Runs outside the write's
   * transaction, because PostgreSQL commits transactions that send notifications one after the other, and each commit waits for
   * the disk.
   */
  wake(organizationId: string): void
  /** Like `wake`, for an organization that has a test to send. */
  test(organizationId: string): void
  stop(): Promise<void>
}

/** Wakes the worker of the same process. Never waits, never fails. */
export type LocalWorker = {
  wake(organizationIds: readonly string[]): void
  test(organizationIds: readonly string[]): void
}

/**
 * Starts pg-boss on the common pool, without its own loop; creates its schema and the queues if necessary. `wakeHere` wakes the
 * worker of this process, if it has one: that worker sends the events, or notifies the worker that has the organization's
 * delivery queue.
 */
export async function startJobs(
  { pool }: Database,
  logger: Pick<Logger, 'warn'>,
  wakeHere?: LocalWorker,
): Promise<Jobs> {
  const onError = (error: Error) => logger.warn({ err: toQueueError(error) }, 'the job queue failed')
  const boss = idleBoss(pool, { onError })
  await startQueues(boss, pool)
  const waker = createWaker((organizationIds) => notify(pool, wakeChannel, organizationIds), logger, {
    lostMessage: 'workers could not be woken and will find the events within a second',
  })
  return {
    async toStatements(organizationId, jobs) {
      const statements = []
      for (const [queue, ofQueue] of Map.groupBy(jobs, (job) => job.queue)) {
        statements.push(await toStatement(boss, queue, organizationId, ofQueue))
      }
      return statements
    },
    wake: (organizationId) => (wakeHere ? wakeHere.wake([organizationId]) : waker.wake(organizationId)),
    test: (organizationId) => (wakeHere ? wakeHere.test([organizationId]) : waker.wake(toTestWake(organizationId))),
    async stop() {
      await waker.stop()
      await boss.stop({ graceful: false })
    },
  }
}

/** The insert that pg-boss would execute. */
async function toStatement(
  boss: PgBoss,
  queue: QueueName,
  organizationId: string,
  jobs: readonly Job[],
): Promise<Statement> {
  const inserts = jobs.map(({ startAfter }) => ({ data: { organizationId }, ...(startAfter && { startAfter }) }))
  return captureStatement((db) => boss.insert(queue, inserts, { db }))
}

/** Captures the statement that pg-boss would execute. */
async function captureStatement(send: (db: Db) => Promise<unknown>): Promise<Statement> {
  let statement: Statement | undefined
  await send({
    async executeSql(text, values = []) {
      statement = { text, values }
      return { rows: [] }
    },
  })
  if (!statement) throw new Error('pg-boss sent no statement.')
  return statement
}
