import { setTimeout as wait } from 'node:timers/promises'

/** Who does not recover in this time never does. */
const timeoutMs = 90_000

/** Resolves when the condition holds, and fails with these words when it never does. */
export async function untilInTime(condition: () => boolean, otherwise: string): Promise<void> {
  for (const endsAt = Date.now() + timeoutMs; !condition(); await wait(10)) {
    if (Date.now() > endsAt) throw new Error(`after ${timeoutMs / 1000} s ${otherwise}`)
  }
}
