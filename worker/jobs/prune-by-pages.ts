import type pg from 'pg'
import { Pace } from '../../src/fairness/pace.ts'

/** In pages of 8 KiB, which have some tens of rows each. */
const batches = { batchMs: 15, minRows: 16, maxRows: 1024 }

type PagesOptions = { pool: pg.Pool; table: string; signal: AbortSignal }

/**
 * Calls `prune` for one part of the table after another, until its end or until the signal aborts, and returns the sum of its
 * results. An index on the time of the rows does not limit what a statement reads: without such rows, a BRIN index leads to the
 * whole table, because its ranges keep the times of deleted rows. Rows that are added or moved meanwhile are left for later.
 */
export async function pruneByPages(
  { pool, table, signal }: PagesOptions,
  prune: (pages: string) => Promise<number>,
): Promise<number> {
  const { rows } = await pool.query<{ pages: number }>(
    `select (pg_relation_size('${table}') / current_setting('block_size')::int)::float8 as pages`,
  )
  const pages = rows[0]?.pages ?? 0
  const pace = new Pace({ ...batches, signal })
  let [first, pruned] = [0, 0]
  while (first < pages && !pace.isEnded) {
    await pace.batch(async (atMost) => {
      const end = first + atMost
      pruned += await prune(rowsOfPages(table, first, end))
      const read = Array.from({ length: atMost }, (_, index) => first + index)
      first = end
      return read
    })
  }
  return pruned
}

/** SQL: the rows of these pages, with their `ctid`. OFFSET keeps PostgreSQL from searching the time in an index first. */
function rowsOfPages(table: string, first: number, end: number): string {
  return `(select ctid, * from ${table} where ctid >= '(${first},0)' and ctid < '(${end},0)' offset 0) as page`
}
