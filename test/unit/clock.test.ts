import { describe, expect, it } from 'vitest'
import { createClock } from '../../src/core/clock.ts'
import { fc } from '../support/random.ts'

/** Creates a process's clock that starts at 0 ms, when the time of the database is noon. */
function startTestClock() {
  const noon = Date.UTC(2026, 10, 22, 12)
  let monotonicMs = 0
  const clock = createClock(
    () => monotonicMs,
    () => 1,
  )
  return {
    noon,
    now: () => clock.now(),
    at(ms: number) {
      monotonicMs = ms
    },
    /** The query is sent at `sentAt`, and its answer takes `tookMs`; the database's clock is off by `setMs`. */
    read: (sentAt: number, tookMs: number, { readAfterMs = tookMs / 2, setMs = 0 } = {}) =>
      clock.read({ databaseMs: noon + sentAt + readAfterMs + setMs, sentAt, answeredAt: sentAt + tookMs }),
  }
}

describe("a process's clock", () => {
  it("follows the machine's clock until the database first answers, and then the database's clock", () => {
    const { noon, now, read, at } = startTestClock()
    expect(now()).toBe(1)

    read(0, 2)
    at(1000)

    expect(now()).toBe(noon + 1000)
  })

  it('keeps a precise reading if a later one is imprecise, and uses a later one that is equally precise', () => {
    const { noon, now, read, at } = startTestClock()
    read(0, 2)
    read(1000, 500, { readAfterMs: 500 })
    at(2000)
    expect(now()).toBe(noon + 2000)

    read(2000, 2, { readAfterMs: 2 })
    at(3000)
    expect(now()).toBe(noon + 3001)
  })

  it("adopts a large jump at once, because the database's clock was set or the machine has slept", () => {
    const { noon, now, read, at } = startTestClock()
    read(0, 2)

    read(1000, 500, { setMs: -7_200_000 })
    at(2000)

    expect(now()).toBe(noon + 2000 - 7_200_000)
  })

  it('is never less accurate than its most precise reading allows, however slow the connection to the database', () => {
    const answer = fc.record({
      pauseMs: fc.nat(5000),
      tookMs: fc.nat(3000),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 20 }), (answers) => {
        const { noon, now, read, at } = startTestClock()
        let time = 0
        let best = Infinity
        for (const { pauseMs, tookMs, part } of answers) {
          time += pauseMs
          read(time, tookMs, { readAfterMs: tookMs * part })
          time += tookMs
          // The clock stays as precise as before, apart from the possible drift.
          best = Math.min(best + (pauseMs + tookMs) * 0.0002, tookMs / 2)
          at(time)
          expect(Math.abs(now() - (noon + time))).toBeLessThanOrEqual(best + 1)
        }
      }),
    )
  })
})
