import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { newId } from '../../core/ids.ts'
import { connectInTime } from '../../database/driver.ts'
import { isAnswered, isDiskFull, isStatementLost } from '../../database/outage.ts'
import type { TextRow, TextStatement } from '../../database/sql.ts'
import { setPipeline } from '../../database/write-connection.ts'
import type { BatchTurn } from './gate-statement.ts'
import { TextQuery } from './text-query.ts'

const spaceWaitMs = 50

/** Without a turn, the process cannot find out later whether the statement was counted. */
type ToStatement = (turn: BatchTurn | null) => TextStatement

/**
 * One connection of the pool, taken at the first query and kept, so that the statement is prepared once.
 * Any error drops it, and the next query takes a new one.
 */
export class GateConnection {
  readonly #pool: Pool
  readonly #timeoutMs: number
  #client: PoolClient | null = null
  #turn = newTurn()
  #hasPrepared = false
  readonly #dropBroken = (error: Error) => {
    if (this.#client !== null) this.#drop(this.#client, error)
  }

  constructor(pool: Pool, timeoutMs: number) {
    this.#pool = pool
    this.#timeoutMs = timeoutMs
  }

  /** Whether a query may be sent behind an unanswered one. The first query prepares the statement and must run alone. */
  get takesAnother(): boolean {
    return this.#hasPrepared
  }

  /**
   * Returns the rows, or throws the database's error; `timeoutMs` limits connecting, and then the answer. `onLost` gets the
   * turn of a statement that was sent and not answered: it may have been counted.
   */
  async query(toStatement: ToStatement, onLost: (turn: BatchTurn) => void): Promise<TextRow[]> {
    this.#client ??= await this.#connect()
    const client = this.#client
    const turn = { ...this.#turn, number: ++this.#turn.number }
    try {
      const rows = await this.#send(client, turn, toStatement)
      this.#hasPrepared = client === this.#client
      return rows
    } catch (error) {
      this.#drop(client, error)
      if (!isAnswered(error)) onLost(turn)
      throw error
    }
  }

  /**
   * Sends the statement a second time if the first had no effect for a reason that has passed: the server did not know its
   * name, which the driver then leaves out, or a full disk had no space for the counters until old versions of their rows
   * were removed. A full disk may have no space for a turn, so the second statement has none.
   */
  async #send(client: PoolClient, turn: BatchTurn, toStatement: ToStatement): Promise<TextRow[]> {
    const send = (statement: TextStatement) => client.query(new TextQuery(statement, this.#timeoutMs)).received
    try {
      return await send(toStatement(turn))
    } catch (error) {
      if (isStatementLost(error)) return send(toStatement(turn))
      if (!isDiskFull(error)) throw error
      await wait(spaceWaitMs)
      return send(toStatement(null))
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
    // Listens between queries too: without a listener, a broken connection would end the process.
    client.on('error', this.#dropBroken)
    setPipeline(client, true)
    return client
  }

  #drop(client: PoolClient, error: unknown): void {
    if (this.#client !== client) return
    this.#client = null
    this.#hasPrepared = false
    // With a new gate id, so that the old one's places keep the lost turns.
    this.#turn = newTurn()
    client.release(error instanceof Error ? error : true)
  }
}

function newTurn(): BatchTurn {
  return { gateId: newId(), number: 0 }
}
