/*
 * The state of an event after an attempt.
 *
 * | State  | The receiver             | Attempts made          | To                               |
 * | queued | acknowledged with a 2xx  | any                    | delivered; the pause count is 0  |
 * | queued | did not                  | fewer than all         | queued, due after the next wait  |
 * | queued | did not                  | all of them            | failed; one more in the count    |
 * | queued, once | acknowledged       | any                    | delivered; the pause count is 0  |
 * | queued, once | did not            | any                    | failed; not in the count         |
 *
 * The pause count is the number of events in a row that ran out of attempts. At the threshold it pauses the endpoint.
 * Contract: Delivery 2 and 4.
 */

/** The result of one attempt. `waitSeconds` is the time from the end of the attempt to the next one. */
export type EventOutcome = { state: 'delivered' } | { state: 'failed' } | { state: 'queued'; waitSeconds: number }

/** Wait before the next attempt in seconds, or null when there is no next one. attempt counts from 1. Contract: Delivery 2. */
export function findRetryWait(waitsSeconds: readonly number[], attempt: number): number | null {
  return waitsSeconds[attempt - 1] ?? null
}

type MadeAttempt = {
  /** Counts from 1. */
  number: number
  /** For a test event or a resent event: it gets only one attempt, and its failure does not count. */
  once: boolean
  acknowledged: boolean
}

export function classifyAttempt(
  { number, once, acknowledged }: MadeAttempt,
  waitsSeconds: readonly number[],
): EventOutcome {
  if (acknowledged) return { state: 'delivered' }
  const waitSeconds = once ? null : findRetryWait(waitsSeconds, number)
  return waitSeconds === null ? { state: 'failed' } : { state: 'queued', waitSeconds }
}

export type PauseCount = {
  /** The pause count. */
  exhaustedInARow: number
  disabled: boolean
}

/**
 * The pause count after these outcomes, in the order in which their attempts started. A 2xx resets it; reaching the threshold pauses
 * deliveries, and attempts still running then do not change it. A resume sets it to 0.
 */
export function countExhausted(
  before: PauseCount,
  outcomes: readonly { once: boolean; verdict: EventOutcome }[],
  threshold: number,
): PauseCount {
  let { exhaustedInARow, disabled } = before
  for (const { once, verdict } of outcomes) {
    if (exhaustedInARow >= threshold) continue
    if (verdict.state === 'delivered') exhaustedInARow = 0
    if (verdict.state === 'failed' && !once) exhaustedInARow++
    if (exhaustedInARow >= threshold) disabled = true
  }
  return { exhaustedInARow, disabled }
}
