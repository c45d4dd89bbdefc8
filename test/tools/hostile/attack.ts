import type { Tenant, Tenants } from '../../support/tenants.ts'
import type { AnswerTally } from './answers.ts'
import type { Client } from './client.ts'
import type { Server, Variant } from './server.ts'

/** What an attack can use to do its work. */
export type AttackContext = {
  client: Client
  answers: AnswerTally
  server: Server
  tenants: Tenants
  /** A tenant for this attack only, for attacks by a caller with a key. */
  attacker: Tenant
  /** Multiplies counts, durations and widths: 1 in CI, more for a longer run. */
  scale: number
  seed: number
  /** Aborted when the attack lasts too long or the server ends. */
  signal: AbortSignal
  /** Reports a violation in a sentence. */
  fault(sentence: string): void
  /** Adds a figure to the table. */
  note(text: string): void
}

export type Attack = {
  name: string
  /** The kind of server to attack. */
  variant?: Variant
  /** How many times as long as other attacks this attack may take. */
  patience?: number
  /** Stores rows for the attack, which do not count as bytes that the attacker stored. */
  prepare?(scene: AttackContext): Promise<void>
  run(scene: AttackContext): Promise<void>
}

/** Calls `one` for each index, this many at once, until all are done or the attack is over. */
export async function inParallel(
  { signal }: Pick<AttackContext, 'signal'>,
  { total, atOnce }: { total: number; atOnce: number },
  one: (index: number) => Promise<unknown>,
): Promise<void> {
  let begun = 0
  const lane = async () => {
    while (begun < total && !signal.aborted) await one(begun++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, total) }, lane))
}

/** Waits, but not beyond the end of the attack. */
export function pause({ signal }: Pick<AttackContext, 'signal'>, ms: number): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
