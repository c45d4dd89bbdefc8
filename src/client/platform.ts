/*
 * The functions that the client needs of its platform: browsers, Node 18 and later, Bun, Deno and edge runtimes all have them.
 * Declared here, so that the client is compiled with the types of none of them.
 */

export type AbortSignalLike = { readonly aborted: boolean; readonly reason?: unknown }

export type FetchInit = {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignalLike
}

export type BodyReader = {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

export type FetchAnswer = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: { getReader(): BodyReader } | null
  text(): Promise<string>
}

/** Gets a `FetchInit`. Every platform's own `fetch` may be passed, and each has its own parameter types. */
// biome-ignore lint/suspicious/noExplicitAny: no other type is both a browser's RequestInit and Node's.
export type Fetch = (url: string, init: any) => Promise<FetchAnswer>

/** Receives the client's log messages; `console` and most loggers can be passed. */
export type Logger = {
  /** For development: not used now. */
  debug(message: string, details?: object): void
  /** Information: not used now. */
  info(message: string, details?: object): void
  /** Problems that you should look at: a misspelled feature or option, a refused request, a store that fails. */
  warn(message: string, details?: object): void
  /** Errors that should not happen: a listener of yours that throws. */
  error(message: string, details?: object): void
}

/** Timers cannot wait longer. */
export const maxTimerMs = 2 ** 31 - 1

type Timer = { unref?(): void } | number

declare const performance: { now(): number }
declare const setTimeout: (run: () => void, ms: number) => Timer
declare const clearTimeout: (timer: Timer) => void
declare const AbortController: new () => Abort
declare const fetch: Fetch
declare const TextDecoder: new () => Decoder
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

type Decoder = { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string }

export type Abort = { readonly signal: AbortSignalLike; abort(reason?: unknown): void }

export function newAbort(): Abort {
  return new AbortController()
}

export function newDecoder(): Decoder {
  return new TextDecoder()
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Time and network: tests of random interleavings replace them. */
export type Environment = {
  fetch: Fetch
  /** Monotonic milliseconds; only differences have a meaning. */
  now(): number
  /** Runs later. Returns a cancel function. Background timers do not keep a process alive. */
  later(ms: number, run: () => void, isBackground?: boolean): () => void
  random(): number
}

export function environmentOf(ownFetch: Fetch | undefined): Environment {
  return {
    // A redirect must not receive the credential. Browsers refuse a `fetch` that is called as another object's method.
    fetch: (url, init) => (ownFetch ?? fetch)(url, { ...init, redirect: 'manual' }),
    now: monotonicClock(),
    later(ms, run, isBackground = false) {
      const timer = setTimeout(run, ms)
      if (isBackground && typeof timer === 'object') timer.unref?.()
      return () => clearTimeout(timer)
    },
    random: Math.random,
  }
}

/** A difference of the two clocks that is no rounding. */
const jumpMs = 100

/**
 * The monotonic clock stands still while the machine sleeps, and the wall clock can be set. A jump forward of the wall clock
 * counts as elapsed time: then answers are requested again too early, and never used too long.
 */
function monotonicClock(): () => number {
  let sleptMs = 0
  let difference = Date.now() - performance.now()
  return () => {
    const now = performance.now()
    const jumped = Date.now() - now - difference
    if (Math.abs(jumped) > jumpMs) {
      difference += jumped
      sleptMs += Math.max(jumped, 0)
    }
    return now + sleptMs
  }
}
