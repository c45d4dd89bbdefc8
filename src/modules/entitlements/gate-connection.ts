import type { Pool, PoolClient } from 'pg'
import { unavailable } from '../../core/errors.ts'
import { TextQuery, type TextRow, type TextStatement } from './text-query.ts'

/**
 * One connection of the pool, taken at the first query and kept, so that the statement is prepared once.
 * Any error gives it up, and the next query takes a fresh one.
 */
export class GateConnection {
  readonly #pool: Pool
  readonly #timeoutMs: number
  #client: PoolClient | null = null
  readonly #dropBroken = (error: Error) => {
    if (this.#client !== null) this.#drop(this.#client, error)
  }

  constructor(pool: Pool, timeoutMs: number) {
    this.#pool = pool
    this.#timeoutMs = timeoutMs
  }

  /** The rows, or the database's error; an error too after `timeoutMs` for each of connecting and answering. */
  async query(statement: TextStatement): Promise<TextRow[]> {
    this.#client ??= await this.#connect()
    const client = this.#client
    try {
      return await client.query(new TextQuery(statement, this.#timeoutMs)).received
    } catch (error) {
      this.#drop(client, error)
      // The driver's own error for it has no code to know it by.
      if (error instanceof Error && error.message === 'Query read timeout') {
        throw unavailable('The database did not answer in time. Try again in a moment.', error)
      }
      throw error
    }
  }

  release(): void {
    const client = this.#client
    this.#client = null
    client?.off('error', this.#dropBroken)
    client?.release()
  }

  async #connect(): Promise<PoolClient> {
    const connecting = this.#pool.connect()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(unavailable('No database connection could be had in time. Try again in a moment.')),
      this.#timeoutMs,
    )
    try {
      const client = await Promise.race([connecting, late.promise])
      // Also between two queries: without a listener, a connection that breaks would end the process.
      client.on('error', this.#dropBroken)
      return client
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      )
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #drop(client: PoolClient, error: unknown): void {
    if (this.#client !== client) return
    this.#client = null
    client.release(error instanceof Error ? error : true)
  }
}
