import { EntitlementsError, errorOf, ValidationError } from './api/errors.ts'
import { noAnswer } from './api/request.ts'
import { backoffMs, requestedWaitMs } from './backoff.ts'
import type { ChangeEvent } from './change-event.ts'
import { type Environment, type FetchAnswer, newAbort } from './platform.ts'
import { ageOf } from './read-answer.ts'
import { readSentEvents } from './sent-events.ts'
import type { Server } from './server.ts'

/** After this long a silence, the feed no longer proves that nothing changed. The service sends data every 5 seconds. */
export const silenceMs = 10_000
/**
 * The service answers a waiting poll after at most this many seconds. The answer is complete up to the time it was sent, so
 * two polls fit into `silenceMs`.
 */
const pollSeconds = 4
/**
 * How long the client polls before it tries a stream again. This is a time, and not a number of polls, because polls follow
 * each other quickly when there are many changes.
 */
const pollingMs = 300_000
/**
 * How long the client waits for the first event of a stream that it tries again after some minutes of polling. The last poll may
 * have been sent `pollSeconds` earlier, and `silenceMs` must not pass before the next.
 */
const firstEventMs = 4_000
const retryMs = { least: 250, most: 10_000, refused: 30_000 }

export type FeedListener = {
  /** Called when all changes to requested entitlements since the last `reset` have been received. */
  alive(): void
  changed(event: ChangeEvent): void
  /** Called when every cached answer, and the answer of every running request, may be outdated. */
  reset(): void
  /** Called after `silenceMs` without proof that all changes were received. */
  silent(): void
  failed(error: EntitlementsError): void
}

/** Follows `GET /org/changes`, as a stream or, where streams do not get through, by polls. */
export class Feed {
  readonly #server: Server
  readonly #environment: Environment
  readonly #listener: FeedListener
  #abort = newAbort()
  #isClosed = false
  #cursor: string | null = null
  #aliveAt = Number.NEGATIVE_INFINITY
  #pollsUntil = Number.NEGATIVE_INFINITY
  /** Set after a stream that did not get through: a poll that waits might be answered only after `silenceMs`. */
  #pollsAtOnce = false
  #endPause: () => void = () => {}
  #cancelSilenceTimer: () => void = () => {}
  #cancelAliveTimer: () => void = () => {}

  constructor(server: Server, environment: Environment, listener: FeedListener) {
    this.#server = server
    this.#environment = environment
    this.#listener = listener
  }

  /** The time up to which all changes to answers requested since the listener's last `reset` have been received. */
  get aliveAt(): number {
    return this.#aliveAt
  }

  isAlive(now: number): boolean {
    return now - this.#aliveAt <= silenceMs
  }

  async run(): Promise<void> {
    for (let failures = 0; !this.#isClosed; ) {
      const aliveAt = this.#aliveAt
      let waitMs: number
      let isBehind = false
      try {
        if (this.#environment.now() < this.#pollsUntil) isBehind = await this.#poll()
        else await this.#stream()
        waitMs = 0
      } catch (error) {
        if (this.#isClosed) return
        const failure = error instanceof EntitlementsError ? error : noAnswer(this.#server, error)
        this.#listener.failed(failure)
        waitMs = this.#waitMs(failure, failures)
      }
      failures = this.#aliveAt > aliveAt || isBehind ? 0 : failures + 1
      // A stream that ended immediately is opened again only after a wait.
      await this.#pause(Math.max(waitMs, failures > 0 ? retryMs.least : 0))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#endPause()
    this.#cancelSilenceTimer()
    this.#cancelAliveTimer()
    this.#abort.abort()
  }

  #waitMs(error: EntitlementsError, failures: number): number {
    const { status } = error
    if (status === 401 || status === 403 || status === 404) return retryMs.refused
    return Math.max(requestedWaitMs(error), backoffMs(this.#environment, retryMs, failures))
  }

  #pause(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#environment.later(ms, resolve, true)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  /** Ends the current request after this long without data. */
  #restartSilenceTimer(ms = silenceMs): void {
    const abort = this.#abort
    this.#cancelSilenceTimer()
    this.#cancelSilenceTimer = this.#environment.later(ms, () => abort.abort(), true)
  }

  async #stream(): Promise<void> {
    this.#abort = newAbort()
    const isRetry = this.#pollsUntil > Number.NEGATIVE_INFINITY && this.isAlive(this.#environment.now())
    const limitMs = isRetry ? firstEventMs : silenceMs
    this.#restartSilenceTimer(limitMs)
    let isFirst = true
    let heardAt = this.#environment.now()
    const isResumed = this.#cursor !== null
    try {
      const resume: Record<string, string> = this.#cursor === null ? {} : { 'last-event-id': this.#cursor }
      const answer = await this.#open('', { accept: 'text/event-stream', ...resume })
      if (!answer.body) {
        this.#pollsUntil = Number.POSITIVE_INFINITY
        return
      }
      const ageMs = ageOf(answer.headers)
      for await (const { id, event, data } of readSentEvents(answer.body)) {
        if (this.#isClosed) return
        const now = this.#environment.now()
        // Data after a long silence may have been delayed, for example while the machine slept.
        if (now - heardAt > silenceMs) throw silenceError(silenceMs)
        heardAt = now
        this.#restartSilenceTimer()
        // A relay's first event is as old as the data that the relay itself has received.
        if (event === 'reset' || (event === 'ready' && !isResumed)) this.#resetAt(isFirst ? now - ageMs : now)
        else if (event === 'alive') this.#onAlive(now)
        else if (event !== 'ready') this.#listener.changed(JSON.parse(data))
        if (isFirst) this.#pollsUntil = Number.NEGATIVE_INFINITY
        isFirst = false
        this.#cursor = id
      }
    } catch (error) {
      // A proxy may buffer the stream instead of passing data on at once.
      if (isFirst && this.#abort.signal.aborted) {
        this.#pollsUntil = this.#environment.now() + pollingMs
        this.#pollsAtOnce = true
      }
      throw this.#abort.signal.aborted ? silenceError(isFirst ? limitMs : silenceMs) : error
    } finally {
      this.#cancelSilenceTimer()
      this.#abort.abort()
    }
  }

  /** Returns whether there are more changes for the next poll. */
  async #poll(): Promise<boolean> {
    this.#abort = newAbort()
    this.#restartSilenceTimer()
    try {
      const sentAt = this.#environment.now()
      const wait = this.#pollsAtOnce ? '' : `wait=${pollSeconds}&`
      this.#pollsAtOnce = false
      const query = this.#cursor === null ? '' : `?${wait}after=${encodeURIComponent(this.#cursor)}`
      const answer = await this.#open(query, {})
      const ageMs = ageOf(answer.headers)
      const page: PollAnswer = JSON.parse(await answer.text())
      const isBehind = page.has_more && page.cursor !== this.#cursor
      if (page.reset || this.#cursor === null) this.#resetAt(this.#environment.now() - ageMs)
      for (const change of page.changes) this.#listener.changed(change)
      this.#cursor = page.cursor
      if (!page.has_more) this.#onAlive(sentAt - ageMs)
      return isBehind
    } finally {
      this.#cancelSilenceTimer()
    }
  }

  async #open(query: string, headers: Record<string, string>): Promise<FetchAnswer> {
    try {
      return await this.#server.open(`/org/changes${query}`, headers, this.#abort.signal)
    } catch (error) {
      // The service cannot read the cursor, so another service issued it.
      if (error instanceof ValidationError) this.#cursor = null
      throw error
    }
  }

  #resetAt(at: number): void {
    this.#listener.reset()
    this.#onAlive(at)
  }

  #onAlive(at: number): void {
    this.#aliveAt = Math.max(this.#aliveAt, at)
    this.#cancelAliveTimer()
    this.#cancelAliveTimer = this.#environment.later(silenceMs, () => this.#listener.silent(), true)
    this.#listener.alive()
  }
}

type PollAnswer = { changes: ChangeEvent[]; cursor: string; has_more: boolean; reset: boolean }

function silenceError(ms: number): EntitlementsError {
  return errorOf({ code: 'TIMED_OUT', message: `The feed of changes was silent for ${ms} ms.` })
}
