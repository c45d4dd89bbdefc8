import type { Environment } from './platform.ts'

/** The maximum number of subscribers that the service accepts in one request. */
const maxSubscribersPerRequest = 100
/** How long the first cache miss waits for further ones. */
const batchWindowMs = 2
/** The minimum time between requests that are not full, so that at most forty a second are sent. */
const minIntervalMs = 25
/** For subscribers that no caller waits for: the maximum wait before the first request, and the time between further ones. */
const backgroundWaitMs = { first: 1_000, next: 100 }

/**
 * Collects the subscribers that are missing in the cache, so that one request asks for many of them. Also collects subscribers
 * that no caller waits for, and requests them later.
 */
export class RequestBatcher<Missed> {
  readonly #environment: Environment
  readonly #send: (missed: Missed[]) => void
  readonly #refill: (subscriberIds: string[]) => boolean
  #missed: Missed[] = []
  #refills = new Set<string>()
  #sentAt = Number.NEGATIVE_INFINITY
  #notBefore = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null
  #cancelRefill: (() => void) | null = null

  /** `refill` returns whether it could send a request. */
  constructor(
    environment: Environment,
    { send, refill }: { send: (missed: Missed[]) => void; refill: (subscriberIds: string[]) => boolean },
  ) {
    this.#environment = environment
    this.#send = send
    this.#refill = refill
  }

  /** When the next request may be sent, by the environment's clock. */
  get notBefore(): number {
    return this.#notBefore
  }

  add(missed: Missed): void {
    this.#missed.push(missed)
    if (this.#missed.length >= maxSubscribersPerRequest) this.#cancelSending()
    this.#schedule()
  }

  /**
   * Sends nothing for this time. Returns the subscribers that were waiting, so that the caller can again add subscribers that
   * can wait this long.
   */
  waitFor(ms: number): Missed[] {
    this.#notBefore = Math.max(this.#notBefore, this.#environment.now() + ms)
    this.#cancelSending()
    return this.#missed.splice(0)
  }

  refill(subscriberIds: readonly string[]): void {
    for (const subscriberId of subscriberIds) this.#refills.add(subscriberId)
    // The wait is random, because many processes get the same change at the same time.
    if (this.#refills.size > 0) this.#scheduleRefill(this.#environment.random() * backgroundWaitMs.first)
  }

  close(): void {
    this.#refills.clear()
    this.#cancelRefill?.()
  }

  #cancelSending(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #schedule(): void {
    if (this.#cancel || this.#missed.length === 0) return
    const now = this.#environment.now()
    const isFull = this.#missed.length >= maxSubscribersPerRequest
    const at = isFull ? now : Math.max(now + batchWindowMs, this.#sentAt + minIntervalMs)
    this.#cancel = this.#environment.later(Math.max(at, this.#notBefore) - now, () => {
      this.#cancel = null
      this.#sentAt = this.#environment.now()
      this.#send(this.#missed.splice(0, maxSubscribersPerRequest))
      this.#schedule()
    })
  }

  #scheduleRefill(ms: number): void {
    this.#cancelRefill ??= this.#environment.later(
      ms,
      () => {
        this.#cancelRefill = null
        const next = [...this.#refills].slice(0, maxSubscribersPerRequest)
        if (this.#refill(next)) for (const each of next) this.#refills.delete(each)
        if (this.#refills.size > 0) this.#scheduleRefill(backgroundWaitMs.next)
      },
      true,
    )
  }
}
