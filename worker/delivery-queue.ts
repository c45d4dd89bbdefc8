import type { AdaptiveLimit } from './adaptive-limit.ts'
import type { BatchRequest, EventToSend, LeasedBatch, LeasedEvent } from './delivery-queue-store.ts'
import type { CountedAttempt, FinishedAttempt } from './record-attempts.ts'
import type { SendResult } from './send.ts'

/** The number of events in the first batch. Batches grow while they are sent in time, and shrink when a batch lease lapses. */
const initialBatchSize = 16
const minBatchSize = 4
const maxBatchSize = 256
/** How many queued events a deep scan reads to find events of subscribers without a running attempt. */
const deepScanRows = 10_000
/** How long the queue waits after a deep scan that found nothing. */
const deepScanPauseMs = 250

type Limits = {
  remainingMs: number
  maySend: () => boolean
  /** Called when the request has been written. */
  onWritten?: () => void
}

export type DeliveryQueueOptions = {
  organizationId: string
  /** The time limit of the whole attempt. */
  timeoutMs: number
  limit: AdaptiveLimit
  /** Whether this process may start another attempt for an organization that has this many in flight; always true for 0. */
  hasFreeSlot(ownCount: number): boolean
  /** Makes one attempt; never rejects. */
  attempt(event: EventToSend, limits: Limits): Promise<SendResult>
  /** Called with every ended attempt, to record it. `isLast`: no other attempt is running, and the batch is empty. */
  onFinished(attempt: FinishedAttempt, isLast: boolean): void
  /** Called when the queue needs a batch, or may be released. */
  onChange(): void
}

/** An attempt that started; `ended` is null while it is running. */
type StartedAttempt = { ended: CountedAttempt | null }

/**
 * A worker's state for one organization that it sends for: the leased batch, the running attempts, and the attempts that are
 * not recorded yet. Decides when the next attempt starts; does not query the database.
 *
 * Attempts start in the order of their events, each once the previous request is written. A subscriber has one attempt at a
 * time, so the events of a subscriber whose attempt is running are skipped.
 */
export class DeliveryQueue {
  readonly organizationId: string
  /** When the queue's lease may end, on this process's clock; 0 without a lease. */
  leasedUntil = 0
  /** How long batch leases last, as stored in the database. */
  batchLeaseMs = 0
  /** The queue's `woken` as last read from the database: a UUID that changes whenever another worker wakes the owner. */
  woken = '00000000-0000-0000-0000-000000000000'
  readonly #options: DeliveryQueueOptions
  #batch: LeasedEvent[] = []
  #batchEndsAt = 0
  #batchSize = initialBatchSize
  /** Whether most of the last batch was sent before its lease lapsed. */
  #isSentInTime = false
  /** Whether there may be due events that are neither in the batch nor in `#busy`. */
  #mayBeDue = true
  /** Whether due events outside the batch wait because their subscriber has a running attempt. */
  #hasBlockedEvents = false
  /** The subscribers whose events the batch lacks, because their attempts were running when it was read. */
  #skipped: ReadonlySet<string> = new Set()
  #nextDeepScanAt = 0
  /** Events whose attempts are running, or have ended but are not recorded yet: the database still has them as queued. */
  readonly #busy = new Set<string>()
  /** The time spent connecting before a batch lease lapsed, by event: it counts towards the time limit of the attempt. */
  readonly #lapsedMs = new Map<string, number>()
  /** The subscribers whose attempts are running. */
  readonly #runningSubscribers = new Set<string>()
  /** The event whose request is not written yet. */
  #unwritten: string | null = null
  /**
   * Attempts in the order of their starts, from the first running one on: their results enter the pause count in this order.
   */
  readonly #started: StartedAttempt[] = []

  constructor(options: DeliveryQueueOptions) {
    this.organizationId = options.organizationId
    this.#options = options
  }

  /** Whether this worker certainly still has the lease. */
  get isLeased(): boolean {
    return performance.now() < this.leasedUntil
  }

  /** Called when events may have become due. */
  wake(): void {
    this.#mayBeDue = true
  }

  /**
   * Returns the batch to read now, null if none is needed. Its size includes busy events, because the read returns them, too.
   */
  findBatchToLease(): BatchRequest | null {
    this.#dropLapsed()
    if (!this.#mayBeDue || !this.#hasRoom()) return null
    const rows = this.#batchSize + this.#busy.size
    if (this.#isLow()) return { organizationId: this.organizationId, rows, scan: rows, skipped: [] }
    if (performance.now() < this.#nextDeepScanAt || this.#batch.some((each) => this.#isFree(each))) return null
    return { organizationId: this.organizationId, rows, scan: deepScanRows, skipped: [...this.#runningSubscribers] }
  }

  #hasRoom(): boolean {
    const { limit, hasFreeSlot } = this.#options
    return this.#runningSubscribers.size < limit.value && hasFreeSlot(this.#runningSubscribers.size)
  }

  #isLow(): boolean {
    return this.#batch.length <= this.#batchSize / 2
  }

  #isFree(event: LeasedEvent): boolean {
    return !this.#runningSubscribers.has(event.subscriber)
  }

  /** Called before a batch is read. Events that become due after that wake the queue again. */
  beginBatch(): void {
    this.#mayBeDue = false
  }

  /** Whether there is nothing to send, nothing running and nothing to record. */
  get isIdle(): boolean {
    return !this.#mayBeDue && this.#batch.length === 0 && !this.isBusy
  }

  get isBusy(): boolean {
    return this.#busy.size > 0
  }

  /** Whether an attempt is running. */
  get isSending(): boolean {
    return this.#runningSubscribers.size > 0
  }

  /**
   * Sets the batch, whose lease lapses at `until`. It replaces the previous batch, and contains the unsent events of that
   * batch, except events of skipped subscribers.
   */
  setBatch({ woken, events }: LeasedBatch, { rows, skipped }: BatchRequest, until: number): void {
    this.woken = woken
    if (events.length === rows) this.#mayBeDue = true
    // If the attempt of a skipped subscriber has ended meanwhile, the subscriber's next event may be due before this batch.
    const isOutdated = skipped.some((subscriber) => !this.#runningSubscribers.has(subscriber))
    if (isOutdated || (skipped.length > 0 && events.length === 0)) {
      this.#nextDeepScanAt = performance.now() + deepScanPauseMs
      this.#mayBeDue = true
      return
    }
    this.#hasBlockedEvents = skipped.length > 0
    if (this.#isSentInTime) this.#batchSize = Math.min(maxBatchSize, this.#batchSize * 2)
    this.#isSentInTime = false
    this.#skipped = new Set(skipped)
    this.#batch = events.filter(({ eventId }) => !this.#busy.has(eventId))
    this.#batchEndsAt = until
    this.pump()
  }

  /** Forgets the batch; running attempts continue. */
  dropBatch(): void {
    if (this.#batch.some((each) => this.#isFree(each))) this.#mayBeDue = true
    else if (this.#batch.length > 0) this.#hasBlockedEvents = true
    this.#batch = []
    this.#skipped = new Set()
  }

  /** Called when an event's attempt is recorded. From then on, a batch may contain the event again. */
  markRecorded(eventId: string): void {
    this.#busy.delete(eventId)
  }

  /** Starts the attempts that may start now. */
  pump(): void {
    this.#dropLapsed()
    while (this.#unwritten === null && this.#hasRoom()) {
      const next = this.#batch.findIndex((each) => this.#isFree(each))
      if (next === -1) break
      void this.#start(this.#batch.splice(next, 1)[0] as LeasedEvent)
      if (this.#isLow()) this.#isSentInTime = true
    }
    if (this.findBatchToLease() !== null || this.isIdle) this.#options.onChange()
  }

  #dropLapsed(): void {
    if (this.#batch.length === 0 || performance.now() < this.#batchEndsAt) return
    this.dropBatch()
    this.#isSentInTime = false
    this.#batchSize = Math.max(minBatchSize, this.#batchSize / 2)
  }

  async #start(event: LeasedEvent): Promise<void> {
    const { eventId, organizationId, subscriber, attempts, once, queuedAt } = event
    const startedAt = performance.now()
    const lapsedMs = this.#lapsedMs.get(eventId) ?? 0
    const until = this.#batchEndsAt
    const started: StartedAttempt = { ended: null }
    this.#started.push(started)
    this.#busy.add(eventId)
    this.#runningSubscribers.add(subscriber)
    this.#unwritten = eventId

    const result = await this.#options.attempt(event, {
      remainingMs: Math.max(1, this.#options.timeoutMs - lapsedMs),
      maySend: () => performance.now() < until,
      onWritten: () => {
        this.#markWritten(eventId)
        // Until this call returns, undici treats the connection as free.
        queueMicrotask(() => this.pump())
      },
    })

    this.#markWritten(eventId)
    this.#runningSubscribers.delete(subscriber)
    if (result === 'lapsed') {
      this.#started.splice(this.#started.indexOf(started), 1)
      this.#lapsedMs.set(eventId, lapsedMs + performance.now() - startedAt)
      this.#busy.delete(eventId)
      this.dropBatch()
      this.wake()
    } else {
      this.#lapsedMs.delete(eventId)
      const finishedAt = performance.now()
      this.#options.limit.adaptTo({ acknowledged: result.error === null, startedAt, finishedAt })
      const attemptFields = {
        organizationId,
        eventId,
        attemptsBefore: attempts,
        once,
        queuedAt,
        startedAt: startedAt - lapsedMs,
        finishedAt,
      }
      started.ended = { eventId, attemptsBefore: attempts, once, error: result.error }
      const isLast = this.#runningSubscribers.size === 0 && this.#batch.length === 0
      this.#options.onFinished({ ...result, ...attemptFields, counted: this.#takeCountedAttempts() }, isLast)
    }
    this.#unblock(subscriber)
    this.pump()
    if (result === 'lapsed') this.#options.onChange()
  }

  #markWritten(eventId: string): void {
    if (this.#unwritten === eventId) this.#unwritten = null
  }

  /** Removes and returns the results of all attempts that started before the first running one. */
  #takeCountedAttempts(): CountedAttempt[] {
    const counted: CountedAttempt[] = []
    for (let first = this.#started[0]; first?.ended; first = this.#started[0]) {
      counted.push(first.ended)
      this.#started.shift()
    }
    return counted
  }

  /** The subscriber's next event may be due before all others: read the queue again before another attempt starts. */
  #unblock(subscriber: string): void {
    if (this.#skipped.has(subscriber)) this.dropBatch()
    else if (this.#batch.length > 0) return
    if (this.#hasBlockedEvents) this.wake()
    this.#hasBlockedEvents = false
  }
}
