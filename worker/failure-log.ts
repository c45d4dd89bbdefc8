import type { Logger } from 'pino'
import { isOutage } from '../src/database/outage.ts'

/** How often a continuing failure is logged again. */
const repeatAfterMs = 60_000

/**
 * Logs one line when something begins to fail and one when it works again, however many retries happen in between. The end of
 * a database outage is logged elsewhere, once for the whole process.
 */
export class FailureLog {
  readonly #logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly #what: string
  #failure: { loggedAt: number; isOutage: boolean } | null = null

  constructor(logger: Pick<Logger, 'info' | 'warn' | 'error'>, what: string) {
    this.#logger = logger
    this.#what = what
  }

  failed(error: unknown): void {
    const last = this.#failure
    const now = { loggedAt: performance.now(), isOutage: isOutage(error) }
    if (last?.isOutage === now.isOutage && now.loggedAt - last.loggedAt < repeatAfterMs) return
    this.#failure = now
    // A database outage needs no action on the worker; any other failure needs a person.
    if (now.isOutage) this.#logger.warn({ err: error }, `${this.#what} waits for the database`)
    else this.#logger.error({ err: error }, `${this.#what} failed and will be tried again`)
  }

  succeeded(): void {
    if (this.#failure?.isOutage === false) this.#logger.info(`${this.#what} works again`)
    this.#failure = null
  }
}
