import { AsyncLocalStorage } from 'node:async_hooks'
import { unavailable } from '../../core/errors.ts'
import type { EvalOutcome, EvalRequest } from '../statement/outcome.ts'
import { batchLength } from './batch-length.ts'

export type WaitingEval = {
  request: EvalRequest
  resolve: (outcome: EvalOutcome) => void
  reject: (error: unknown) => void
}

type BatchLoopOptions = {
  /** The maximum number of evals in one statement. */
  maxBatch: number
  /**
   * Sends the batch. Never rejects: resolves to a function that answers the evals, or that rejects them if the batch failed.
   */
  answer(batch: WaitingEval[]): Promise<() => void>
  /** Whether a second statement may be sent before the first one is answered. */
  acceptsSecondStatement(): boolean
}

/** With at least this many waiting evals, a second statement is sent while the database works on the first. */
const minSecondBatch = 56

/**
 * Groups evals into batches, one for each statement: evals that arrive while a statement is running go into the next one. There
 * is no timer: an idle process sends at once, and batches grow with the load. Under load, the next statement is sent while the
 * database still works on the current one, so that neither side waits for the other.
 */
export class BatchLoop {
  readonly #options: BatchLoopOptions
  #waiting: WaitingEval[] = []
  #running: Promise<void> | null = null
  #inFlight = 0
  /** Resolves when a statement is answered, or when another one is worth sending. */
  #wakeUp = Promise.withResolvers<void>()
  readonly #replies: (() => void)[] = []
  #isClosed = false
  /** Runs the loop outside the async context of the request that starts it, because the loop works for all requests. */
  readonly #runOutside = AsyncLocalStorage.bind(() => this.#run())

  constructor(options: BatchLoopOptions) {
    this.#options = options
  }

  evaluate(request: EvalRequest): Promise<EvalOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(shuttingDown())
      this.#waiting.push({ request, resolve, reject })
      this.#running ??= this.#runOutside()
      // Now enough evals wait for a second statement behind the running one.
      if (this.#waiting.length === minSecondBatch) this.#wakeUp.resolve()
    })
  }

  /** Lets the running statements end, and rejects waiting and new evals. */
  async close(): Promise<void> {
    this.#isClosed = true
    const rejected = this.#waiting
    this.#waiting = []
    for (const { reject } of rejected) reject(shuttingDown())
    await this.#running
  }

  async #run(): Promise<void> {
    // Waits for the evals that this turn of the event loop still reads from sockets.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0 || this.#inFlight > 0) {
      while (this.#maySend()) this.#send()
      await this.#wakeUp.promise
      this.#wakeUp = Promise.withResolvers()
      // Sends the next statement before it replies, because the callers' work on their answers would delay the statement.
      while (this.#maySend()) this.#send()
      for (const reply of this.#replies.splice(0)) reply()
    }
    this.#running = null
  }

  #maySend(): boolean {
    if (this.#waiting.length === 0) return false
    if (this.#inFlight === 0) return true
    return this.#inFlight === 1 && this.#waiting.length >= minSecondBatch && this.#options.acceptsSecondStatement()
  }

  #send(): void {
    const length = batchLength(this.#waiting, this.#options.maxBatch)
    const batch = this.#waiting.slice(0, length)
    this.#waiting = this.#waiting.slice(length)
    this.#inFlight += 1
    void this.#options.answer(batch).then((reply) => {
      this.#inFlight -= 1
      this.#replies.push(reply)
      this.#wakeUp.resolve()
    })
  }
}

function shuttingDown(): Error {
  return unavailable('This server is shutting down. Try again in a moment.')
}
