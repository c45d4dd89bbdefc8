import type { Logger } from 'pino'
import { isOutage } from '../src/database/outage.ts'
import { queueLeaseMs } from './delivery-queue-store.ts'
import { findRetryWait } from './delivery-state.ts'
import { type FinishedAttempt, type RecordOptions, type RecordResult, recordAttempts } from './record-attempts.ts'

const maxBatchSize = 500
/** In a backlog, delivered events wait this long to be recorded together; otherwise this is the time between batches. */
const batchWindowMs = 25
/** The wait before a locked endpoint is tried again, and before the next batch after a failure. */
const retryLockedMs = 50
/** The wait before the recording of an attempt is tried again: doubled after each refusal, up to the maximum. */
const retryMs = 250
const maxRetryMs = 5000
/** After this many refusals, an attempt is recorded without the receiver's texts. */
const maxRefusalsWithTexts = 2

type Entry = {
  attempt: FinishedAttempt
  /** When recording the attempt alone first failed, on the clock of `performance.now()`; null if this has not happened. */
  failedAt: number | null
  /** How often the attempt could not be recorded alone while the database was available. */
  refusals: number
  /** The earliest time to record the attempt, on the same clock. */
  notBefore: number
}

type RecordQueueOptions = RecordOptions & { logger: Pick<Logger, 'error'> }

/** The result of one round. `error` says why attempts could not be recorded; null if all were recorded. */
type Round = Omit<RecordResult, 'lockedOrganizationIds'> & { error: unknown }

/**
 * Finished attempts that are not recorded yet. After any error, the next batch has a single attempt and later batches grow
 * again, so that an attempt that the database always refuses does not keep others from being recorded.
 */
export class RecordQueue {
  readonly #options: RecordQueueOptions
  #entries: Entry[] = []
  #batchSize = maxBatchSize
  #notBefore = 0
  /** When the last batch was recorded. */
  #recordedAt = 0
  /** Organizations whose endpoint a write has locked, and the time until which they are skipped. */
  readonly #skippedUntil = new Map<string, number>()

  constructor(options: RecordQueueOptions) {
    this.#options = options
  }

  /**
   * `mayWait`: other attempts of the organization will end soon, and can be recorded together with this one. A failure is
   * recorded at once, because it may change what is sent next.
   */
  add(attempt: FinishedAttempt, { mayWait }: { mayWait: boolean }): void {
    const windowStart = mayWait ? performance.now() : this.#recordedAt
    const notBefore = attempt.error === null ? windowStart + batchWindowMs : 0
    this.#entries.push({ attempt, failedAt: null, refusals: 0, notBefore })
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Milliseconds until the next attempt must be recorded; 0 if it is due, infinite if the queue is empty. */
  dueInMs(now = performance.now()): number {
    return this.#entries.reduce((min, entry) => Math.min(min, Math.max(0, this.#dueAt(entry) - now)), Infinity)
  }

  /** Records one batch of new attempts, and one attempt whose recording failed before. Never rejects. */
  async record(): Promise<Round> {
    const round: Round = { finished: [], paused: [], next: [], error: null }
    const now = performance.now()
    this.#endSkips(now)
    const isDue = (entry: Entry) => this.#dueAt(entry) <= now
    const retry = this.#entries.find((entry) => entry.failedAt !== null && isDue(entry))
    const batch = this.#findBatch(now)
    if (batch.length > 0) await this.#recordBatch(batch, round)
    // Each call may wait for an unavailable database: one such wait per round is enough.
    if (retry && round.error === null) await this.#recordBatch([retry], round)
    return round
  }

  /** Returns all new attempts that may be recorded now, once one of them is due. */
  #findBatch(now: number): Entry[] {
    const recordable = this.#entries.filter((entry) => entry.failedAt === null && this.#mayRecordAt(entry) <= now)
    return recordable.some(({ notBefore }) => notBefore <= now) ? recordable.slice(0, this.#batchSize) : []
  }

  #endSkips(now: number): void {
    for (const [organizationId, until] of this.#skippedUntil) {
      if (until <= now) this.#skippedUntil.delete(organizationId)
    }
  }

  #dueAt(entry: Entry): number {
    return Math.max(entry.notBefore, this.#mayRecordAt(entry))
  }

  #mayRecordAt({ attempt }: Entry): number {
    return Math.max(this.#notBefore, this.#skippedUntil.get(attempt.organizationId) ?? 0)
  }

  async #recordBatch(batch: readonly Entry[], round: Round): Promise<void> {
    try {
      const attempts = batch.map(({ attempt }) => attempt)
      const { finished, lockedOrganizationIds, paused, next } = await recordAttempts(this.#options, attempts)
      this.#batchSize = Math.min(maxBatchSize, this.#batchSize * 2)
      this.#recordedAt = performance.now()
      this.#remove(finished)
      for (const id of lockedOrganizationIds) this.#skippedUntil.set(id, performance.now() + retryLockedMs)
      round.finished.push(...finished)
      round.paused.push(...paused)
      round.next.push(...next)
    } catch (error) {
      round.error = error
      this.#batchSize = 1
      this.#notBefore = performance.now() + retryLockedMs
      const [entry] = batch
      if (entry && batch.length === 1) this.#onFailure(entry, error, round)
    }
  }

  #onFailure(entry: Entry, error: unknown, round: Round): void {
    entry.failedAt ??= performance.now()
    // An outage does not count as a refusal of this attempt, which is recorded as soon as the database is available again.
    const isRefusal = !isOutage(error) || this.#recordedAt > entry.failedAt
    if (isRefusal) entry.refusals++
    entry.notBefore = performance.now() + Math.min(retryMs * 2 ** entry.refusals, maxRetryMs)
    if (!isRefusal) return

    const { organizationId, eventId } = entry.attempt
    if (entry.refusals === maxRefusalsWithTexts) {
      this.#options.logger.error({ err: error, organizationId, eventId }, 'an attempt cannot be recorded yet')
      entry.attempt = withoutTexts(entry.attempt)
    }
    if (!this.#mayBeDropped(entry)) return
    // The event is sent again without a record of this attempt, but no sooner than if it had been recorded.
    this.#remove([entry.attempt])
    round.finished.push(entry.attempt)
  }

  /**
   * Whether to give up recording a failed attempt: the database has refused it for the whole wait before the next attempt, and
   * at least for the duration of a queue's lease.
   */
  #mayBeDropped({ attempt, refusals }: Entry): boolean {
    if (attempt.error === null || refusals <= maxRefusalsWithTexts) return false
    const { waitsSeconds } = this.#options
    const waitSeconds = findRetryWait(waitsSeconds, attempt.attemptsBefore + 1) ?? Math.max(0, ...waitsSeconds)
    return performance.now() > attempt.finishedAt + Math.max(queueLeaseMs, waitSeconds * 1000)
  }

  #remove(attempts: readonly FinishedAttempt[]): void {
    const removed = new Set(attempts)
    this.#entries = this.#entries.filter(({ attempt }) => !removed.has(attempt))
  }
}

/** Removes the receiver's texts, the only part of an attempt that a database may refuse. */
export function withoutTexts(attempt: FinishedAttempt): FinishedAttempt {
  const error = attempt.error === null ? null : 'the attempt failed, and the reason could not be recorded'
  return { ...attempt, answer: null, error }
}
