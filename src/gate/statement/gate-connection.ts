import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { newId } from '../../core/ids.ts'
import { awaitReplay } from '../../database/await-replay.ts'
import { connectInTime } from '../../database/driver.ts'
import { isAnswered, isDiskFull, isStatementLost, isWriteRefused } from '../../database/outage.ts'
import type { TextRow, TextStatement } from '../../database/sql.ts'
import type { Standby } from '../../database/standby.ts'
import { TextQuery } from '../../database/text-query.ts'
import { setPipeline } from '../../database/write-connection.ts'
import type { BatchId } from './gate-statement.ts'

const spaceWaitMs = 50
/** After the database refused to count, the connection only reads for this time. */
const readOnlyMs = 1000

/**
 * Whether the statement counts its evals, or only reads. Without a batch id, the process cannot find out later whether they
 * were counted.
 */
export type SendMode = { counts: boolean; batchId: BatchId | null }

type ToStatement = (mode: SendMode) => TextStatement

type GateConnectionOptions = {
  pool: Pool
  /** Answers while the primary is gone. */
  standby: Standby | null
  /** The time limit for connecting, and then for the answer. */
  timeoutMs: number
}

/**
 * One connection of the pool, taken at the first query and kept, so that the statement is prepared once. After an error, except
 * a refused write, the next query takes a new connection. While the database takes no writes, queries read without counting:
 * from the database, or from its standby if the primary is gone.
 */
export class GateConnection {
  readonly #options: GateConnectionOptions
  #client: PoolClient | null = null
  /** The pool that `#client` belongs to. */
  #clientPool: Pool
  #connecting: Promise<PoolClient> | null = null
  #batchId = newBatchId()
  #hasPrepared = false
  #inFlight = 0
  /** When the database refused to count, because it takes no writes; null while it counts. */
  #refusedAt: number | null = null
  readonly #dropBroken = (error: Error) => {
    if (this.#client !== null) this.#drop(this.#client, error)
  }

  constructor(options: GateConnectionOptions) {
    this.#options = options
    this.#clientPool = options.pool
  }

  /** Whether a query may be sent behind an unanswered one. The first query prepares the statement and must run alone. */
  get acceptsSecondStatement(): boolean {
    return this.#hasPrepared && !this.#needsNewConnection
  }

  /**
   * Returns the rows, or throws the database's error. Calls `onLost` with the batch id of a statement that was sent but not
   * answered: the database may have counted it.
   */
  async query(
    toStatement: ToStatement,
    onLost: (batchId: BatchId) => void,
  ): Promise<{ rows: TextRow[]; isCounted: boolean }> {
    this.#inFlight += 1
    try {
      return await this.#countOrRead(toStatement, onLost)
    } catch (error) {
      if (!this.#options.standby?.replacesAfter(error)) throw error
      return { rows: await this.#read(toStatement), isCounted: false }
    } finally {
      this.#inFlight -= 1
    }
  }

  async #countOrRead(toStatement: ToStatement, onLost: (batchId: BatchId) => void) {
    if (this.#mayCount()) {
      const rows = await this.#count(toStatement, onLost)
      if (rows !== null) return { rows, isCounted: true }
    }
    return { rows: await this.#read(toStatement), isCounted: false }
  }

  /** Whether the next statement needs a new connection; until then, no second statement may be sent on this one. */
  get #needsNewConnection(): boolean {
    if (this.#client !== null && this.#clientPool !== this.#currentPool) return true
    return this.#refusedAt !== null && performance.now() >= this.#refusedAt + readOnlyMs
  }

  get #currentPool(): Pool {
    const { pool, standby } = this.#options
    return standby?.isInUse ? standby.pool : pool
  }

  get #timeoutMs(): number {
    const { standby, timeoutMs } = this.#options
    return standby ? standby.primaryTimeoutOf(timeoutMs) : timeoutMs
  }

  /**
   * Whether the next statement may count. Some time after the database refused to count, drops the connection to try again,
   * because an old connection may stay read-only when its database no longer is.
   */
  #mayCount(): boolean {
    if (this.#options.standby?.isInUse || (this.#needsNewConnection && this.#inFlight > 1)) return false
    if (this.#refusedAt === null) return true
    if (!this.#needsNewConnection) return false
    this.#refusedAt = null
    if (this.#client !== null) this.#drop(this.#client, undefined)
    return true
  }

  /** Sends the statement that counts. Null if the database takes no writes. */
  async #count(toStatement: ToStatement, onLost: (batchId: BatchId) => void): Promise<TextRow[] | null> {
    const client = await this.#takeClient()
    const batchId = { ...this.#batchId, number: ++this.#batchId.number }
    try {
      const rows = await this.#send(client, batchId, toStatement)
      this.#hasPrepared = client === this.#client
      return rows
    } catch (error) {
      if (isWriteRefused(error)) {
        this.#refusedAt = performance.now()
        return null
      }
      this.#drop(client, error)
      if (!isAnswered(error)) onLost(batchId)
      throw error
    }
  }

  async #read(toStatement: ToStatement): Promise<TextRow[]> {
    const client = await this.#takeClient()
    try {
      // The standby's own pool needs no wait: the standby has already applied every write that was answered.
      if (this.#clientPool === this.#options.pool) await awaitReplay(client, this.#timeoutMs)
      const rows = await this.#request(client, toStatement({ counts: false, batchId: null }))
      this.#hasPrepared = client === this.#client
      return rows
    } catch (error) {
      this.#drop(client, error)
      throw error
    }
  }

  /**
   * Sends the statement a second time if it failed because the disk is full: space for the counters may come free when old
   * versions of their rows are removed. There may be no space for a batch row, so the second statement stores none.
   */
  async #send(client: PoolClient, batchId: BatchId, toStatement: ToStatement): Promise<TextRow[]> {
    try {
      return await this.#request(client, toStatement({ counts: true, batchId }))
    } catch (error) {
      if (!isDiskFull(error)) throw error
      await wait(spaceWaitMs)
      return this.#request(client, toStatement({ counts: true, batchId: null }))
    }
  }

  /** Sends the statement again if the server did not know its name; the driver then prepares it without a name. */
  async #request(client: PoolClient, statement: TextStatement): Promise<TextRow[]> {
    const ask = () => client.query(new TextQuery(statement, this.#timeoutMs)).received
    try {
      return await ask()
    } catch (error) {
      if (!isStatementLost(error)) throw error
      return ask()
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

  async #takeClient(): Promise<PoolClient> {
    if (this.#client !== null) {
      // While other statements still wait for this connection, it is kept; a later statement takes one of the current pool.
      if (this.#clientPool === this.#currentPool || this.#inFlight > 1) return this.#client
      this.release()
    }
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  async #connect(): Promise<PoolClient> {
    const from = this.#currentPool
    const client = await connectInTime(from, this.#timeoutMs)
    // Listens between queries, too: without a listener, a broken connection would end the process.
    client.on('error', this.#dropBroken)
    setPipeline(client, true)
    this.#client = client
    this.#clientPool = from
    return client
  }

  #drop(client: PoolClient, error: unknown): void {
    if (this.#client !== client) return
    this.#client = null
    this.#hasPrepared = false
    // With a new gate id, later statements do not overwrite the rows of lost batches.
    this.#batchId = newBatchId()
    client.release(error instanceof Error ? error : true)
  }
}

function newBatchId(): BatchId {
  return { gateId: newId(), number: 0 }
}
