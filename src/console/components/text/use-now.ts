import { useSyncExternalStore } from 'react'

/** One clock for the whole page, which stands still while nothing shows a time. */
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

const slow = createClock(20_000)
const quick = createClock(1000)

export function useNow(): Date {
  return new Date(useSyncExternalStore(slow.subscribe, slow.read))
}

/** For a countdown. */
export function useSeconds(): Date {
  return new Date(useSyncExternalStore(quick.subscribe, quick.read))
}
