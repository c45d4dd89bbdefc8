import type { Logger } from 'pino'
import { isOutage } from '../src/database/outage.ts'

/** Runs this now and again and again, a pause between the end of one and the start of the next; no error ends it. */
export function repeat(
  { everyMs, what, logger }: { everyMs: number; what: string; logger: Pick<Logger, 'warn' | 'error'> },
  run: () => Promise<void>,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  let failures = 0

  async function turn(): Promise<void> {
    try {
      await run()
      failures = 0
    } catch (error) {
      // A database that is away is told of once, until it is back.
      if (!isOutage(error)) logger.error({ err: error }, `${what} failed`)
      else if (failures++ === 0) logger.warn({ err: error }, `${what} waits for the database`)
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
