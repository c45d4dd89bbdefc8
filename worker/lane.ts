import type { Claimed, SeenLane } from './lane-store.ts'
import type { FinishedAttempt } from './record-attempts.ts'
import type { SendResult } from './send.ts'

/** The maximum number of attempts of one organization that run at once. */
const windowSize = 8
/** The next attempt starts when the last one is answered, or after this time. */
const paceMs = 100
/** The number of events to claim in advance at first: more if they are sent in time, fewer if the claim lapses. */
const aheadAtFirst = 16
const aheadAtLeast = 4
const aheadAtMost = 256

export type LaneOptions = {
  organizationId: string
  /** For the whole attempt. */
  timeoutMs: number
  /** Makes one attempt; never rejects. */
  attempt(claimed: Claimed, limits: { leftMs: number; mayLeave: () => boolean }): Promise<SendResult>
  /** Called with every attempt that ended and must be recorded; `isLast` if nothing else is running or claimed. */
  onFinished(attempt: FinishedAttempt, isLast: boolean): void
  /** Called when the lane could use a claim, or may be released. */
  onChange(): void
}

/**
 * A worker's state for one organization that it sends for: its claimed events, its running attempts, and the attempts not
 * recorded yet. Decides when the next attempt starts; does not query the database.
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
  #aheadSize = aheadAtFirst
  /** Whether most of the last claim was sent before it lapsed. */
  #isUsedInTime = false
  /** Whether something may be due that is neither claimed nor busy. */
  #mayBeDue = true
  /** Running, or ended and not recorded yet: still queued in the database. */
  readonly #busy = new Set<string>()
  /** When an attempt first began whose claim lapsed while it connected: its time-out still counts from then. */
  readonly #begunAt = new Map<string, number>()
  #underWay = 0
  #last: { startedAt: number; isAnswered: boolean } | null = null
  #paceTimer: NodeJS.Timeout | null = null

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

  /** How many rows a claim should return now, including busy ones; 0 when none is needed. */
  rowsToClaim(): number {
    this.#dropLapsed()
    if (!this.#mayBeDue || !this.#isLow() || this.#underWay >= windowSize) return 0
    return this.#aheadSize + this.#busy.size
  }

  #isLow(): boolean {
    return this.#ahead.length <= this.#aheadSize / 2
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
    return this.#underWay > 0
  }

  /**
   * Takes the answer to a claim of `rows` rows that lapses at `until`. It replaces the events claimed before, because it is
   * newer and includes those not sent yet.
   */
  setClaimed({ woken, claimed }: SeenLane, rows: number, until: number): void {
    if (this.#isUsedInTime) this.#aheadSize = Math.min(aheadAtMost, this.#aheadSize * 2)
    this.#isUsedInTime = false
    this.woken = woken
    if (claimed.length === rows) this.#mayBeDue = true
    this.#ahead = claimed.filter(({ eventId }) => !this.#busy.has(eventId))
    this.#aheadUntil = until
    this.pump()
  }

  /** Forgets the claimed events; running attempts continue. */
  dropClaimed(): void {
    if (this.#ahead.length > 0) this.#mayBeDue = true
    this.#ahead = []
    if (this.#paceTimer) clearTimeout(this.#paceTimer)
    this.#paceTimer = null
  }

  /** The attempt is recorded: the event may be claimed again. */
  setRecorded(eventId: string): void {
    this.#busy.delete(eventId)
  }

  /** Starts the attempts that may start now. */
  pump(): void {
    this.#dropLapsed()
    while (this.#ahead.length > 0 && this.#underWay < windowSize) {
      const waitMs = this.#waitForLast()
      if (waitMs > 0) {
        this.#pumpAfter(waitMs)
        return
      }
      void this.#start(this.#ahead.shift() as Claimed)
      if (this.#isLow()) this.#isUsedInTime = true
    }
    if (this.rowsToClaim() > 0 || this.isIdle) this.#options.onChange()
  }

  #dropLapsed(): void {
    if (this.#ahead.length === 0 || performance.now() < this.#aheadUntil) return
    this.dropClaimed()
    this.#isUsedInTime = false
    this.#aheadSize = Math.max(aheadAtLeast, this.#aheadSize / 2)
  }

  #waitForLast(): number {
    if (this.#last === null || this.#last.isAnswered) return 0
    return this.#last.startedAt + paceMs - performance.now()
  }

  #pumpAfter(waitMs: number): void {
    if (this.#paceTimer) return
    this.#paceTimer = setTimeout(() => {
      this.#paceTimer = null
      this.pump()
    }, waitMs)
  }

  async #start(claimed: Claimed): Promise<void> {
    const { eventId, organizationId, attempts, once, queuedAt } = claimed
    const startedAt = performance.now()
    const begunAt = this.#begunAt.get(eventId) ?? startedAt
    const until = this.#aheadUntil
    const last = { startedAt, isAnswered: false }
    this.#last = last
    this.#busy.add(eventId)
    this.#underWay++

    const result = await this.#options.attempt(claimed, {
      leftMs: Math.max(1, this.#options.timeoutMs - (startedAt - begunAt)),
      mayLeave: () => performance.now() < until,
    })

    last.isAnswered = true
    this.#underWay--
    if (result === 'lapsed') {
      this.#begunAt.set(eventId, begunAt)
      this.#busy.delete(eventId)
      this.dropClaimed()
      this.wake()
    } else {
      this.#begunAt.delete(eventId)
      const finishedAt = performance.now()
      const made = { organizationId, eventId, attemptsBefore: attempts, once, queuedAt, startedAt: begunAt, finishedAt }
      const isLast = this.#underWay === 0 && this.#ahead.length === 0
      this.#options.onFinished({ ...result, ...made }, isLast)
    }
    this.pump()
    if (result === 'lapsed') this.#options.onChange()
  }
}
