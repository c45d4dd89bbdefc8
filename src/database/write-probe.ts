import type pg from 'pg'

/** Callers that ask more often share an answer. */
const freshMs = 1000
const queryTimeoutMs = 3000

/**
 * Checks what a write needs from the server, without writing anything permanent: not a standby or otherwise read-only, a
 * transaction number, and disk space, for which about 300 kB go to a temporary file.
 */
const text = `
set local work_mem = '64kB';
select
  case when s.is_read_only then null else pg_current_xact_id() end is not null as takes_writes,
  (with filler as materialized (select repeat(md5(n::text), 32) as line from generate_series(1, 300) n)
   select count(*) from filler) as lines
from (select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only) s`

/** `temp_file_limit` is smaller than the temporary file: this says nothing about the disk. */
const temporaryFileRefused = '53400'

/** Asks whether the database accepts writes, at most once a second and within seconds; rejects when it does not answer. */
export function createWriteProbe(pool: pg.Pool): () => Promise<boolean> {
  let last: { askedAt: number; answer: Promise<boolean> } | undefined

  async function ask(): Promise<boolean> {
    try {
      const results = await pool.query({ text, query_timeout: queryTimeoutMs } as pg.QueryConfig)
      // One result for each of the two statements, which the published types do not know.
      const [, { rows }] = results as unknown as [unknown, { rows: [{ takes_writes: boolean }] }]
      return rows[0].takes_writes
    } catch (error) {
      if ((error as { code?: string }).code === temporaryFileRefused) return true
      throw error
    }
  }

  return () => {
    const now = performance.now()
    if (!last || now - last.askedAt > freshMs) last = { askedAt: now, answer: ask() }
    return last.answer
  }
}
