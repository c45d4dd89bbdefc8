import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'

const dayMs = 86_400_000

/**
 * For tests that must begin and end on one day of the month, in UTC: waits for midnight if a slow test would not end before it.
 * Belongs in a hook, so that the wait does not use up the test's own time.
 */
export async function waitIfNearMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < inject('waitMs')) await wait(leftMs + 100)
}
