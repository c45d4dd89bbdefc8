/**
 * A second API process, to contend for the gate's row locks: it evaluates for a while and prints the number of outcomes of
 * each kind. Its only argument is a LoadOrder as JSON.
 */
import pg from 'pg'
import type { TokenHolder } from '../../src/access/subscriber-token.ts'
import { createGate } from '../../src/gate/gate.ts'

export type LoadOrder = {
  databaseUrl: string
  rateLimitPerSecond: number
  monthlyAllotment: number | null
  /** Hex; one is drawn at random for each eval. */
  keyHashes: string[]
  /** With this subscriber's token instead of a key. */
  holder?: TokenHolder
  subscriberId: string
  /** Checked by every other eval; the rest are snapshots. */
  feature: string
  inFlight: number
  /** The number of evals, spread over `inFlight`; or as many as run within `durationMs`. */
  evals?: number
  durationMs?: number
  /** The gate's time limit; its default if absent. */
  timeoutMs?: number
}

export type LoadReport = { outcomes: Record<string, number>; errors: string[] }

const order: LoadOrder = JSON.parse(process.argv[2] ?? '', (name, value) =>
  name === 'subscriberSince' || name === 'expiresAt' ? new Date(value) : value,
)
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 2 })
const gate = createGate({ ...order, tokenRateShare: 1, pool, mayEvaluate: () => true })
const report: LoadReport = { outcomes: {}, errors: [] }
const endsAt = performance.now() + (order.durationMs ?? Number.POSITIVE_INFINITY)
let begun = 0

await Promise.all(Array.from({ length: order.inFlight }, work))
await gate.close()
await pool.end()
process.stdout.write(JSON.stringify(report))

async function work(): Promise<void> {
  while (begun < (order.evals ?? Number.POSITIVE_INFINITY) && performance.now() < endsAt) {
    const features = begun++ % 2 === 0 ? [order.feature] : null
    const keyHash = order.keyHashes[Math.floor(Math.random() * order.keyHashes.length)] as string
    const caller = order.holder ? { holder: order.holder } : { keyHash }
    try {
      const { kind } = await gate.evaluate({ ...caller, subscriberId: order.subscriberId, features })
      report.outcomes[kind] = (report.outcomes[kind] ?? 0) + 1
    } catch (error) {
      report.errors.push(String(error))
    }
  }
}
