import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../database/client.ts'
import type { Statement } from '../database/sql.ts'
import { type Job, type QueueName, startQueues, toQueueError } from './queues.ts'

/** Sends jobs; only workers process them. */
export type Jobs = {
  /**
   * What sends the jobs in the transaction of a write: they exist once it commits, and otherwise never. Asks the database
   * for nothing. `wakeFor`: an event of this transaction; the worker is woken for it if it was queued.
   */
  toStatements(organizationId: string, jobs: readonly Job[], wakeFor?: { id: string }): Promise<Statement[]>
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
    async toStatements(organizationId, jobs, wakeFor) {
      const statements = []
      for (const [queue, ofQueue] of Map.groupBy(jobs, (job) => job.queue)) {
        statements.push(await toStatement(boss, queue, organizationId, ofQueue))
      }
      if (wakeFor) {
        const wake = { queue: 'webhook.wake' } as const
        statements.push(ifQueued(await toStatement(boss, wake.queue, organizationId, [wake]), organizationId, wakeFor))
      }
      return statements
    },
    stop: () => boss.stop({ graceful: false }),
  }
}

/** The insert that pg-boss would execute, which also notifies its workers. The queue is known to pg-boss since the start. */
async function toStatement(
  boss: PgBoss,
  queue: QueueName,
  organizationId: string,
  jobs: readonly Job[],
): Promise<Statement> {
  let statement: Statement | undefined
  const executeSql = async (text: string, values: unknown[] = []) => {
    statement = { text, values }
    return { rows: [] }
  }
  const inserts = jobs.map(({ startAfter }) => ({ data: { organizationId }, ...(startAfter && { startAfter }) }))
  await boss.insert(queue, inserts, { db: { executeSql } })
  if (!statement) throw new Error(`pg-boss sent nothing to the queue ${queue}.`)
  return statement
}

/** Sends no job if there was no endpoint to queue the event for. The jobs are pg-boss's first and only parameter. */
function ifQueued({ text, values }: Statement, organizationId: string, { id }: { id: string }): Statement {
  const [before, after, ...others] = text.split('$1')
  if (before === undefined || after === undefined || others.length > 0 || values.length !== 1) {
    throw new Error('pg-boss inserts jobs in another way than expected.')
  }
  const isQueued = 'exists (select from webhook_event where organization_id = $2 and event_id = $3)'
  return {
    text: `${before}(case when ${isQueued} then $1 else '[]' end)${after}`,
    values: [...values, organizationId, id],
  }
}
