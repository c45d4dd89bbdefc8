import type { ClientBase, Pool, PoolClient } from 'pg'
import { expect } from 'vitest'
import type { Answer } from './service.ts'

/**
 * Sends all requests at once; returns the number of answers of each kind: `201`, `409 CONFLICT`. On a slow machine, some wait
 * too long for the others or for a connection, and are refused before they run; those are sent again.
 */
export async function race(
  requests: (() => Promise<Answer>)[],
): Promise<{ answers: Answer[]; tally: Record<string, number> }> {
  const answers = await Promise.all(requests.map(sendUntilRun))
  const tally: Record<string, number> = {}
  for (const { status, body } of answers) {
    const kind = body?.error ? `${status} ${body.error.code}` : String(status)
    tally[kind] = (tally[kind] ?? 0) + 1
  }
  return { answers, tally }
}

async function sendUntilRun(request: () => Promise<Answer>): Promise<Answer> {
  const answer = await request()
  const hasNotRun = /so (it|this one) did not run|No database connection was available/.test(
    answer.body?.error?.message,
  )
  return hasNotRun ? sendUntilRun(request) : answer
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Resolves when this many other transactions wait for this client's locks, directly or through one another. */
export async function untilOthersWaitFor(client: ClientBase, count = 1): Promise<void> {
  // Not pg_stat_activity, because a transaction that has read it does not see it change.
  const waiting = `
    with recursive waiting as materialized (
      select distinct pid, pg_blocking_pids(pid) as behind from pg_locks where not granted),
    found as (
      select pid from waiting where pg_backend_pid() = any(behind)
       union
      select waiting.pid from waiting, found where found.pid = any(waiting.behind))
    select 1 from found`
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThanOrEqual(count)
}

/** Calls `run` with a client in a transaction, which is rolled back afterwards unless `run` has ended it. */
export async function inTransaction<Result>(pool: Pool, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    return await run(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
