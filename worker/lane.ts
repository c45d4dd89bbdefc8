import type { AdaptiveLimit } from './adaptive-limit.ts'
import type { Claimed, ClaimRequest, EventToSend, HeldLane } from './lane-store.ts'
import type { CountedAttempt, FinishedAttempt } from './record-attempts.ts'
import type { SendResult } from './send.ts'

/** The number of events to claim in advance at first: more if they are sent in time, fewer if the claim lapses. */
const initialClaimAhead = 16
const minClaimAhead = 4
const maxClaimAhead = 256
/** How many queued events a claim reads to find one of a subscriber without a running attempt. */
const deepScanRows = 10_000
/** After a deep claim that found nothing, the next one waits for this time. */
const deepScanPauseMs = 250

type Limits = {
  leftMs: number
  mayLeave: () => boolean
  /** Called when the request is written. */
  onWritten?: () => void
}

export type LaneOptions = {
  organizationId: string
  /** The time limit of the whole attempt. */
  timeoutMs: number
  limit: AdaptiveLimit
  /** Whether this process may have one more attempt in flight for an organization that has this many; always for the first. */
  hasFreeSlot(inFlight: number): boolean
  /** Makes one attempt; never rejects. */
  attempt(event: EventToSend, limits: Limits): Promise<SendResult>
  /** Called with every attempt that ended and must be recorded; `isLast` if nothing else is running or claimed. */
  onFinished(attempt: FinishedAttempt, isLast: boolean): void
  /** Called when the lane could use a claim, or may be released. */
  onChange(): void
}

/** An attempt that started, with its result once it has ended. */
type StartedAttempt = { ended: CountedAttempt | null }

/**
 * A worker's state for one organization that it sends for: its claimed events, its running attempts, and the attempts not
 * recorded yet. Decides when the next attempt starts; does not query the database.
 *
 * Attempts start in the order of their events, each once the request before it is written. Each subscriber has one at a
 * time, so the events of a subscriber whose attempt is under way are passed over.
 */
export class Lane {
  readonly organizationId: string
  /** Until when the lease is certainly held, on this process's clock; 0 when it is not held. */
  heldUntil = 0
  /** How long claims last, as the database knows it. */
  claimMs = 0
  /** The last value seen in the database; a UUID. */
  woken = '00000000-0000-0000-0000-000000000000'
  readonly #options: LaneOptions
  #ahead: Claimed[] = []
  #aheadUntil = 0
  #aheadSize = initialClaimAhead
  /** Whether most of the last claim was sent before it lapsed. */
  #isUsedInTime = false
  /** Whether something may be due that is neither claimed nor busy. */
  #mayBeDue = true
  /** Whether something is due that is no longer claimed, of subscribers whose attempts are under way. */
  #isBlockedDue = false
  /** The subscribers that the last claim passed over. */
  #skipped: ReadonlySet<string> = new Set()
  #deepFrom = 0
  /** Running, or ended and not recorded yet: still queued in the database. */
  readonly #busy = new Set<string>()
  /** When an attempt began whose claim lapsed while it connected: its time-out still counts from then. */
  readonly #begunAt = new Map<string, number>()
  /** The subscribers whose attempts are under way. */
  readonly #underWay = new Set<string>()
  /** The event whose request is not written yet. */
  #unwritten: string | null = null
  /**
   * Attempts in the order of their starts, beginning with the first that is running: the pause counts results in this order.
   */
  readonly #started: StartedAttempt[] = []

  constructor(options: LaneOptions) {
    this.organizationId = options.organizationId
    this.#options = options
  }

  /** Whether the lease is certainly held. */
  get isHeld(): boolean {
    return performance.now() < this.heldUntil
  }

  /** Something may have become due. */
  wake(): void {
    this.#mayBeDue = true
  }

  /** What a claim should read now, including busy events; null when none is needed. */
  toClaim(): ClaimRequest | null {
    this.#dropLapsed()
    if (!this.#mayBeDue || !this.#hasRoom()) return null
    const rows = this.#aheadSize + this.#busy.size
    if (this.#isLow()) return { organizationId: this.organizationId, rows, scan: rows, skipped: [] }
    const isBlocked = performance.now() >= this.#deepFrom && !this.#ahead.some((each) => this.#isFree(each))
    if (!isBlocked) return null
    return { organizationId: this.organizationId, rows, scan: deepScanRows, skipped: [...this.#underWay] }
  }

  #hasRoom(): boolean {
    const { limit, hasFreeSlot } = this.#options
    return this.#underWay.size < limit.value && hasFreeSlot(this.#underWay.size)
  }

  #isLow(): boolean {
    return this.#ahead.length <= this.#aheadSize / 2
  }

  #isFree(claimed: Claimed): boolean {
    return !this.#underWay.has(claimed.subscriber)
  }

  /** Called before a claim is sent: its answer may lack events that become due later, which wake the lane again. */
  beginClaim(): void {
    this.#mayBeDue = false
  }

  /** Whether there is nothing to send, nothing running and nothing to record. */
  get isIdle(): boolean {
    return !this.#mayBeDue && this.#ahead.length === 0 && !this.isBusy
  }

  get isBusy(): boolean {
    return this.#busy.size > 0
  }

  /** Whether an attempt is running. */
  get isSending(): boolean {
    return this.#underWay.size > 0
  }

  /**
   * Takes the answer to a claim that lapses at `until`. It replaces the events claimed before, because it is newer and
   * includes those not sent yet, but for subscribers that it passed over.
   */
  setClaimed({ woken, claimed }: HeldLane, { rows, skipped }: ClaimRequest, until: number): void {
    this.woken = woken
    if (claimed.length === rows) this.#mayBeDue = true
    // The next event of a subscriber that was passed over, and whose attempt has ended meanwhile, may be the first.
    const isOutdated = skipped.some((subscriber) => !this.#underWay.has(subscriber))
    if (isOutdated || (skipped.length > 0 && claimed.length === 0)) {
      this.#deepFrom = performance.now() + deepScanPauseMs
      this.#mayBeDue = true
      return
    }
    this.#isBlockedDue = skipped.length > 0
    if (this.#isUsedInTime) this.#aheadSize = Math.min(maxClaimAhead, this.#aheadSize * 2)
    this.#isUsedInTime = false
    this.#skipped = new Set(skipped)
    this.#ahead = claimed.filter(({ eventId }) => !this.#busy.has(eventId))
    this.#aheadUntil = until
    this.pump()
  }

  /** Forgets the claimed events; running attempts continue. */
  dropClaimed(): void {
    if (this.#ahead.some((each) => this.#isFree(each))) this.#mayBeDue = true
    else if (this.#ahead.length > 0) this.#isBlockedDue = true
    this.#ahead = []
    this.#skipped = new Set()
  }

  /** The attempt is recorded: the event may be claimed again. */
  setRecorded(eventId: string): void {
    this.#busy.delete(eventId)
  }

  /** Starts the attempts that may start now. */
  pump(): void {
    this.#dropLapsed()
    while (this.#unwritten === null && this.#hasRoom()) {
      const next = this.#ahead.findIndex((each) => this.#isFree(each))
      if (next === -1) break
      void this.#start(this.#ahead.splice(next, 1)[0] as Claimed)
      if (this.#isLow()) this.#isUsedInTime = true
    }
    if (this.toClaim() !== null || this.isIdle) this.#options.onChange()
  }

  #dropLapsed(): void {
    if (this.#ahead.length === 0 || performance.now() < this.#aheadUntil) return
    this.dropClaimed()
    this.#isUsedInTime = false
    this.#aheadSize = Math.max(minClaimAhead, this.#aheadSize / 2)
  }

  async #start(claimed: Claimed): Promise<void> {
    const { eventId, organizationId, subscriber, attempts, once, queuedAt } = claimed
    const startedAt = performance.now()
    const begunAt = this.#begunAt.get(eventId) ?? startedAt
    const until = this.#aheadUntil
    const started: StartedAttempt = { ended: null }
    this.#started.push(started)
    this.#busy.add(eventId)
    this.#underWay.add(subscriber)
    this.#unwritten = eventId

    const result = await this.#options.attempt(claimed, {
      leftMs: Math.max(1, this.#options.timeoutMs - (startedAt - begunAt)),
      mayLeave: () => performance.now() < until,
      onWritten: () => {
        this.#setWritten(eventId)
        // Until this call returns, the connection seems to be free.
        queueMicrotask(() => this.pump())
      },
    })

    this.#setWritten(eventId)
    this.#underWay.delete(subscriber)
    if (result === 'lapsed') {
      this.#started.splice(this.#started.indexOf(started), 1)
      this.#begunAt.set(eventId, begunAt)
      this.#busy.delete(eventId)
      this.dropClaimed()
      this.wake()
    } else {
      this.#begunAt.delete(eventId)
      const finishedAt = performance.now()
      this.#options.limit.take({ acknowledged: result.error === null, startedAt, finishedAt })
      const made = { organizationId, eventId, attemptsBefore: attempts, once, queuedAt, startedAt: begunAt, finishedAt }
      started.ended = { eventId, attemptsBefore: attempts, once, error: result.error }
      const isLast = this.#underWay.size === 0 && this.#ahead.length === 0
      this.#options.onFinished({ ...result, ...made, counted: this.#takeCountedAttempts() }, isLast)
    }
    this.#unblock(subscriber)
    this.pump()
    if (result === 'lapsed') this.#options.onChange()
  }

  #setWritten(eventId: string): void {
    if (this.#unwritten === eventId) this.#unwritten = null
  }

  /** The results before which no attempt is under way any more. */
  #takeCountedAttempts(): CountedAttempt[] {
    const counted: CountedAttempt[] = []
    for (let first = this.#started[0]; first?.ended; first = this.#started[0]) {
      counted.push(first.ended)
      this.#started.shift()
    }
    return counted
  }

  /** The subscriber's next event may be the first of all: it must be known before another one starts. */
  #unblock(subscriber: string): void {
    if (this.#skipped.has(subscriber)) this.dropClaimed()
    else if (this.#ahead.length > 0) return
    if (this.#isBlockedDue) this.wake()
    this.#isBlockedDue = false
  }
}
