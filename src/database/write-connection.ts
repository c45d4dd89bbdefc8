import pg, { type Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { QueryDescribedOnce } from './driver-query.ts'
import { isStatementLost } from './outage.ts'
import type { BorrowedClient } from './prisma.ts'
import type { Query, Sql, Statement } from './sql.ts'

/*
 * | State | Trigger             | To    | Sent                                        |
 * | free  | begin               | begun | BEGIN                                       |
 * | free  | release             | over  |                                             |
 * | begun | query, send         | begun | the statement, without waiting for answers  |
 * | begun | commit, rollBack    | over  | COMMIT or ROLLBACK                          |
 * | any   | drop                | over  | nothing: the connection is closed           |
 */

/**
 * A connection for one write. It sends each statement at once, in order, without waiting for the answers to earlier ones;
 * statements sent in the same turn of the event loop are written in one system call.
 */
export class WriteConnection implements Sql {
  readonly #client: PoolClient
  #state: 'free' | 'begun' | 'over' = 'free'
  #isCorked = false
  #hasLostStatement = false
  #ended: Promise<void> = Promise.resolve()

  private constructor(client: PoolClient) {
    this.#client = client
    setPipeline(client, true)
  }

  static async take(pool: Pool): Promise<WriteConnection> {
    return new WriteConnection(await pool.connect())
  }

  async begin(): Promise<void> {
    this.#assertNotOver()
    this.#state = 'begun'
    await this.#send(() => this.#client.query('BEGIN'))
  }

  async query<Row>(statement: Query<Row>): Promise<Row[]> {
    const { rows } = await this.send(statement)
    return rows as Row[]
  }

  /** Throws at once if the statement cannot be sent. A later error comes from PostgreSQL, and aborts the transaction. */
  send(statement: Statement & { name?: string }): Promise<QueryResult> {
    this.#assertNotOver()
    const { text, values, name = statementNameOf(text) } = statement
    values.forEach(assertSendable)
    return this.#send(() => this.#query({ text, values: values as unknown[], name, types }))
  }

  /** Resolves once the transaction is committed. If an earlier statement failed, PostgreSQL rolls back instead. */
  async commit(): Promise<void> {
    this.#assertNotOver()
    this.#state = 'over'
    const { command } = await this.#end('COMMIT')
    if (command !== 'COMMIT') throw new Error(`PostgreSQL answered ${command} to COMMIT.`)
  }

  /**
   * Whether the transaction cannot commit because the server did not know a named statement. The driver then no longer uses
   * names, so the same transaction can be tried again.
   */
  get hasLostStatement(): boolean {
    return this.#hasLostStatement
  }

  /** Resolves once the transaction has ended and released its locks, or the connection is lost. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** Rolls back once the statements that are still running have ended. */
  rollBack(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#end('ROLLBACK').catch(() => {})
  }

  /**
   * Returns a connection that has begun no transaction to the pool. The caller must have awaited all answers: the pool would
   * close a connection that is still in use.
   */
  release(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#releaseClient()
  }

  /** Closes the connection, because an answer did not arrive. */
  drop(error: unknown): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#client.release(error instanceof Error ? error : true)
  }

  /**
   * A client for Prisma, which cannot join an open transaction: `$transaction` always sends BEGIN, COMMIT or ROLLBACK. This
   * client ignores them, because the write itself begins and commits the transaction on this connection (decision 21).
   */
  lend(): BorrowedClient {
    return {
      query: (query) => {
        const text = typeof query === 'string' ? query : query.text
        if (/^(begin|commit|rollback)$/i.test(text)) return Promise.resolve({ rows: [], fields: [], rowCount: 0 })
        if (this.#state !== 'begun') return Promise.reject(new Error('The transaction is over.'))
        return this.#send(() => this.#client.query(query as QueryConfig))
      },
      on: () => {},
      removeListener: () => {},
      release: () => {},
    }
  }

  #query(statement: QueryConfig): Promise<QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
    this.#client.query(
      new QueryDescribedOnce(statement, (error, result) => (error ? reject(error) : resolve(result as QueryResult))),
    )
    return promise
  }

  #send(query: () => Promise<QueryResult>): Promise<QueryResult> {
    this.#cork()
    const isInTransaction = this.#state === 'begun'
    const answer = query()
    // The error is handled here, because the sender awaits the answer later, or never if an earlier statement failed.
    answer.catch((error) => {
      if (isInTransaction && isStatementLost(error)) this.#hasLostStatement = true
    })
    return answer
  }

  /** Returns the connection to the pool only once the transaction has ended. */
  async #end(statement: 'COMMIT' | 'ROLLBACK'): Promise<QueryResult> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ended = promise
    try {
      const answer = await this.#send(() => this.#client.query(statement))
      this.#releaseClient()
      return answer
    } catch (error) {
      this.#client.release(error as Error)
      throw error
    } finally {
      resolve()
    }
  }

  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = (this.#client as unknown as pg.Client).connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  #releaseClient(): void {
    setPipeline(this.#client, false)
    this.#client.release()
  }

  #assertNotOver(): void {
    if (this.#state === 'over') throw new Error('The transaction is over.')
  }
}

/**
 * Sets a property that the driver reads at each query: if true, the driver sends the query at once instead of waiting for the
 * previous answer.
 */
export function setPipeline(client: PoolClient, pipeline: boolean): void {
  Object.assign(client, { pipeline })
}

/** The driver's parsers, but with `bigint` for int8, as in Prisma. */
export const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const maxNames = 500
const statementNames = new Map<string, string>()

/** The name of a prepared statement, the same for the same text; undefined beyond `maxNames` texts. */
function statementNameOf(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= maxNames) return known
  const name = `write-${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

/** Throws if the driver cannot encode the value: the driver would drop the statement, and COMMIT would commit the others. */
function assertSendable(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(assertSendable)
    return
  }
  const isPlain = value === null || value instanceof Date || Buffer.isBuffer(value)
  if (isPlain || ['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return
  throw new TypeError(`A value of type ${typeof value} cannot be sent to the database.`)
}
