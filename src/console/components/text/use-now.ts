import { useSyncExternalStore } from 'react'

/** One clock for the whole page. It stops while nothing shows a time. */
function createClock(everyMs: number) {
  const listeners = new Set<() => void>()
  let now = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined

  function tick(): void {
    now = Date.now()
    for (const listener of listeners) listener()
  }

  return {
    read: () => now,
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        now = Date.now()
        timer = setInterval(tick, everyMs)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearInterval(timer)
      }
    },
  }
}

const everyTwentySeconds = createClock(20_000)
const everySecond = createClock(1000)

/**
 * Returns the time of this render and renders again with each tick. The time of the last tick would be too old: newer events
 * would seem to lie in the future.
 */
export function useNow(): Date {
  useSyncExternalStore(everyTwentySeconds.subscribe, everyTwentySeconds.read)
  return new Date()
}

/** The start of the current minute, for the variables of a query: the query is repeated at most once a minute. */
export function useCurrentMinute(): string {
  return `${useNow().toISOString().slice(0, 16)}:00.000Z`
}

/** Like `useNow`, but renders again every second, for a countdown. */
export function useNowEverySecond(): Date {
  useSyncExternalStore(everySecond.subscribe, everySecond.read)
  return new Date()
}
