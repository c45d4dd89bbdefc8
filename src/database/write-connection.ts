import type pg from 'pg'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Prisma } from './generated/client.ts'
import { isAnswered } from './outage.ts'
import type { LentClient } from './prisma.ts'
import type { Sql } from './sql.ts'
import { type Answer, type NamedStatement, StatementBatch } from './statement-batch.ts'
import { nameStatement } from './statement-names.ts'

/*
 * | State | Trigger             | To    | Sent                                        |
 * | free  | begin               | begun | BEGIN                                       |
 * | free  | release             | over  |                                             |
 * | begun | query, send         | begun | the statement, behind those not answered yet |
 * | begun | commit, rollBack    | over  | COMMIT or ROLLBACK                          |
 * | any   | drop                | over  | nothing: the connection is closed           |
 */

/**
 * A connection for one write. It sends each statement at once, in order, without waiting for the answers of earlier ones;
 * statements sent in the same turn of the event loop leave in one system call, and those of the transaction are answered
 * together.
 */
export class WriteConnection implements Sql {
  readonly #client: PoolClient
  #state: 'free' | 'begun' | 'over' = 'free'
  /** Of this turn of the event loop. */
  #unsent: StatementBatch[] = []
  /** Takes the transaction's next statement. */
  #batch: StatementBatch | null = null
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
    await this.#send({ text: 'BEGIN', values: [] })
  }

  async query<Row>(statement: Prisma.Sql): Promise<Row[]> {
    const { rows } = await this.send(statement)
    return rows as Row[]
  }

  /** Throws at once if the statement cannot be sent: an error after that is PostgreSQL's, and aborts the transaction. */
  send(statement: NamedStatement): Promise<Answer> {
    this.#assertNotOver()
    return this.#send(statement)
  }

  /** Resolves once the transaction is committed. If an earlier statement failed, PostgreSQL rolls back instead. */
  async commit(): Promise<void> {
    this.#assertNotOver()
    this.#state = 'over'
    const { command } = await this.#end('COMMIT')
    if (command !== 'COMMIT') throw new Error(`PostgreSQL answered ${command} to COMMIT.`)
  }

  /** Resolves once the transaction has ended either way, and with it its locks, or the connection is lost. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** Behind the statements that are still running. */
  rollBack(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#end('ROLLBACK').catch(() => {})
  }

  /** Without having begun, once every statement is answered. */
  release(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#giveBack()
  }

  /** When an answer did not come. */
  drop(error: unknown): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#client.release(error instanceof Error ? error : true)
  }

  /** For Prisma: a client whose transaction has begun already, and ends when this one does. */
  lend(): LentClient {
    return {
      query: (query) => {
        const text = typeof query === 'string' ? query : query.text
        if (/^(begin|commit|rollback)$/i.test(text)) return Promise.resolve({ rows: [], fields: [], rowCount: 0 })
        if (this.#state !== 'begun') return Promise.reject(new Error('The transaction is over.'))
        this.#flush()
        return handled(this.#client.query(query as QueryConfig))
      },
      on: () => {},
      removeListener: () => {},
      release: () => {},
    }
  }

  #send(statement: NamedStatement): Promise<Answer> {
    const batch = this.#batch ?? new StatementBatch()
    const named = statement.name === undefined ? { ...nameStatement(statement), values: statement.values } : statement
    const answer = handled(batch.add(named))
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush())
    if (batch !== this.#batch) this.#unsent.push(batch)
    // Outside of the transaction, a statement is committed by itself.
    this.#batch = this.#state === 'begun' ? batch : null
    return answer
  }

  #flush(): void {
    const batches = this.#unsent
    this.#unsent = []
    this.#batch = null
    const { stream } = (this.#client as unknown as pg.Client).connection
    stream.cork()
    for (const batch of batches) this.#client.query(batch)
    stream.uncork()
  }

  /** The connection is of use to others only once the transaction has ended. */
  async #end(text: 'COMMIT' | 'ROLLBACK'): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ended = promise
    // If a statement of its batch fails, PostgreSQL skips COMMIT; ROLLBACK must not be skipped.
    if (text === 'ROLLBACK') this.#batch = null
    try {
      const answer = await this.#send({ text, values: [] })
      this.#giveBack()
      return answer
    } catch (error) {
      if (text === 'COMMIT' && isAnswered(error)) await this.#end('ROLLBACK').catch(() => {})
      else this.#client.release(error as Error)
      throw error
    } finally {
      resolve()
    }
  }

  #giveBack(): void {
    setPipeline(this.#client, false)
    this.#client.release()
  }

  #assertNotOver(): void {
    if (this.#state === 'over') throw new Error('The transaction is over.')
  }
}

/** The driver reads this at each query: if set, it sends at once instead of waiting for the previous answer. */
export function setPipeline(client: PoolClient, pipeline: boolean): void {
  Object.assign(client, { pipeline })
}

/** Whoever sent it awaits it in its turn, or gave up because of an earlier one. */
function handled<Result>(answer: Promise<Result>): Promise<Result> {
  answer.catch(() => {})
  return answer
}
