import pg, { type Pool } from 'pg'
import { turns } from '../fairness/turns.ts'
import { connectInTime } from './driver.ts'
import { limits } from './limits.ts'
import type { Query, Sql, TextRow, TextStatement } from './sql.ts'
import { types } from './write-connection.ts'

/** Approximate work between two turns of the event loop: one or two milliseconds. */
const sliceBytes = 256 * 1024
const firstSliceRows = 8
/** A list of this many rows is read in one go: as many as fit into a slice if their texts are short. */
const firstListRows = 200
/** The cost of a row of a list beside its texts: in that time, this many bytes of a text are read. */
const rowBytes = 512
const maxSliceRows = 1000

/**
 * Reads the rows of a large answer, all from one snapshot of the database, without blocking the event loop: it requests
 * more rows only when it has processed the last ones. `take` returns the cost of a row in bytes. `timeoutMs` limits
 * connecting, and then reading.
 */
export function readInSlices(
  reading: Reading,
  statement: TextStatement,
  take: (row: TextRow) => number,
): Promise<void> {
  return read(reading, statement, { firstRows: firstSliceRows, describe() {}, take })
}

/** Queries whose rows may be many, read in the same way, with Prisma's types. */
export function inSlices(pool: Pool, tenant: string): Sql {
  return { query: (statement) => readRows({ pool, tenant, timeoutMs: limits.queryTimeoutMs }, statement) }
}

type Column = { name: string; parse: (text: string) => unknown }

async function readRows<Row>(reading: Reading, { text, values }: Query<Row>): Promise<Row[]> {
  const rows: Row[] = []
  let columns: Column[] = []
  await read(
    reading,
    { text, values },
    {
      firstRows: firstListRows,
      describe(fields) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID) }))
      },
      take(texts) {
        let bytes = rowBytes
        const row: Record<string, unknown> = {}
        // Without an iterator: this runs for each value.
        for (let index = 0; index < columns.length; index++) {
          const { name, parse } = columns[index] as Column
          const given = texts[index] ?? null
          row[name] = given === null ? null : parse(given)
          if (given !== null) bytes += given.length
        }
        rows.push(row as Row)
        return bytes
      },
    },
  )
  return rows
}

type Reading = { pool: Pool; tenant: string; timeoutMs: number }
type Reader = {
  firstRows: number
  describe(columns: readonly { name: string; dataTypeID: number }[]): void
  take(row: TextRow): number
}

async function read({ pool, tenant, timeoutMs }: Reading, statement: TextStatement, reader: Reader): Promise<void> {
  const client = await connectInTime(pool, timeoutMs)
  const query = new SlicedQuery(statement, { tenant, timeoutMs, ...reader })
  try {
    await client.query(query).received
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
    throw error
  }
}

type SliceOptions = Reader & { tenant: string; timeoutMs: number }
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
    super({ ...statement, rows: options.firstRows } as pg.QueryConfig, undefined, (error: Error | undefined) =>
      error ? reject(error) : resolve(),
    )
    this.received = promise
    this.query_timeout = options.timeoutMs
    this.#options = options
    this.#reject = reject
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#options.describe(fields)
  }

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
