import type { ClientBase } from 'pg'
import { expect } from 'vitest'
import type { Answer } from './service.ts'

/** Sends all of them at once; how many answers came of each kind: `201`, `409 CONFLICT`. */
export async function race(
  requests: (() => Promise<Answer>)[],
): Promise<{ answers: Answer[]; tally: Record<string, number> }> {
  const answers = await Promise.all(requests.map((request) => request()))
  const tally: Record<string, number> = {}
  for (const { status, body } of answers) {
    const kind = body?.error ? `${status} ${body.error.code}` : String(status)
    tally[kind] = (tally[kind] ?? 0) + 1
  }
  return { answers, tally }
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Resolves once another transaction waits for a lock that this client holds. */
export async function untilWaitedFor(client: ClientBase): Promise<void> {
  // Not pg_stat_activity, which stays within a transaction as it was first read.
  const waiting = 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
  await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 10_000 }).toBeGreaterThan(0)
}
