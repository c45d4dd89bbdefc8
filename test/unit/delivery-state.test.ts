import { describe, expect, it } from 'vitest'
import {
  classifyAttempt,
  countExhaustedEvents,
  type EventOutcome,
  findRetryWait,
  type PauseCount,
} from '../../worker/delivery-state.ts'
import { fc } from '../support/random.ts'

const spec = [30, 300, 1800, 7200, 18_000, 36_000, 86_400]
const waits = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 })
const threshold = 8

const outcome = fc.record({
  once: fc.boolean(),
  outcome: fc.constantFrom<EventOutcome>(
    { state: 'delivered' },
    { state: 'failed' },
    { state: 'queued', waitSeconds: 30 },
  ),
})
const outcomes = fc.array(outcome, { maxLength: 60 })
const start: PauseCount = { exhaustedInARow: 0, disabled: false }

/** The attempts of an event, first to last, if these are the answers. */
function follow(answers: readonly boolean[], waitsSeconds: readonly number[]): EventOutcome[] {
  const outcomes: EventOutcome[] = []
  for (const [index, acknowledged] of answers.entries()) {
    const outcome = classifyAttempt({ number: index + 1, once: false, acknowledged }, waitsSeconds)
    outcomes.push(outcome)
    if (outcome.state !== 'queued') break
  }
  return outcomes
}

describe('an attempt', () => {
  it('that fails is followed by the contract’s wait, unless it is the eighth', () => {
    const outcomes = follow(Array(20).fill(false), spec)

    expect(outcomes).toEqual([...spec.map((waitSeconds) => ({ state: 'queued', waitSeconds })), { state: 'failed' }])
    expect(findRetryWait(spec, 8)).toBeNull()
  })

  it('is the last for its event when it is acknowledged or when no wait is left', () => {
    fc.assert(
      fc.property(waits, fc.array(fc.boolean(), { minLength: 21, maxLength: 21 }), (waitsSeconds, answers) => {
        const outcomes = follow(answers, waitsSeconds)
        const firstAcknowledged = answers.indexOf(true)
        const all = waitsSeconds.length + 1
        const isDelivered = firstAcknowledged !== -1 && firstAcknowledged < all

        expect(outcomes.at(-1)?.state).toBe(isDelivered ? 'delivered' : 'failed')
        expect(outcomes.length).toBe(isDelivered ? firstAcknowledged + 1 : all)
        expect(outcomes.slice(0, -1).map((each) => each.state === 'queued' && each.waitSeconds)).toEqual(
          waitsSeconds.slice(0, outcomes.length - 1),
        )
      }),
    )
  })

  it('leaves its event delivered or failed if no other attempt follows', () => {
    fc.assert(
      fc.property(waits, fc.boolean(), fc.integer({ min: 1, max: 30 }), (waitsSeconds, acknowledged, number) => {
        const { state } = classifyAttempt({ number, once: true, acknowledged }, waitsSeconds)
        expect(state).toBe(acknowledged ? 'delivered' : 'failed')
      }),
    )
  })
})

describe('the pause count', () => {
  it('is the same however outcomes are divided into batches', () => {
    fc.assert(
      fc.property(outcomes, fc.nat(), (run, at) => {
        const cut = at % (run.length + 1)
        const inTwo = countExhaustedEvents(
          countExhaustedEvents(start, run.slice(0, cut), threshold),
          run.slice(cut),
          threshold,
        )
        expect(inTwo).toEqual(countExhaustedEvents(start, run, threshold))
      }),
    )
  })

  it('pauses deliveries if and only if eight events in a row run out of attempts without a 2xx between them', () => {
    fc.assert(
      fc.property(outcomes, (run) => {
        const counting = run.filter(({ once, outcome }) => !once || outcome.state === 'delivered')
        const letters = counting.map(({ outcome }) => outcome.state[0])
        const counted = letters.filter((letter) => letter !== 'q').join('')
        expect(countExhaustedEvents(start, run, threshold).disabled).toBe(counted.includes('f'.repeat(threshold)))
      }),
    )
  })

  it('is not changed by retries, or by failures of test events and of events that were sent again', () => {
    fc.assert(
      fc.property(outcomes, fc.nat({ max: 7 }), (run, exhaustedInARow) => {
        const before = { exhaustedInARow, disabled: false }
        const silent = run.filter(({ once, outcome }) =>
          once ? outcome.state !== 'delivered' : outcome.state === 'queued',
        )
        expect(countExhaustedEvents(before, silent, threshold)).toEqual(before)
      }),
    )
  })

  it('never resumes deliveries, whatever the outcomes of attempts that were running when deliveries were paused', () => {
    fc.assert(
      fc.property(outcomes, (run) => {
        const paused = { exhaustedInARow: threshold, disabled: true }
        expect(countExhaustedEvents(paused, run, threshold)).toEqual(paused)
        expect(countExhaustedEvents({ exhaustedInARow: 3, disabled: true }, run, threshold).disabled).toBe(true)
      }),
    )
  })

  it.each([false, true])('returns to 0 with a 2xx (for an event that is sent only once: %s)', (once) => {
    const run = ['failed', 'failed', 'delivered', 'failed'].map((state) => ({
      once: once && state === 'delivered',
      outcome: { state } as EventOutcome,
    }))
    expect(countExhaustedEvents({ exhaustedInARow: 5, disabled: false }, run, threshold)).toEqual({
      exhaustedInARow: 1,
      disabled: false,
    })
  })
})
