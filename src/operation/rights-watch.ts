import { type Actor, fairQueueKey } from '../access/actor.ts'
import { assertRightsNow } from '../access/rights.ts'
import type { Label } from '../access/roles.ts'
import { DomainError } from '../core/errors.ts'
import type { Statement } from '../database/sql.ts'
import type { Services } from './services.ts'

const lookEveryMs = 1_000

/**
 * Checks the caller's rights once a second while a long request runs, because a request locks them only while it writes. If
 * the check itself fails, for example during an outage, the request goes on.
 */
export class RightsWatch {
  readonly #ended = new AbortController()
  readonly #look: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #confirmedAt = performance.now()
  #isLooking = false

  constructor({ queue, database: { pool } }: Services, actor: Actor, operation: { labels: readonly Label[] }) {
    const query = async <Row>({ text, values }: Statement) => (await pool.query(text, [...values])).rows as Row[]
    this.#look = () => queue.run(fairQueueKey(actor), () => assertRightsNow({ query }, actor, operation))
    this.#timer = setInterval(() => this.#lookUnlessConfirmed(), lookEveryMs)
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

  async #lookUnlessConfirmed(): Promise<void> {
    if (this.#isLooking || performance.now() - this.#confirmedAt < lookEveryMs) return
    this.#isLooking = true
    try {
      await this.#look()
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) this.#ended.abort(error)
    } finally {
      this.#isLooking = false
    }
  }
}
