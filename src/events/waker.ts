import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { changesChannel, notify } from './wakes.ts'

/** Wakes the processes that wait for committed rows: workers for events, followers for changes. */
export type Waker = {
  /** Never waits, never fails. */
  wake(organizationId: string): void
  /** Resolves once the running batch is sent. Drops the waiting wakes, as if they were lost. */
  stop(): Promise<void>
}

const quietMs = 10_000
/** The minimum time between two notifications of followers. */
const followerBatchMs = 20

/** `lostMessage` is the log line if a batch could not be sent; `restMs` is the pause between two batches. */
type WakerOptions = { lostMessage: string; restMs?: number }

/**
 * Sends one batch at a time: wakes that arrive meanwhile go into the next batch. If a wake is lost, because this process or
 * the database stopped, its events and changes are delayed by a second at most: workers and followers also read them without a
 * wake, at least once a second.
 */
export function createWaker(
  send: (organizationIds: readonly string[]) => Promise<void>,
  logger: Pick<Logger, 'warn'>,
  { lostMessage, restMs = 0 }: WakerOptions,
): Waker {
  const waiting = new Set<string>()
  let sending: Promise<void> | null = null
  let isStopped = false
  const warn = warnAtIntervals(logger, quietMs)

  async function sendAll(): Promise<void> {
    while (waiting.size > 0 && !isStopped) {
      const batch = [...waiting]
      waiting.clear()
      await send(batch).catch((error) => warn({ err: error }, lostMessage))
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

/** Notifies the processes that have followers of changes. */
export function createFollowersWaker(pool: pg.Pool, logger: Pick<Logger, 'warn'>): Waker {
  return createWaker((organizationIds) => notify(pool, changesChannel, organizationIds), logger, {
    restMs: followerBatchMs,
    lostMessage: 'followers of changes could not be notified and will read them within a second',
  })
}
