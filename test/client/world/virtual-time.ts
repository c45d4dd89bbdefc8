import type { Environment } from '../../../src/client/platform.ts'

type Timer = { at: number; number: number; run: () => void }

/** Numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Time that passes only when the test says so: hours of a client's life in a millisecond. */
export class VirtualTime {
  now = 1_000_000
  #timers: Timer[] = []
  #count = 0

  readonly later: Environment['later'] = (ms, run) => {
    const timer = { at: this.now + Math.max(ms, 0), number: this.#count++, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  /** Runs the timers that are due in the next `ms`, in order, each after the promises of the previous one have settled. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms
    for (let next = this.#takeDue(until); next; next = this.#takeDue(until)) {
      this.now = Math.max(this.now, next.at)
      next.run()
      await settle()
    }
    this.now = Math.max(this.now, until)
  }

  /** Lets the machine sleep: timers that are due meanwhile run afterwards. */
  sleep(ms: number): void {
    this.now += ms
  }

  #takeDue(until: number): Timer | null {
    let first: Timer | null = null
    for (const timer of this.#timers) {
      if (timer.at > until) continue
      if (!first || timer.at < first.at || (timer.at === first.at && timer.number < first.number)) first = timer
    }
    if (first) this.#timers = this.#timers.filter((each) => each !== first)
    return first
  }
}

/** Resolves when all promises that do not wait for another event have settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
