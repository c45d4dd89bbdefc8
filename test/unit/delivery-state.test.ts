import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countExhausted,
  type EventOutcome,
  findWait,
  judgeAttempt,
  type PauseCount,
} from '../../worker/delivery-state.ts'

const spec = [30, 300, 1800, 7200, 18_000, 36_000, 86_400]
const waits = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 })
const threshold = 8

const outcome = fc.record({
  once: fc.boolean(),
  verdict: fc.constantFrom<EventOutcome>(
    { state: 'delivered' },
    { state: 'failed' },
    { state: 'queued', waitSeconds: 30 },
  ),
})
const outcomes = fc.array(outcome, { maxLength: 60 })
const start: PauseCount = { exhaustedInARow: 0, disabled: false }

/** The attempts that an event has, from the first to its end, when these are the answers. */
function follow(answers: readonly boolean[], waitsSeconds: readonly number[]): EventOutcome[] {
  const verdicts: EventOutcome[] = []
  for (const [index, acknowledged] of answers.entries()) {
    const verdict = judgeAttempt({ number: index + 1, once: false, acknowledged }, waitsSeconds)
    verdicts.push(verdict)
    if (verdict.state !== 'queued') break
  }
  return verdicts
}

describe('an attempt', () => {
  it('waits as the spec lists and gives up after the eighth', () => {
    const verdicts = follow(Array(20).fill(false), spec)

    expect(verdicts).toEqual([...spec.map((waitSeconds) => ({ state: 'queued', waitSeconds })), { state: 'failed' }])
    expect(findWait(spec, 8)).toBeNull()
  })

  it('ends every event within as many attempts as there are waits, and one', () => {
    fc.assert(
      fc.property(waits, fc.array(fc.boolean(), { minLength: 21, maxLength: 21 }), (waitsSeconds, answers) => {
        const verdicts = follow(answers, waitsSeconds)
        const firstAcknowledged = answers.indexOf(true)
        const all = waitsSeconds.length + 1
        const isDelivered = firstAcknowledged !== -1 && firstAcknowledged < all

        expect(verdicts.at(-1)?.state).toBe(isDelivered ? 'delivered' : 'failed')
        expect(verdicts.length).toBe(isDelivered ? firstAcknowledged + 1 : all)
        expect(verdicts.slice(0, -1).map((each) => each.state === 'queued' && each.waitSeconds)).toEqual(
          waitsSeconds.slice(0, verdicts.length - 1),
        )
      }),
    )
  })

  it('made once ends its event, whatever comes of it', () => {
    fc.assert(
      fc.property(waits, fc.boolean(), fc.integer({ min: 1, max: 30 }), (waitsSeconds, acknowledged, number) => {
        const { state } = judgeAttempt({ number, once: true, acknowledged }, waitsSeconds)
        expect(state).toBe(acknowledged ? 'delivered' : 'failed')
      }),
    )
  })
})

describe('the pause count', () => {
  it('is the same however a run of outcomes is cut into batches', () => {
    fc.assert(
      fc.property(outcomes, fc.nat(), (run, at) => {
        const cut = at % (run.length + 1)
        const inTwo = countExhausted(countExhausted(start, run.slice(0, cut), threshold), run.slice(cut), threshold)
        expect(inTwo).toEqual(countExhausted(start, run, threshold))
      }),
    )
  })

  it('pauses if and only if eight events that ran out follow each other without a 2xx between', () => {
    fc.assert(
      fc.property(outcomes, (run) => {
        const counting = run.filter(({ once, verdict }) => !once || verdict.state === 'delivered')
        const letters = counting.map(({ verdict }) => verdict.state[0])
        const told = letters.filter((letter) => letter !== 'q').join('')
        expect(countExhausted(start, run, threshold).disabled).toBe(told.includes('f'.repeat(threshold)))
      }),
    )
  })

  it('is not moved by retries, nor by tests and events sent again that failed', () => {
    fc.assert(
      fc.property(outcomes, fc.nat({ max: 7 }), (run, exhaustedInARow) => {
        const before = { exhaustedInARow, disabled: false }
        const silent = run.filter(({ once, verdict }) =>
          once ? verdict.state !== 'delivered' : verdict.state === 'queued',
        )
        expect(countExhausted(before, silent, threshold)).toEqual(before)
      }),
    )
  })

  it('never resumes: what was under way when it paused changes nothing', () => {
    fc.assert(
      fc.property(outcomes, (run) => {
        const paused = { exhaustedInARow: threshold, disabled: true }
        expect(countExhausted(paused, run, threshold)).toEqual(paused)
        expect(countExhausted({ exhaustedInARow: 3, disabled: true }, run, threshold).disabled).toBe(true)
      }),
    )
  })

  it.each([false, true])('goes back to 0 with a 2xx, sent once: %s', (once) => {
    const run = ['failed', 'failed', 'delivered', 'failed'].map((state) => ({
      once: once && state === 'delivered',
      verdict: { state } as EventOutcome,
    }))
    expect(countExhausted({ exhaustedInARow: 5, disabled: false }, run, threshold)).toEqual({
      exhaustedInARow: 1,
      disabled: false,
    })
  })
})
