/*
 * The time of everything that leaves the process or is stored: the database's, which all processes share. Each answer to
 * "what time is it" bounds it, and the best of them counts. Between answers it goes on with the machine's monotonic clock, so
 * that setting the machine's own time changes nothing.
 */

/** Two clocks may drift apart by so many milliseconds in each. */
const driftRate = 0.0002

/** The database's time, read at some moment between these two on the monotonic clock: that of `performance.now()`. */
type Reading = { databaseMs: number; sentAt: number; answeredAt: number }

type Clock = {
  /** In milliseconds since 1970, whole ones. This process's own time until the first reading. */
  now(): number
  read(reading: Reading): void
}

/** `monotonicMs` must never go back; `machineMs` is what the machine believes. */
export function createClock(monotonicMs = () => performance.now(), machineMs = () => Date.now()): Clock {
  /** The database's time is `offsetMs` later than the monotonic one, give or take `errorMs`. */
  let known: { offsetMs: number; errorMs: number; readAt: number } | null = null

  return {
    now: () => (known === null ? machineMs() : Math.floor(known.offsetMs + monotonicMs())),
    read({ databaseMs, sentAt, answeredAt }) {
      const offsetMs = databaseMs - (sentAt + answeredAt) / 2
      const errorMs = (answeredAt - sentAt) / 2
      if (known !== null) {
        const knownErrorMs = known.errorMs + (answeredAt - known.readAt) * driftRate
        // The machine slept, or the database's clock was set: both cannot be true, and this one is newer.
        const isContradiction = Math.abs(offsetMs - known.offsetMs) > errorMs + knownErrorMs + 1
        if (errorMs > knownErrorMs && !isContradiction) return
      }
      known = { offsetMs, errorMs, readAt: answeredAt }
    },
  }
}

const clock = createClock()

/** For what leaves the process or is stored; see above. */
export function currentMs(): number {
  return clock.now()
}

export function currentTime(): Date {
  return new Date(clock.now())
}

/** Sets the time of this process by the database's: see database/watch.ts. */
export const setClock = clock.read

let date = { second: Number.NaN, text: '' }

/** For the header `Date`, which Node would write by the machine's own time. */
export function httpDate(): string {
  const second = Math.floor(clock.now() / 1000)
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() }
  return date.text
}
