import type { Logger } from 'pino'
import { FailureLog } from './failure-log.ts'

/**
 * Runs a function now and repeatedly, with a pause between the end of one run and the start of the next; no error ends it. A
 * stop aborts the signal and waits for the run, so that long work ends early.
 */
export function repeat(
  { everyMs, what, logger }: { everyMs: number; what: string; logger: Pick<Logger, 'info' | 'warn' | 'error'> },
  run: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  const stopping = new AbortController()
  const log = new FailureLog(logger, what)

  async function runIdempotent(): Promise<void> {
    try {
      await run(stopping.signal)
      log.succeeded()
    } catch (error) {
      log.failed(error)
    }
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = runIdempotent()
    }, everyMs)
  }

  let running = runIdempotent()
  return {
    async stop() {
      stopping.abort()
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
