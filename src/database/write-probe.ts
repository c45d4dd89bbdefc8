import type pg from 'pg'
import { isAnswered, isWriteRefused } from './outage.ts'

/**
 * `ready`: everything works. `no_writes`: the disk is full; evals are answered as long as their counters need no new space.
 * `read_only`: the server is a standby, is set to read-only, or has no transaction numbers left; evals are answered, and
 * counted in memory.
 */
export type Usability = 'ready' | 'no_writes' | 'read_only'

/** Calls within this time share an answer. */
const freshMs = 1000
const queryTimeoutMs = 3000

/** Checks that the server is not a standby, is not read-only, and can assign a transaction number. Writes nothing. */
const acceptsWritesText = `
select case
  when pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' then null
  else pg_current_xact_id()
end is not null as takes_counts`

/** Checks for disk space: writes about 300 kB to a temporary file. */
const hasDiskSpaceText = `
set local work_mem = '64kB';
with filler as materialized (select repeat(md5(n::text), 32) as line from generate_series(1, 300) n)
select count(*) from filler`

/** The SQLSTATE of the error if the temporary file exceeds `temp_file_limit`, which does not mean that the disk is full. */
const temporaryFileRefused = '53400'

/** Finds out how usable the database is, without permanent writes; rejects if the database does not answer within seconds. */
export async function probeUsability(pool: pg.Pool): Promise<Usability> {
  try {
    const { rows } = await ask<{ takes_counts: boolean }>(pool, acceptsWritesText)
    if (rows[0]?.takes_counts !== true) return 'read_only'
  } catch (error) {
    if (isWriteRefused(error)) return 'read_only'
    throw error
  }
  try {
    await ask(pool, hasDiskSpaceText)
  } catch (error) {
    if ((error as { code?: string }).code === temporaryFileRefused) return 'ready'
    if (isAnswered(error)) return 'no_writes'
    throw error
  }
  return 'ready'
}

function ask<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<pg.QueryResult<Row>> {
  return pool.query<Row>({ text, query_timeout: queryTimeoutMs } as pg.QueryConfig)
}

/** Returns a function that calls `probeUsability` at most once a second, and shares its answer between callers. */
export function createUsabilityProbe(pool: pg.Pool): () => Promise<Usability> {
  let last: { askedAt: number; answer: Promise<Usability> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.askedAt > freshMs) last = { askedAt: now, answer: probeUsability(pool) }
    return last.answer
  }
}
