import type { Logger } from 'pino'
import { FailureLog } from './failure-log.ts'

/**
 * Runs a function now and repeatedly, with a pause between the end of one run and the start of the next. An error does not end
 * the repetition. `stop` aborts the signal, so that a long run ends early, and waits for the run.
 */
export function repeat(
  { everyMs, what, logger }: { everyMs: number; what: string; logger: Pick<Logger, 'info' | 'warn' | 'error'> },
  run: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  const stopping = new AbortController()
  const log = new FailureLog(logger, what)

  async function runAndSchedule(): Promise<void> {
    try {
      await run(stopping.signal)
      log.succeeded()
    } catch (error) {
      log.failed(error)
    }
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = runAndSchedule()
    }, everyMs)
  }

  let running = runAndSchedule()
  return {
    async stop() {
      stopping.abort()
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
