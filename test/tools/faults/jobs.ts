import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { queueNames } from '../../../src/events/queues.ts'
import { limitOf } from '../../support/limit-of.ts'

/** Longer than a worker's job may run until it expires and the next pass returns it to the queue. */
const jobTimeoutMs = limitOf(60_000)

/** Expects that workers do every due job, including jobs that a killed worker had fetched. */
export async function checkJobs(pool: pg.Pool): Promise<string[]> {
  const due = `select name, state::text, count(*)::int from pgboss.job
    where name = any ($1) and state::text in ('created', 'retry', 'active') and start_after <= now() group by 1, 2`
  for (const endsAt = Date.now() + jobTimeoutMs; ; await wait(100)) {
    const { rows } = await pool.query(due, [queueNames])
    if (rows.length === 0) return []
    if (Date.now() > endsAt) return rows.map(({ name, state, count }) => `${count} jobs of ${name} stay ${state}`)
  }
}
