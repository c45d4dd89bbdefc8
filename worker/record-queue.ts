import type { Logger } from 'pino'
import { isOutage } from '../src/database/outage.ts'
import { findRetryWait } from './delivery-state.ts'
import { leaseMs } from './lane-store.ts'
import { type FinishedAttempt, type RecordOptions, type RecordResult, recordAttempts } from './record-attempts.ts'

const recordAtMost = 500
/** In a backlog, deliveries wait this long to be recorded with later ones; otherwise records are this far apart. */
const batchWindowMs = 25
/** After this time a locked endpoint is tried again; so is the queue after a failure. */
const retryLockedMs = 50
/** The wait before recording an attempt is tried again: doubled each time, up to the longest. */
const retryMs = 250
const maxRetryMs = 5000
/** From this refusal on, an attempt is recorded without the texts that came from the receiver. */
const refusalsBeforeBare = 2

type Entry = {
  attempt: FinishedAttempt
  /** When recording it by itself first failed; on the clock of `performance.now()`. */
  failedAt: number | null
  /** How often recording it by itself failed while the database accepted others. */
  refusals: number
  /** On the clock of `performance.now()`. */
  notBefore: number
}

type RecordQueueOptions = RecordOptions & { logger: Pick<Logger, 'error'> }

/** The result of one round. `failed` is the error of a part that could not be recorded; it stays in the queue. */
type Round = Omit<RecordResult, 'held'> & { failed: unknown }

/**
 * Finished attempts that are not recorded yet. Whatever the error, recording one is tried again, separately from then on, so
 * that an attempt that the database always refuses does not keep others from being recorded.
 */
export class RecordQueue {
  readonly #options: RecordQueueOptions
  #entries: Entry[] = []
  #batchSize = recordAtMost
  #notBefore = 0
  /** The time of the last record. */
  #recordedAt = 0
  /** Organizations whose endpoint a write has locked, and the time until which they are skipped. */
  readonly #heldUntil = new Map<string, number>()

  constructor(options: RecordQueueOptions) {
    this.#options = options
  }

  /** `mayGather`: other attempts of its organization end soon. A failure is recorded at once: it may change the next event. */
  add(attempt: FinishedAttempt, { mayGather }: { mayGather: boolean }): void {
    const gatherFrom = mayGather ? performance.now() : this.#recordedAt
    const notBefore = attempt.error === null ? gatherFrom + batchWindowMs : 0
    this.#entries.push({ attempt, failedAt: null, refusals: 0, notBefore })
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Milliseconds until the next record, 0 for now; infinite for an empty queue. */
  dueInMs(now = performance.now()): number {
    return this.#entries.reduce((least, entry) => Math.min(least, Math.max(0, this.#dueAt(entry) - now)), Infinity)
  }

  /** Records one batch of new attempts, and one attempt whose recording failed before. Never rejects. */
  async record(): Promise<Round> {
    const round: Round = { settled: [], paused: [], next: [], failed: null }
    const now = performance.now()
    this.#forgetHeld(now)
    const isDue = (entry: Entry) => this.#dueAt(entry) <= now
    const suspect = this.#entries.find((entry) => entry.failedAt !== null && isDue(entry))
    const fresh = this.#takeFresh(now)
    if (fresh.length > 0) await this.#recordBatch(fresh, round)
    // Each may wait for an unavailable database: one such wait a round is enough.
    if (suspect && round.failed === null) await this.#recordBatch([suspect], round)
    return round
  }

  /** Returns all attempts that may be recorded now, once one of them is due. */
  #takeFresh(now: number): Entry[] {
    const fresh = this.#entries.filter((entry) => entry.failedAt === null && this.#mayRecordAt(entry) <= now)
    return fresh.some(({ notBefore }) => notBefore <= now) ? fresh.slice(0, this.#batchSize) : []
  }

  #forgetHeld(now: number): void {
    for (const [organizationId, until] of this.#heldUntil) {
      if (until <= now) this.#heldUntil.delete(organizationId)
    }
  }

  #dueAt(entry: Entry): number {
    return Math.max(entry.notBefore, this.#mayRecordAt(entry))
  }

  #mayRecordAt({ attempt }: Entry): number {
    return Math.max(this.#notBefore, this.#heldUntil.get(attempt.organizationId) ?? 0)
  }

  async #recordBatch(batch: readonly Entry[], round: Round): Promise<void> {
    try {
      const attempts = batch.map(({ attempt }) => attempt)
      const { settled, held, paused, next } = await recordAttempts(this.#options, attempts)
      this.#batchSize = Math.min(recordAtMost, this.#batchSize * 2)
      this.#recordedAt = performance.now()
      this.#remove(settled)
      for (const organizationId of held) this.#heldUntil.set(organizationId, performance.now() + retryLockedMs)
      round.settled.push(...settled)
      round.paused.push(...paused)
      round.next.push(...next)
    } catch (error) {
      round.failed = error
      this.#batchSize = 1
      this.#notBefore = performance.now() + retryLockedMs
      const [entry] = batch
      if (entry && batch.length === 1) this.#onFailure(entry, error, round)
    }
  }

  #onFailure(entry: Entry, error: unknown, round: Round): void {
    entry.failedAt ??= performance.now()
    // An outage reveals nothing about the attempt: it is recorded as soon as the database is back.
    const isRefusal = !isOutage(error) || this.#recordedAt > entry.failedAt
    if (isRefusal) entry.refusals++
    entry.notBefore = performance.now() + Math.min(retryMs * 2 ** entry.refusals, maxRetryMs)
    if (!isRefusal) return

    const { organizationId, eventId } = entry.attempt
    if (entry.refusals === refusalsBeforeBare) {
      this.#options.logger.error({ err: error, organizationId, eventId }, 'an attempt cannot be recorded yet')
      entry.attempt = withoutTexts(entry.attempt)
    }
    if (!this.#mayBeMadeAgain(entry)) return
    // Without a record the event is sent again, but no sooner than if the attempt had been recorded.
    this.#remove([entry.attempt])
    round.settled.push(entry.attempt)
  }

  /**
   * Whether the database has refused to record a failed attempt for the whole wait before the next one, and for at least a
   * lease.
   */
  #mayBeMadeAgain({ attempt, refusals }: Entry): boolean {
    if (attempt.error === null || refusals <= refusalsBeforeBare) return false
    const { waitsSeconds } = this.#options
    const waitSeconds = findRetryWait(waitsSeconds, attempt.attemptsBefore + 1) ?? Math.max(0, ...waitsSeconds)
    return performance.now() > attempt.finishedAt + Math.max(leaseMs, waitSeconds * 1000)
  }

  #remove(attempts: readonly FinishedAttempt[]): void {
    const gone = new Set(attempts)
    this.#entries = this.#entries.filter(({ attempt }) => !gone.has(attempt))
  }
}

/** The receiver's texts are the only part of an attempt that a database may refuse. */
export function withoutTexts(attempt: FinishedAttempt): FinishedAttempt {
  const error = attempt.error === null ? null : 'the attempt failed, and the reason could not be recorded'
  return { ...attempt, answer: null, error }
}
