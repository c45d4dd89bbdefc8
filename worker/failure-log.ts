import type { Logger } from 'pino'
import { isOutage } from '../src/database/outage.ts'

/** While something goes on failing, it is logged again so often. */
const againMs = 60_000

/** Logs one line when something begins to fail and one when it works again, however often it is tried in between. */
export class FailureLog {
  readonly #logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly #what: string
  #loggedAt: number | null = null

  constructor(logger: Pick<Logger, 'info' | 'warn' | 'error'>, what: string) {
    this.#logger = logger
    this.#what = what
  }

  failed(error: unknown): void {
    if (this.#loggedAt !== null && performance.now() - this.#loggedAt < againMs) return
    this.#loggedAt = performance.now()
    // A database that is away comes back by itself; for anything else a person must act.
    if (isOutage(error)) this.#logger.warn({ err: error }, `${this.#what} waits for the database`)
    else this.#logger.error({ err: error }, `${this.#what} failed and is tried again`)
  }

  succeeded(): void {
    if (this.#loggedAt === null) return
    this.#loggedAt = null
    this.#logger.info(`${this.#what} works again`)
  }
}
