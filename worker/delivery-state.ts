/*
 * The state of an event after an attempt.
 *
 * | State        | Attempt                 | Attempts left | New state                         |
 * | queued       | acknowledged with a 2xx | any           | delivered; sets the pause count to 0 |
 * | queued       | failed                  | some          | queued, due after the next wait   |
 * | queued       | failed                  | none          | failed; adds 1 to the pause count |
 * | queued, once | acknowledged with a 2xx | any           | delivered; sets the pause count to 0 |
 * | queued, once | failed                  | any           | failed; not counted               |
 *
 * The pause count is the number of events in a row that ran out of attempts. At the threshold it pauses the endpoint.
 * Contract: Delivery 2 and 4.
 */

/** The result of one attempt. `waitSeconds` is the time from the end of the attempt to the next one. */
export type EventOutcome = { state: 'delivered' } | { state: 'failed' } | { state: 'queued'; waitSeconds: number }

/** The wait before the next attempt in seconds, or null after the last. `attempt` counts from 1. Contract: Delivery 2. */
export function findRetryWait(waitsSeconds: readonly number[], attempt: number): number | null {
  return waitsSeconds[attempt - 1] ?? null
}

type MadeAttempt = {
  /** Counts from 1. */
  number: number
  /** True for a test event or a resent event: it gets only one attempt, and its failure does not count. */
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
 * Returns the pause count after these outcomes, which are in the order in which their attempts started. A 2xx sets the count to
 * 0. At the threshold, deliveries pause, and attempts that are still running do not change the count. A resume sets it to 0.
 */
export function countExhaustedEvents(
  before: PauseCount,
  outcomes: readonly { once: boolean; outcome: EventOutcome }[],
  threshold: number,
): PauseCount {
  let { exhaustedInARow, disabled } = before
  for (const { once, outcome } of outcomes) {
    if (exhaustedInARow >= threshold) continue
    if (outcome.state === 'delivered') exhaustedInARow = 0
    if (outcome.state === 'failed' && !once) exhaustedInARow++
    if (exhaustedInARow >= threshold) disabled = true
  }
  return { exhaustedInARow, disabled }
}
