import { ForbiddenError, UnauthorizedError } from '../../client/api/index.ts'
import type { Connection } from '../connection.ts'
import { explain } from '../explain.ts'
import { Problem } from '../problem.ts'

export type Change = { id: string; type: string; occurred_at: string; [name: string]: unknown }

type Settings = {
  signal: AbortSignal
  onChange(change: Change): Promise<void>
  /** Called when the service cannot say what changed, so that anything may have changed. */
  onReset(): void
  onReady(): void
  onTrouble(message: string): void
}

/** How long the service waits for a change before it answers that there is none. */
const waitSeconds = 30
const minPauseMs = 500
const maxPauseMs = 10_000

/** Follows the changes of the organization until the signal aborts. Keeps trying while the service is unavailable. */
export async function follow(connection: Connection, settings: Settings): Promise<void> {
  const { signal, onChange, onReset, onReady, onTrouble } = settings
  let after: string | undefined
  let pauseMs = minPauseMs
  while (!signal.aborted) {
    const isFirst = after === undefined
    try {
      const page = await connection.ask((api) =>
        api.getChanges(isFirst ? {} : { after, wait: waitSeconds }, { signal }),
      )
      if (isFirst) onReady()
      if (page.reset) onReset()
      for (const change of page.changes) await onChange(change as Change)
      after = page.cursor
      pauseMs = minPauseMs
    } catch (error) {
      if (signal.aborted) return
      if (isFirst || isRefused(error)) throw error
      onTrouble(`${explain(error).message} Trying again.`)
      await pause(pauseMs, signal)
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
    }
  }
}

/** Whether another attempt would be pointless. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof UnauthorizedError || cause instanceof ForbiddenError
}

/** Waits, but ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })
}
