import { setTimeout as wait } from 'node:timers/promises'

/** After this time a process counts as not recovering. */
const timeoutMs = 90_000

/** Resolves when the condition holds; fails with this message if that takes too long. */
export async function untilInTime(condition: () => boolean, otherwise: string): Promise<void> {
  for (const endsAt = Date.now() + timeoutMs; !condition(); await wait(10)) {
    if (Date.now() > endsAt) throw new Error(`after ${timeoutMs / 1000} s ${otherwise}`)
  }
}
