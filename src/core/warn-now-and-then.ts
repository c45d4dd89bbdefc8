import type { Logger } from 'pino'

type Warn = (fields: object, message: string) => void

/** Logs the same message at most once in `quietMs`, so that a flood of failures is not a flood of log lines. */
export function warnNowAndThen(logger: Pick<Logger, 'warn'>, quietMs: number): Warn {
  const warnedAt = new Map<string, number>()
  return (fields, message) => {
    const now = performance.now()
    if (now - (warnedAt.get(message) ?? -quietMs) < quietMs) return
    warnedAt.set(message, now)
    logger.warn(fields, message)
  }
}
