import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import pg, { type Pool } from 'pg'
import { FairQueue } from '../fairness/fair-queue.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import { connectInTime } from './driver.ts'
import { limits } from './limits.ts'
import type { Query, Sql, TextRow, TextStatement } from './sql.ts'
import { types } from './write-connection.ts'

/** The bytes to read in one turn of the event loop: about one or two milliseconds of work. */
const sliceBytes = 256 * 1024
/** Besides its texts, a row takes as long to read as this many bytes of text. */
const bytesPerRow = 512
/** A list with more bytes than this is long: it keeps a processor of PostgreSQL busy for a while. */
const longBytes = 1024 * 1024

/** Reads the long lists of an owner one at a time. After each list, the owner waits for as long as the read took. */
const longReads = new FairQueue({
  atOnce: 4,
  atOnceOfOne: 1,
  waitingOfOne: 500,
  maxWaitMs: 10_000,
  restsAfterMs: 20,
})
/** The lists that were long when they were last read, by owner and query. */
const longLists = new LRUCache<string, true>({ maxSize: 1_000, sizeCalculation: () => 1 })

/**
 * Reads the rows of a large answer, all from one snapshot of the database, without blocking the event loop: after each slice,
 * reading pauses until a later turn of the loop. `take` returns the cost of a row in bytes. `timeoutMs` is the time limit for
 * connecting, and again for reading.
 */
export function readInSlices(
  options: ReadOptions,
  statement: TextStatement,
  take: (row: TextRow) => number,
): Promise<void> {
  return read(options, statement, { describe() {}, take })
}

/** Returns an `Sql` for queries that may return many rows: it reads them in slices, too. Their values have Prisma's types. */
export function slicedReader(pool: Pool, tenant: string): Sql {
  const options = { pool, tenant, timeoutMs: limits.queryTimeoutMs }
  return {
    async query(statement) {
      const list = `${tenant} ${statement.text}`
      const work = () => readRows(options, statement)
      const { rows, bytes } = longLists.has(list) ? await longReads.run(tenant, work) : await work()
      if (bytes > longBytes) longLists.set(list, true)
      else longLists.delete(list)
      return rows
    },
  }
}

type Column = { name: string; parse: (text: string) => unknown }

async function readRows<Row>(
  options: ReadOptions,
  { text, values }: Query<Row>,
): Promise<{ rows: Row[]; bytes: number }> {
  const rows: Row[] = []
  let columns: Column[] = []
  let bytes = 0
  await read(
    options,
    { text, values },
    {
      describe(fields) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID) }))
      },
      take(texts) {
        let rowBytes = bytesPerRow
        const row: Record<string, unknown> = {}
        // The loop uses no iterator, because it runs for each value.
        for (let index = 0; index < columns.length; index++) {
          const { name, parse } = columns[index] as Column
          const text = texts[index] ?? null
          row[name] = text === null ? null : parse(text)
          if (text !== null) rowBytes += text.length
        }
        rows.push(row as Row)
        bytes += rowBytes
        return rowBytes
      },
    },
  )
  return { rows, bytes }
}

type ReadOptions = { pool: Pool; tenant: string; timeoutMs: number }
type Reader = {
  describe(columns: readonly { name: string; dataTypeID: number }[]): void
  take(row: TextRow): number
}

async function read({ pool, tenant, timeoutMs }: ReadOptions, statement: TextStatement, reader: Reader): Promise<void> {
  const client = await connectInTime(pool, timeoutMs)
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const query = new SlicedQuery(statement, { stream, tenant, timeoutMs, ...reader })
  try {
    await client.query(query).received
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
    throw error
  }
}

type SliceOptions = Reader & { stream: Socket; tenant: string; timeoutMs: number }

class SlicedQuery extends pg.Query {
  /** Resolves once all rows are read; rejects with the database's error or an error that `take` threw. */
  readonly received: Promise<void>
  /** The driver reads this property, and fails the query after this time. */
  readonly query_timeout: number
  readonly #options: SliceOptions
  readonly #reject: (error: unknown) => void
  #weight = 0

  constructor(statement: TextStatement, options: SliceOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    super(statement as pg.QueryConfig, undefined, (error: Error | undefined) => (error ? reject(error) : resolve()))
    this.received = promise
    this.query_timeout = options.timeoutMs
    this.#options = options
    this.#reject = reject
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#options.describe(fields)
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    const { stream, tenant, take } = this.#options
    try {
      this.#weight += take(fields)
    } catch (error) {
      this.#reject(error)
    }
    // Data that has already arrived, at most 64 KB, is still passed on in this turn.
    if (this.#weight < sliceBytes || stream.isPaused()) return
    this.#weight = 0
    stream.pause()
    void loopSlices.next(tenant).then(() => stream.resume())
  }
}
