/*
 * Everything that is stored or leaves the process uses the database's time, which all processes share. Each reading of the
 * database's clock gives bounds for this time, and the most precise reading is used. Between readings, the machine's
 * monotonic clock measures the time, so that setting the machine's own clock has no effect.
 */

/** The maximum drift between two clocks, in milliseconds per millisecond. */
const driftRate = 0.0002

/** The database's time at a moment between `sentAt` and `answeredAt`, two readings of the monotonic clock. */
type ClockReading = { databaseMs: number; sentAt: number; answeredAt: number }

type Clock = {
  /** Whole milliseconds since 1970; the machine's own time until the first reading. */
  now(): number
  read(reading: ClockReading): void
}

/** `monotonicMs` (by default `performance.now()`) must never go back; `machineMs` is the machine's own time. */
export function createClock(monotonicMs = () => performance.now(), machineMs = () => Date.now()): Clock {
  /** The database's time is the monotonic time plus `offsetMs`, give or take `errorMs`. */
  let estimate: { offsetMs: number; errorMs: number; readAt: number } | null = null

  return {
    now: () => (estimate === null ? machineMs() : Math.floor(estimate.offsetMs + monotonicMs())),
    read({ databaseMs, sentAt, answeredAt }) {
      const offsetMs = databaseMs - (sentAt + answeredAt) / 2
      const errorMs = (answeredAt - sentAt) / 2
      if (estimate !== null) {
        const knownErrorMs = estimate.errorMs + (answeredAt - estimate.readAt) * driftRate
        // After the machine slept or the database's clock was set, readings contradict each other: the newer one is used.
        const isContradiction = Math.abs(offsetMs - estimate.offsetMs) > errorMs + knownErrorMs + 1
        if (errorMs > knownErrorMs && !isContradiction) return
      }
      estimate = { offsetMs, errorMs, readAt: answeredAt }
    },
  }
}

const clock = createClock()

/** The database's time in milliseconds, for everything that is stored or leaves the process. */
export function currentMs(): number {
  return clock.now()
}

export function currentTime(): Date {
  return new Date(clock.now())
}

/** Sets this process's time from the database's: see database/watch.ts. */
export const setClock = clock.read

let formattedDate = { second: Number.NaN, text: '' }

/** The value of the header `Date`. Node's own value would be the machine's time. */
export function httpDate(): string {
  const second = Math.floor(clock.now() / 1000)
  if (second !== formattedDate.second) formattedDate = { second, text: new Date(second * 1000).toUTCString() }
  return formattedDate.text
}
