import type { Logger } from 'pino'
import { FailureLog } from './failure-log.ts'

/** Runs this now and repeatedly, with a pause between the end of one run and the start of the next; no error ends it. */
export function repeat(
  { everyMs, what, logger }: { everyMs: number; what: string; logger: Pick<Logger, 'info' | 'warn' | 'error'> },
  run: () => Promise<void>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  const log = new FailureLog(logger, what)

  async function turn(): Promise<void> {
    try {
      await run()
      log.succeeded()
    } catch (error) {
      log.failed(error)
    }
    if (isStopped) return
    timer = setTimeout(() => {
      running = turn()
    }, everyMs)
  }

  let running = turn()
  return {
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
