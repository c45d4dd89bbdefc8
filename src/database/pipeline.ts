import type pg from 'pg'
import type { QueryConfig, QueryResult } from 'pg'
import { type Callback, type Connection, DescribedOnce } from './driver-query.ts'

/**
 * Statements that a connection in the driver's pipeline mode sends together. The driver would end each with a Sync, which
 * PostgreSQL answers with a packet of its own; here one Sync follows the last. If one fails, PostgreSQL skips those behind it up
 * to the Sync, and they fail with the same error.
 */
export class Pipeline {
  readonly #client: Client
  #last: PipelinedQuery | null = null

  constructor(client: pg.ClientBase) {
    this.#client = client as unknown as Client
  }

  send(statement: QueryConfig): Promise<QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
    this.#last = new PipelinedQuery(statement, this.#client, (error, result) =>
      error ? reject(error) : resolve(result as QueryResult),
    )
    this.#client.query(this.#last)
    return promise
  }

  /** Later statements are executed even if one of those before fails. */
  sync(): void {
    if (!this.#last) return
    this.#last.isLast = true
    this.#last = null
    this.#client.connection.sync()
  }
}

/** The parts of the driver's client that know which queries wait for their answers. */
type Client = {
  connection: Connection
  query(query: PipelinedQuery): void
  /** Those behind the one that is being answered. */
  _sentQueryQueue: PipelinedQuery[]
  _txStatus: string | null
  _handleReadyForQuery(message: { status: string | null }): void
}

class PipelinedQuery extends DescribedOnce {
  /** Whether a Sync follows: PostgreSQL is ready for another query only once it has answered that. */
  isLast = false
  readonly #client: Client

  constructor(statement: QueryConfig, client: Client, callback: Callback) {
    super(statement, callback)
    this.#client = client
  }

  protected override endSending(): void {}

  override handleCommandComplete(message: object, connection: Connection): void {
    super.handleCommandComplete(message, connection)
    // Lets the driver go on to the next statement.
    if (!this.isLast) this.#client._handleReadyForQuery({ status: this.#client._txStatus })
  }

  override handleError(error: Error, connection: Connection): void {
    super.handleError(error, connection)
    const skipped = this.isLast ? undefined : this.#client._sentQueryQueue.shift()
    if (!skipped) return
    if (skipped.name) delete connection.submittedNamedStatements[skipped.name]
    skipped.handleError(error, connection)
  }
}
