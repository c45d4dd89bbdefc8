/*
 * The functions that the client needs from its platform: browsers, Node 18 and later, Bun, Deno and edge runtimes all have
 * them. They are declared here, so that the client compiles without the types of any platform.
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

/** A `fetch` function; it receives a `FetchInit`. Any platform's own `fetch` can be passed: their parameter types differ. */
// biome-ignore lint/suspicious/noExplicitAny: no other type is both a browser's RequestInit and Node's.
export type Fetch = (url: string, init: any) => Promise<FetchAnswer>

/** Receives the client's log messages. You can pass `console` and most loggers. */
export type Logger = {
  /** For details during development; currently unused. */
  debug(message: string, details?: object): void
  /** For information; currently unused. */
  info(message: string, details?: object): void
  /** Called for problems that need attention: a misspelled feature or option, a refused request, a store that fails. */
  warn(message: string, details?: object): void
  /** Called for errors that should not happen, such as a listener that throws. */
  error(message: string, details?: object): void
}

/** The longest time that a timer can wait. */
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

/** The time and the network, which tests of random interleavings replace. */
export type Environment = {
  fetch: Fetch
  /** Monotonic milliseconds; only differences have a meaning. */
  now(): number
  /** Runs the function later, and returns a cancel function. Background timers do not keep a process alive. */
  later(ms: number, run: () => void, isBackground?: boolean): () => void
  random(): number
}

export function environmentOf(ownFetch: Fetch | undefined): Environment {
  return {
    // A redirect must not pass the credential on. Browsers refuse a `fetch` that is called as another object's method.
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

/** The two clocks may diverge by less than this because of rounding. */
const jumpMs = 100

/**
 * The monotonic clock stands still while the machine sleeps, and the wall clock can be set. A forward jump of the wall clock
 * counts as elapsed time. So answers may be requested again too early, but are never used for too long.
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
