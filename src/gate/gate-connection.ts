import type { Pool, PoolClient } from 'pg'
import { unavailable } from '../core/errors.ts'
import { setPipeline } from '../database/write-connection.ts'
import { TextQuery, type TextRow, type TextStatement } from './text-query.ts'

/**
 * One connection of the pool, taken at the first query and kept, so that the statement is prepared once.
 * Any error drops it, and the next query takes a new one.
 */
export class GateConnection {
  readonly #pool: Pool
  readonly #timeoutMs: number
  #client: PoolClient | null = null
  #hasPrepared = false
  readonly #dropBroken = (error: Error) => {
    if (this.#client !== null) this.#drop(this.#client, error)
  }

  constructor(pool: Pool, timeoutMs: number) {
    this.#pool = pool
    this.#timeoutMs = timeoutMs
  }

  /** Whether a query may be sent behind an unanswered one. The first query prepares the statement, and must run by itself. */
  get takesAnother(): boolean {
    return this.#hasPrepared
  }

  /** The rows, or the database's error; also an error after `timeoutMs` for connecting and for answering. */
  async query(statement: TextStatement): Promise<TextRow[]> {
    this.#client ??= await this.#connect()
    const client = this.#client
    try {
      const rows = await client.query(new TextQuery(statement, this.#timeoutMs)).received
      this.#hasPrepared = client === this.#client
      return rows
    } catch (error) {
      this.#drop(client, error)
      throw error
    }
  }

  release(): void {
    const client = this.#client
    this.#client = null
    this.#hasPrepared = false
    if (client === null) return
    client.off('error', this.#dropBroken)
    setPipeline(client, false)
    client.release()
  }

  async #connect(): Promise<PoolClient> {
    const client = await connectInTime(this.#pool, this.#timeoutMs)
    // Also between two queries: without a listener, a broken connection would end the process.
    client.on('error', this.#dropBroken)
    setPipeline(client, true)
    return client
  }

  #drop(client: PoolClient, error: unknown): void {
    if (this.#client !== client) return
    this.#client = null
    this.#hasPrepared = false
    client.release(error instanceof Error ? error : true)
  }
}

/** A connection of the pool, or 503 after `timeoutMs`. */
export async function connectInTime(pool: Pool, timeoutMs: number): Promise<PoolClient> {
  const connecting = pool.connect()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(unavailable('No database connection could be had in time. Try again in a moment.')),
    timeoutMs,
  )
  try {
    return await Promise.race([connecting, late.promise])
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
