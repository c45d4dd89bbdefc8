import type { FairQueue } from './fair-queue.ts'

/**
 * Counts the bytes that answers keep in memory until they are sent: once, however many answers share them. After `maxMs`, the
 * bytes no longer count: by then, the server has closed the connections of clients that did not read their answers.
 */
export class MemoryReservation {
  readonly #release: () => void
  readonly #timer: NodeJS.Timeout
  #answers = 0
  #isReleased = false

  constructor(queue: FairQueue, ownerId: string, { bytes, maxMs }: { bytes: number; maxMs: number }) {
    this.#release = queue.reserve(ownerId, bytes)
    this.#timer = setTimeout(() => this.#end(), maxMs).unref()
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Keeps the bytes for one more answer. Returns the function that releases them. */
  keep(): () => void {
    this.#answers += 1
    let isKept = true
    return () => {
      if (!isKept) return
      isKept = false
      this.#answers -= 1
      if (this.#answers === 0) this.#end()
    }
  }

  #end(): void {
    this.#isReleased = true
    clearTimeout(this.#timer)
    this.#release()
  }
}
