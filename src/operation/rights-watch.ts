import { type Actor, fairQueueKey } from '../access/actor.ts'
import { assertRightsNow } from '../access/rights.ts'
import type { Label } from '../access/roles.ts'
import { DomainError } from '../core/errors.ts'
import type { Statement } from '../database/sql.ts'
import type { Services } from './services.ts'

const checkIntervalMs = 1_000

/**
 * Checks the caller's rights once a second while a long request runs, because such a request locks them only while it writes.
 * If the check itself fails, for example during an outage, the request continues.
 */
export class RightsWatch {
  readonly #ended = new AbortController()
  readonly #check: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #confirmedAt = performance.now()
  #isChecking = false

  constructor({ queue, database: { pool } }: Services, actor: Actor, operation: { labels: readonly Label[] }) {
    const query = async <Row>({ text, values }: Statement) => (await pool.query(text, [...values])).rows as Row[]
    this.#check = () => queue.run(fairQueueKey(actor), () => assertRightsNow({ query }, actor, operation))
    this.#timer = setInterval(() => this.#checkUnlessConfirmed(), checkIntervalMs)
  }

  /** Aborted with the refusal, 401 or 403, once the rights have ended. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** Called when a transaction has just checked the rights. */
  confirm(): void {
    this.#confirmedAt = performance.now()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #checkUnlessConfirmed(): Promise<void> {
    if (this.#isChecking || performance.now() - this.#confirmedAt < checkIntervalMs) return
    this.#isChecking = true
    try {
      await this.#check()
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) this.#ended.abort(error)
    } finally {
      this.#isChecking = false
    }
  }
}
