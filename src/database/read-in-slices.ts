import pg, { type Pool } from 'pg'
import { turns } from '../../fairness/turns.ts'
import { connectInTime } from '../statement/gate-connection.ts'
import type { TextRow, TextStatement } from '../statement/text-query.ts'

/** Approximate work between two turns of the event loop: one or two milliseconds. */
const sliceBytes = 256 * 1024
const firstSliceRows = 8
const maxSliceRows = 1000

/**
 * Reads the rows of a large answer, all from one snapshot of the database, without blocking the event loop: it requests
 * more rows only when it has processed the last ones. `take` returns the cost of a row in bytes. `timeoutMs` limits
 * connecting, and then reading.
 */
export async function readInSlices(
  { pool, tenant, timeoutMs }: { pool: Pool; tenant: string; timeoutMs: number },
  statement: TextStatement,
  take: (row: TextRow) => number,
): Promise<void> {
  const client = await connectInTime(pool, timeoutMs)
  const query = new SlicedQuery(statement, { tenant, timeoutMs, take })
  try {
    await client.query(query).received
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
    throw error
  }
}

type SliceOptions = { tenant: string; timeoutMs: number; take: (row: TextRow) => number }
/** The part of the driver's connection that requests the next rows. */
type ResumableConnection = {
  stream: { writable: boolean }
  execute(portal: { portal: string; rows: number }): void
  flush(): void
}

class SlicedQuery extends pg.Query {
  /** Resolves once all rows are read; rejects with the database's error or the one that `take` threw. */
  readonly received: Promise<void>
  /** Read by the driver: it cancels the query after this time. */
  readonly query_timeout: number
  readonly #options: SliceOptions
  readonly #reject: (error: unknown) => void
  #rows = 0
  #weight = 0

  constructor(statement: TextStatement, options: SliceOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    super({ ...statement, rows: firstSliceRows } as pg.QueryConfig, undefined, (error: Error | undefined) =>
      error ? reject(error) : resolve(),
    )
    this.received = promise
    this.query_timeout = options.timeoutMs
    this.#options = options
    this.#reject = reject
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#rows += 1
    try {
      this.#weight += this.#options.take(fields)
    } catch (error) {
      this.#reject(error)
    }
  }

  /** An estimate from the cost of the rows so far. */
  #nextRows(): number {
    const rows = Math.ceil((sliceBytes * this.#rows) / (this.#weight + 1))
    return Math.min(rows, maxSliceRows)
  }

  /** Waits for a turn; the driver would request the next rows at once. */
  handlePortalSuspended(connection: ResumableConnection): void {
    void turns.next(this.#options.tenant).then(() => {
      if (!connection.stream.writable) return
      connection.execute({ portal: '', rows: this.#nextRows() })
      connection.flush()
    })
  }
}
