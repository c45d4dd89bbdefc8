import { setTimeout as wait } from 'node:timers/promises'
import { limitOf } from '../../support/limit-of.ts'

/** After this time a process counts as not recovering. */
const timeoutMs = limitOf(90_000)

/** Resolves when the condition holds; fails with this message if that takes too long. */
export async function untilInTime(
  condition: () => boolean | Promise<boolean>,
  otherwise: string | (() => string),
): Promise<void> {
  for (const endsAt = Date.now() + timeoutMs; !(await condition()); await wait(10)) {
    if (Date.now() < endsAt) continue
    throw new Error(`after ${timeoutMs / 1000} s ${typeof otherwise === 'string' ? otherwise : otherwise()}`)
  }
}
