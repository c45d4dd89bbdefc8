import { unavailable } from '../core/errors.ts'
import { batchLength } from './batch-length.ts'
import type { EvalOutcome, EvalRequest } from './outcome.ts'

export type WaitingEval = {
  request: EvalRequest
  resolve: (outcome: EvalOutcome) => void
  reject: (error: unknown) => void
}

export type BatchLoopOptions = {
  /** Evals in one statement at most. */
  maxBatch: number
  /** Sends the batch; resolves, whatever comes, to what settles its evals. */
  answer(batch: WaitingEval[]): Promise<() => void>
  /** Whether a second statement may wait in the connection. */
  takesAnother(): boolean
}

/** So many evals are worth a statement that waits in the connection while the database is at another. */
const minSecondBatch = 56

/**
 * Everything that arrives while a statement is in flight goes into the next one. There is no timer: an idle process sends
 * at once, and batches grow by themselves with the load. Under load the next statement waits in the connection already
 * while the database is at the last one, so that neither side waits for the other.
 */
export class BatchLoop {
  readonly #options: BatchLoopOptions
  #waiting: WaitingEval[] = []
  #running: Promise<void> | null = null
  #inFlight = 0
  /** Resolves when a statement is answered, or when another one is worth sending. */
  #answered = Promise.withResolvers<void>()
  readonly #settlers: (() => void)[] = []
  #isClosed = false

  constructor(options: BatchLoopOptions) {
    this.#options = options
  }

  evaluate(request: EvalRequest): Promise<EvalOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closing())
      this.#waiting.push({ request, resolve, reject })
      this.#running ??= this.#run()
      // Enough for a statement of their own, behind the one that the database is at.
      if (this.#waiting.length === minSecondBatch) this.#answered.resolve()
    })
  }

  /** Lets what is in flight end, and rejects what waits and what comes. */
  async close(): Promise<void> {
    this.#isClosed = true
    const rejected = this.#waiting
    this.#waiting = []
    for (const { reject } of rejected) reject(closing())
    await this.#running
  }

  async #run(): Promise<void> {
    // What the same turn of the event loop still reads from its sockets comes along.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0 || this.#inFlight > 0) {
      while (this.#maySend()) this.#send()
      await this.#answered.promise
      this.#answered = Promise.withResolvers()
      // Only after the database has its next statement: what callers do with their answers would keep it waiting.
      while (this.#maySend()) this.#send()
      for (const settle of this.#settlers.splice(0)) settle()
    }
    this.#running = null
  }

  #maySend(): boolean {
    if (this.#waiting.length === 0) return false
    if (this.#inFlight === 0) return true
    return this.#inFlight === 1 && this.#waiting.length >= minSecondBatch && this.#options.takesAnother()
  }

  #send(): void {
    const length = batchLength(this.#waiting, this.#options.maxBatch)
    const batch = this.#waiting.slice(0, length)
    this.#waiting = this.#waiting.slice(length)
    this.#inFlight += 1
    void this.#options.answer(batch).then((settle) => {
      this.#inFlight -= 1
      this.#settlers.push(settle)
      this.#answered.resolve()
    })
  }
}

function closing(): Error {
  return unavailable('This server is shutting down. Try again in a moment.')
}
