import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { createGate, type EvalOutcome, type Gate, type GateOptions } from '../../src/gate/gate.ts'
import { type SeededOrganization, seedFeature, seedOrganization, seedPlan, seedSubscriber } from './seed.ts'

/** For the tests' own statements in every file of this process; the gate under test has a pool of its own. */
export const database = new pg.Pool({
  connectionString: inject('databaseUrl'),
  max: 4,
  idleTimeoutMillis: 1000,
  allowExitOnIdle: true,
})

export type TestGate = Gate & { pool: pg.Pool; [Symbol.asyncDispose](): Promise<void> }

export function openGate(options: Partial<GateOptions> = {}): TestGate {
  const pool = options.pool ?? new pg.Pool({ connectionString: inject('databaseUrl'), max: 3 })
  // Ignores errors of connections that a test breaks on purpose.
  pool.on('error', () => {})
  const gate = createGate({
    pool,
    rateLimitPerSecond: 1_000_000,
    tokenRateShare: 0.5,
    monthlyAllotment: null,
    mayEvaluate: () => true,
    // Long enough for a slow machine.
    timeoutMs: 60_000,
    ...options,
  })
  return {
    ...gate,
    pool,
    async [Symbol.asyncDispose]() {
      await gate.close()
      await pool.end()
    },
  }
}

/** An organization with the limit `seats`, granted 5 by the plan `pro`, to which the subscriber `acme` is subscribed. */
export async function seedVendor(
  limits: { rateLimit?: number; allotment?: number; role?: string } = {},
): Promise<SeededOrganization> {
  const organization = await seedOrganization(database, limits)
  const { organizationId } = organization
  await seedFeature(database, organizationId, { key: 'seats', kind: 'limit' })
  await seedPlan(database, organizationId, 'pro', new Map([['seats', { kind: 'limit', limit: 5 }]]))
  await seedSubscriber(database, organizationId, 'acme', 'pro')
  return organization
}

/** The entitlements as REST would send them, or the kind of the refusal. */
export function answerOf(outcome: EvalOutcome): unknown {
  return outcome.kind === 'granted' ? JSON.parse(`[${outcome.entitlements.toJson()}]`) : outcome.kind
}

/** The number of outcomes of each kind. */
export function countKinds(outcomes: readonly { kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

type CounterRow = { second_used: number; day: string; day_used: number; month_used: number; second: Date }

export async function loadCounter(organizationId: string): Promise<CounterRow> {
  const { rows } = await database.query(
    `select second, second_used, day::text, day_used::int, month_used::int from eval_counter where organization_id = $1`,
    [organizationId],
  )
  return rows[0]
}

/** Sets columns of the counter row to SQL expressions. */
export async function setCounter(organizationId: string, columns: Record<string, string>): Promise<void> {
  const list = Object.entries(columns).map(([name, expression]) => `${name} = ${expression}`)
  await database.query(`update eval_counter set ${list.join(', ')} where organization_id = $1`, [organizationId])
}

/** The current second of the database's clock. */
export async function loadCurrentSecond(): Promise<number> {
  const { rows } = await database.query(`select extract(epoch from clock_timestamp())::float8 as now`)
  return Math.floor(rows[0].now)
}

/** The fixed time of a gate: the middle of a month, a day and a second. */
export const noon = `timestamptz '2026-11-15 12:00:00.5Z'`

/**
 * Creates a clock that a test sets. Even a statement that is already waiting sees a new time, because a sequence has the same
 * value in every transaction.
 */
export async function createClock(seconds: number): Promise<{ clock: string; set(seconds: number): Promise<void> }> {
  const name = `clock_${newId().toLowerCase()}`
  await database.query(`create sequence ${name} start ${seconds}`)
  onTestFinished(async () => void (await database.query(`drop sequence ${name}`)))
  return {
    clock: `(select to_timestamp(last_value) from ${name})`,
    set: async (later) => void (await database.query(`select setval('${name}', ${later})`)),
  }
}
