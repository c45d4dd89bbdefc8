import type { Logger } from 'pino'
import { warnNowAndThen } from '../core/warn-now-and-then.ts'
import { wakesAtMost } from './wakes.ts'

/** Wakes workers for events that are committed. */
type Waker = {
  /** Never waits, never fails. */
  wake(organizationId: string): void
  /** Resolves once nothing is being sent any more. */
  stop(): Promise<void>
}

const quietMs = 10_000

/**
 * Sends one batch at a time: wakes that arrive in between go into the next batch. A wake that is lost, because this process
 * or the database stopped, delays its events by a second at most: each worker looks for waiting events that often.
 */
export function createWaker(
  send: (organizationIds: readonly string[]) => Promise<void>,
  logger: Pick<Logger, 'warn'>,
): Waker {
  const waiting = new Set<string>()
  let sending: Promise<void> | null = null
  let isStopped = false
  const warn = warnNowAndThen(logger, quietMs)

  async function sendAll(): Promise<void> {
    while (waiting.size > 0 && !isStopped) {
      const batch = [...waiting].slice(0, wakesAtMost)
      for (const organizationId of batch) waiting.delete(organizationId)
      await send(batch).catch((error) =>
        warn({ err: error }, 'workers could not be woken and will find the events within a second'),
      )
    }
    sending = null
  }

  return {
    wake(organizationId) {
      if (isStopped) return
      waiting.add(organizationId)
      sending ??= sendAll()
    },
    async stop() {
      isStopped = true
      await sending
    },
  }
}
