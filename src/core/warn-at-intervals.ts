import type { Logger } from 'pino'

type Warn = (fields: object, message: string) => void

/** Returns a function that logs each message at most once per `quietMs`, so that many failures do not flood the log. */
export function warnAtIntervals(logger: Pick<Logger, 'warn'>, quietMs: number): Warn {
  const warnedAt = new Map<string, number>()
  return (fields, message) => {
    const now = performance.now()
    if (now - (warnedAt.get(message) ?? -quietMs) < quietMs) return
    warnedAt.set(message, now)
    logger.warn(fields, message)
  }
}
