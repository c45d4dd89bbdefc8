import pg from 'pg'
import { seededRandom } from '../../support/seeded-random.ts'
import { Tenants } from '../../support/tenants.ts'
import { checkResults, type Verdict } from './check-results.ts'
import { checkDeliveries, type Deliveries } from './deliveries.ts'
import { type FollowerResult, Followers } from './followers.ts'
import { checkJobs } from './jobs.ts'
import { Load, type Target } from './load.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { Stage, type Variant, variants } from './stage.ts'
import { createTenant } from './tenant.ts'
import { untilInTime } from './until-in-time.ts'

type Options = { scenarios: readonly Scenario[]; isLong: boolean; seed: number; onRow?: (row: Row) => void }

/** Milliseconds from the end of the fault to the first success; the longest of all rounds. */
type Recovery = { writeMs: number; evalMs: number; eventMs: number }

export type Row = {
  name: string
  rounds: number
  verdict: Omit<Verdict, 'findings'>
  deliveries: Omit<Deliveries, 'findings'>
  followed: Omit<FollowerResult, 'findings'>
  evals: number
  worstMs: number
  recovery: Recovery
  findings: string[]
}

const tenantCount = 3
const writerCount = 2
/** Successful writes before a fault, and after it. */
const calmWrites = 25
const answerLimitMs = 10_000
const writeLimitMs = 10_000
const eventLimitMs = 15_000

/** Runs the scenarios one after the other; scenarios with the same kind of stage share one. */
export async function runFaults(options: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const variant of variants) {
    const scenarios = options.scenarios.filter((scenario) => (scenario.variant ?? 'direct') === variant)
    if (scenarios.length > 0) rows.push(...(await runScenarios(variant, { ...options, scenarios })))
  }
  return rows
}

/** Runs each scenario with its own organizations, on processes that all of them share. */
async function runScenarios(variant: Variant, { scenarios, isLong, seed, onRow }: Options): Promise<Row[]> {
  const stage = await Stage.start(variant)
  const random = seededRandom(seed)
  const rows: Row[] = []
  try {
    for (const scenario of scenarios) {
      const row = await runScenario(scenario, { stage, isLong, random, isLast: scenario === scenarios.at(-1) })
      onRow?.(row)
      rows.push(row)
    }
    return rows
  } finally {
    await stage.close()
  }
}

type ScenarioOptions = Pick<ScenarioContext, 'stage' | 'isLong' | 'random'> & { isLast: boolean }

async function runScenario(scenario: Scenario, { stage, isLong, random, isLast }: ScenarioOptions): Promise<Row> {
  const findings: string[] = []
  const { followers, ...load } = await startLoad(stage, random)
  const scene: ScenarioContext = { ...load, stage, isLong, random, finding: (sentence) => findings.push(sentence) }
  const rounds = isLong ? scenario.longRounds : 1
  const recovery = { writeMs: 0, evalMs: 0, eventMs: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      await load.load.goodWritesAfter(calmWrites)
      await scenario.inflict(scene)
      takeLonger(recovery, await recover(load.load))
    }
    await load.load.goodWritesAfter(calmWrites)
  } catch (error) {
    findings.push(`round of ${scenario.name} failed: ${error instanceof Error ? error.message : error}`)
  }
  await load.load.end()
  const weighed = await checkStage({ stage, load: load.load, followers, isLong, isLast, before: findings })
  await followers.end()
  const row = { name: scenario.name, rounds, recovery, ...weighed }
  if (isLong) row.findings.push(...findLateEvents(row, scenario))
  return row
}

/** Limits that a busy machine may exceed without a fault in the service. */
function findLateEvents({ worstMs, recovery }: Row, { answersLate = false }: Scenario): string[] {
  const found: string[] = []
  if (worstMs > answerLimitMs && !answersLate) found.push(`an answer took ${Math.round(worstMs)} ms`)
  if (recovery.writeMs > writeLimitMs) found.push(`the first good write took ${Math.round(recovery.writeMs)} ms`)
  if (recovery.eventMs > eventLimitMs) found.push(`the first event took ${Math.round(recovery.eventMs)} ms`)
  return found
}

type Running = Pick<ScenarioContext, 'tenants' | 'sendTo' | 'load'> & { followers: Followers }

async function startLoad(stage: Stage, random: () => number): Promise<Running> {
  const makers = new Tenants(stage.databaseUrl)
  const url = stage.apis[0]?.url ?? ''
  const tenants = await Promise.all(
    Array.from({ length: tenantCount }, () => createTenant(makers, url, writerCount)),
  ).finally(() => makers.close())
  let only: Target | null = null
  let turn = 0
  const target = () => only ?? (stage.apis[turn++ % stage.apis.length] as Target)
  const followers = await Followers.start(tenants, target, () => stage.clock?.now.getTime() ?? Date.now())
  return {
    tenants,
    followers,
    load: new Load(tenants, target, random),
    sendTo(target) {
      only = target
    },
  }
}

async function recover(load: Load): Promise<Recovery> {
  const endedAt = performance.now()
  const lastEvent = () => Math.max(...load.tenants.map(({ receiver }) => receiver.received.at(-1)?.at ?? 0))
  const first = async (lastGoodAt: () => number, what: string) => {
    await untilInTime(() => lastGoodAt() > endedAt, `there is no good ${what} after the fault`)
    return performance.now() - endedAt
  }
  const [writeMs, evalMs, eventMs] = await Promise.all([
    first(() => load.lastGood.write, 'write'),
    first(() => load.lastGood.eval, 'eval'),
    first(lastEvent, 'event'),
  ])
  return { writeMs, evalMs, eventMs }
}

function takeLonger(recovery: Recovery, next: Recovery): void {
  for (const name of ['writeMs', 'evalMs', 'eventMs'] as const) recovery[name] = Math.max(recovery[name], next[name])
}

type CheckOptions = {
  stage: Stage
  load: Load
  followers: Followers
  isLong: boolean
  isLast: boolean
  before: string[]
}

async function checkStage(options: CheckOptions): Promise<Omit<Row, 'name' | 'rounds' | 'recovery'>> {
  const { stage, load, followers, isLong, isLast, before } = options
  const pool = new pg.Pool({ connectionString: stage.databaseUrl, max: 2 })
  pool.on('error', () => {})
  try {
    const { findings: lies, ...verdict } = await checkResults(pool, load)
    const { findings: missing, ...deliveries } = await checkDeliveries(pool, load, isLong)
    const { findings: unheard, ...followed } = await followers.check(pool, load)
    const findings = [...before, ...load.findings, ...lies, ...missing, ...unheard]
    // After all scenarios: a killed worker's jobs are taken over half a minute later, while other scenarios run.
    if (isLast) findings.push(...(await checkJobs(pool)))
    const log = stage.takeLog()
    if (findings.length > 0 && log !== '') findings.push(`the processes logged: ${log.slice(0, 2000)}`)
    return { verdict, deliveries, followed, evals: load.evals, worstMs: load.worstMs, findings }
  } finally {
    await pool.end()
    await Promise.all(load.tenants.map(({ receiver }) => receiver.close()))
  }
}
