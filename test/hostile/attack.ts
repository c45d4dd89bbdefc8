import type { Tenant, Tenants } from '../support/tenants.ts'
import type { Answers } from './answers.ts'
import type { Client } from './client.ts'
import type { Server, Variant } from './server.ts'

/** What an attack can use. */
export type Scene = {
  client: Client
  answers: Answers
  server: Server
  tenants: Tenants
  /** A tenant for this attack only, for attacks from within. */
  attacker: Tenant
  /** 1 in CI, more for a longer run: multiplies counts, durations and widths. */
  scale: number
  seed: number
  /** Aborted when the attack has lasted too long, or the server ended. */
  signal: AbortSignal
  /** Reports what must not happen, in a sentence. */
  fault(sentence: string): void
  /** A figure for the table. */
  note(text: string): void
}

export type Attack = {
  name: string
  /** The kind of server that it attacks. */
  variant?: Variant
  /** The maximum memory of the process meanwhile, in megabytes; the common limit when absent. */
  run(scene: Scene): Promise<void>
}

/** Runs this many at once until all are done, or the attack is over. */
export async function inParallel(
  { signal }: Pick<Scene, 'signal'>,
  { total, atOnce }: { total: number; atOnce: number },
  one: (index: number) => Promise<unknown>,
): Promise<void> {
  let begun = 0
  const lane = async () => {
    while (begun < total && !signal.aborted) await one(begun++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, total) }, lane))
}

/** Waits, or less when the attack is over. */
export function pause({ signal }: Pick<Scene, 'signal'>, ms: number): Promise<void> {
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
