import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { withDeadline } from '../core/deadline.ts'
import { deleteOldestAnswers, type IdempotencyRecord, keptRowBytes } from '../recording/idempotency-record.ts'

/** The maximum bytes of kept answers in an organization. */
export const maxStoredAnswerBytes = 64 * 1024 * 1024
/** A process deletes an organization's oldest answers each time it has kept this many bytes. */
const stepBytes = 4 * 1024 * 1024
/**
 * The maximum number of organizations whose bytes are remembered. When an answer is kept for a forgotten organization, its old
 * answers are deleted.
 */
const maxRemembered = 50_000

/** The state of requests with an `Idempotency-Key` in this process. */
export class RepeatedRequests {
  /** For each key with a running request in this process: a promise that resolves when that request has ended. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #lookups = new Map<string, Promise<IdempotencyRecord | null>>()
  readonly #pool: Pool
  readonly #logger: Pick<Logger, 'warn'>
  /** The bytes that this process kept for each organization since it last deleted the oldest. */
  readonly #kept = new Map<string, number>()
  #deletions: Promise<void> = Promise.resolve()

  constructor(pool: Pool, logger: Pick<Logger, 'warn'>) {
    this.#pool = pool
    this.#logger = logger
  }

  isRunning(name: string): boolean {
    return this.#running.has(name)
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(name, promise)
    try {
      return await work()
    } finally {
      this.#running.delete(name)
      resolve()
    }
  }

  /** Resolves when no request with the key runs in this process, or at the deadline (by `performance.now()`). */
  async untilEnded(name: string, deadline: number): Promise<void> {
    const running = this.#running.get(name)
    if (running) await withDeadline(deadline, running).catch(() => {})
  }

  /** Reads a key's row once for all repetitions that wait for it in this process. */
  shareLookup(name: string, work: () => Promise<IdempotencyRecord | null>): Promise<IdempotencyRecord | null> {
    const looking = this.#lookups.get(name) ?? work().finally(() => this.#lookups.delete(name))
    this.#lookups.set(name, looking)
    return looking
  }

  /** Called when an answer was kept: deletes old ones in the background if there are too many. Never waits, never fails. */
  countKept(organizationId: string, bytes: number): void {
    // For an organization that is not in the map, for example after a start, assume that a full step was kept before.
    const kept = (this.#kept.get(organizationId) ?? stepBytes) + keptRowBytes + bytes
    this.#kept.set(organizationId, kept)
    if (this.#kept.size > maxRemembered) this.#kept.delete(this.#kept.keys().next().value as string)
    if (kept < stepBytes) return
    this.#kept.set(organizationId, 0)
    this.#deletions = this.#deletions.then(() => this.#deleteOldestAnswers(organizationId))
  }

  /** Resolves when no deletion is running. */
  async close(): Promise<void> {
    await this.#deletions
  }

  async #deleteOldestAnswers(organizationId: string): Promise<void> {
    try {
      await deleteOldestAnswers(this.#pool, organizationId, maxStoredAnswerBytes - stepBytes)
    } catch (error) {
      this.#kept.delete(organizationId)
      this.#logger.warn(
        { err: error, organizationId },
        'the oldest stored answers of an organization could not be deleted yet; this will be tried again',
      )
    }
  }
}
