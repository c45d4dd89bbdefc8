import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { warnNowAndThen } from '../core/warn-now-and-then.ts'

/** Wakes those that wait for what is committed: workers for events, followers for changes. */
type Waker = {
  /** Never waits, never fails. */
  wake(organizationId: string): void
  /** Resolves once nothing is being sent any more. */
  stop(): Promise<void>
}

const quietMs = 10_000

/** `lost` is the line of the log if a batch could not be sent; `restMs` the least time between two batches. */
type WakerOptions = { lost: string; restMs?: number }

/**
 * Sends one batch at a time: wakes that arrive in between go into the next batch. A wake that is lost, because this process
 * or the database stopped, delays what it is for by a second at most: whoever waits looks by itself that often.
 */
export function createWaker(
  send: (organizationIds: readonly string[]) => Promise<void>,
  logger: Pick<Logger, 'warn'>,
  { lost, restMs = 0 }: WakerOptions,
): Waker {
  const waiting = new Set<string>()
  let sending: Promise<void> | null = null
  let isStopped = false
  const warn = warnNowAndThen(logger, quietMs)

  async function sendAll(): Promise<void> {
    while (waiting.size > 0 && !isStopped) {
      const batch = [...waiting]
      waiting.clear()
      await send(batch).catch((error) => warn({ err: error }, lost))
      if (restMs > 0) await wait(restMs)
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
