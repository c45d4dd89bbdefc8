import type { Environment, Logger } from './platform.ts'

declare const console: Pick<Logger, 'warn' | 'error'>

const minuteMs = 60_000
/** Remembers at most this many kinds: there may be many, since a message may contain the key of a feature. */
const maxKinds = 1_000

/** Writes warnings and errors to the console, each kind at most once a minute. */
export function consoleLogger({ now }: Pick<Environment, 'now'>): Logger {
  const loggedAt = new Map<string, number>()
  const createLogMethod =
    (level: 'warn' | 'error') =>
    (message: string, { code, error, problem }: { code?: unknown; error?: unknown; problem?: unknown } = {}) => {
      const kind = typeof code === 'string' ? code : message
      if (now() < (loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) + minuteMs) return
      if (loggedAt.size >= maxKinds) loggedAt.clear()
      loggedAt.set(kind, now())
      const why = typeof problem === 'string' ? ` ${problem}` : ''
      console[level](`Entitlements: ${message}${why}`, ...(error === undefined ? [] : [{ error }]))
    }
  return { debug() {}, info() {}, warn: createLogMethod('warn'), error: createLogMethod('error') }
}
