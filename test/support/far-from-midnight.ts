import { setTimeout as wait } from 'node:timers/promises'

const dayMs = 86_400_000

/** For a test that must begin and end on one day of the month, in UTC: waits for midnight if that is near. */
export async function waitIfNearMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < 30_000) await wait(leftMs + 100)
}
