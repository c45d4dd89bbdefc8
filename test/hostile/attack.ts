import type { Tenant, Tenants } from '../support/tenants.ts'
import type { Answers } from './answers.ts'
import type { Client } from './client.ts'
import type { Server, Variant } from './server.ts'

/** What an attack has at hand. */
export type Scene = {
  client: Client
  answers: Answers
  server: Server
  tenants: Tenants
  /** Whoever attacks from within: a tenant of this attack only. */
  attacker: Tenant
  /** 1 in CI, more for a longer run: how many times, how long, how wide. */
  scale: number
  seed: number
  /** Aborted when the attack has lasted too long, or the server ended. */
  signal: AbortSignal
  /** What must not happen, in a sentence. */
  fault(sentence: string): void
  /** A figure for the table. */
  note(text: string): void
}

export type Attack = {
  name: string
  /** The kind of server that it runs against. */
  variant?: Variant
  /** The most that the process may hold in memory meanwhile, in megabytes; that of all attacks when absent. */
  run(scene: Scene): Promise<void>
}

/** Runs so many at once until all are through, or the attack is over. */
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
