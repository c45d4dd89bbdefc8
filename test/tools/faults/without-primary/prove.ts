import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../../src/database/migrate.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../support/database-proxy.ts'
import { findFreePort } from '../../../support/free-port.ts'
import { testMasterKey } from '../../../support/master-key.ts'
import type { LogEntry } from '../../../support/service.ts'
import { type ServerProcess, spawnApi } from '../../../support/spawn-service.ts'
import { createTenantIn, type Tenant } from '../../../support/tenants.ts'
import { ReplicatedCluster } from '../replicated-cluster.ts'
import { untilInTime } from '../until-in-time.ts'
import { Pairs, type RaisedLimit, type Target } from './pairs.ts'

type Proof = {
  fault: string
  pairs: number
  /** Evals that were granted during the fault. */
  evals: number
  refused: number
  /** How long evals were refused. */
  refusedMs: number
}

export type Result = {
  proofs: Proof[]
  findings: string[]
  worstEvalMs: number
} & Tally

type Tally = {
  granted: number
  counted: number
  /** Evals whose counts a kill of the primary may have undone. */
  mayBeLost: number
  /** Evals that may be counted twice: a kill may have undone the correction of a second count after a lost reply. */
  mayBeTwice: number
}

type Options = { pairs: number; faultMs: number; onProof?: (proof: Proof) => void }

const writers = 8

const goneMessage = 'the primary database is gone: its standby answers evals, and nothing is written'
const backMessage = 'the primary database is back'
const readyMessage = 'the standby will answer evals if the primary database is gone'
const unreadyMessage = 'the standby could not answer evals if the primary database were gone'

/** An API process, with the lines that it logged. */
type Process = ServerProcess & Target & { metricsUrl: string; log: LogEntry[] }

/** When the primary was killed and when it had ended, by `performance.now()`, and when it was killed, by the clock. */
type KillTimes = { at: number; endedAt: number; time: number }

type Participants = {
  cluster: ReplicatedCluster
  proxies: DatabaseProxy[]
  processes: Process[]
  tenant: Tenant
  raised: RaisedLimit[]
}

type FaultContext = Participants & { kill(): Promise<void> }

const lineTime = ({ time }: LogEntry) => Number(time)
const hasLogged = ({ log }: Process, msg: string, since: number) =>
  log.some((line) => line.msg === msg && lineTime(line) >= since)
const isLast = ({ log }: Process, msg: string, opposite: string) =>
  log.findLast((line) => line.msg === msg || line.msg === opposite)?.msg === msg

/** The failure of the primary; the returned function ends it. */
const faults: Record<string, (scene: FaultContext) => Promise<() => Promise<void>>> = {
  async frozen({ cluster }) {
    cluster.signalPrimary('SIGSTOP')
    return async () => cluster.signalPrimary('SIGCONT')
  },

  /** The other process continues to write. */
  async 'cut off from one process, silently'({ proxies: [proxy], processes: [process] }) {
    const [{ freeze, thaw }, cutOff] = [proxy as DatabaseProxy, process as Target]
    cutOff.takesWrites = false
    freeze()
    return async () => {
      thaw()
      cutOff.takesWrites = true
    }
  },

  async 'cut off from all processes'({ proxies }) {
    for (const proxy of proxies) proxy.refuseConnections()
    return async () => {
      for (const proxy of proxies) proxy.open()
    }
  },

  async killed({ cluster, proxies, kill }) {
    await kill()
    return async () => {
      const url = await cluster.startPrimaryAgain()
      for (const proxy of proxies) proxy.routeTo(url)
    }
  },

  async 'killed, and its standby promoted'({ cluster, proxies, processes, kill }) {
    await kill()
    const hasSeen = async (process: Process) =>
      isLast(process, goneMessage, backMessage) ||
      isLast(process, unreadyMessage, readyMessage) ||
      (await isUnready(process))
    const haveAllSeen = async () => (await Promise.all(processes.map(hasSeen))).every(Boolean)
    await untilInTime(haveAllSeen, 'a process has not seen that the primary is gone')
    await cluster.promote()
    // The old primary comes back at the same address: commits there wait for a standby in vain.
    const old = await cluster.startPrimaryAgain()
    for (const proxy of proxies) proxy.routeTo(old)
    return async () => {
      for (const proxy of proxies) {
        proxy.routeTo(cluster.url)
        proxy.refuseConnections()
        proxy.open()
      }
    }
  },
}

/** Plays each fault once, the promotion of the standby last, with this many pairs of a write and an eval in all. */
export async function proveWithoutPrimary(options: Options): Promise<Result> {
  const cluster = await ReplicatedCluster.start({ appliesFirst: true })
  const proxies: DatabaseProxy[] = []
  const processes: Process[] = []
  try {
    await migrate({ url: cluster.url })
    for (let n = 0; n < 2; n++) {
      const proxy = await startDatabaseProxy(cluster.url)
      proxies.push(proxy)
      processes.push(await startProcess(proxy.url, cluster.standbyUrl))
    }
    const tenant = await createTenantIn(cluster.url)
    const raised = await Pairs.prepare(tenant, processes[0]?.url ?? '', writers)
    return await play({ cluster, proxies, processes, tenant, raised }, options)
  } finally {
    await Promise.all(processes.map((process) => process.end('SIGKILL')))
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await cluster.remove()
  }
}

async function startProcess(databaseUrl: string, standbyUrl: string): Promise<Process> {
  const metricsPort = await findFreePort()
  const env = {
    DATABASE_URL: databaseUrl,
    STANDBY_DATABASE_URL: standbyUrl,
    MASTER_KEY: testMasterKey,
    METRICS_PORT: `${metricsPort}`,
    EVAL_RATE_LIMIT_PER_SECOND: '1000000',
    LOG_LEVEL: 'info',
  }
  const log: LogEntry[] = []
  let rest = ''
  const server = await spawnApi(env, (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{')) log.push(JSON.parse(line))
  })
  return { ...server, takesWrites: true, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, log }
}

async function metricOf({ metricsUrl }: Process, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Number(new RegExp(`^entitlements_${name} (\\S+)`, 'm').exec(text)?.[1])
}

/** Also true, without a line in the log, if the last good check is too old because the machine was busy. */
async function isUnready(process: Process): Promise<boolean> {
  return (await metricOf(process, 'standby_unready')) === 1
}

async function play(cast: Participants, { pairs: wanted, faultMs, onProof }: Options): Promise<Result> {
  const { cluster, processes, tenant, raised } = cast
  const share = wanted / (2 * Object.keys(faults).length)
  const tally: Tally = { granted: 0, counted: 0, mayBeLost: 0, mayBeTwice: 0 }
  const result: Result = { proofs: [], findings: [], worstEvalMs: 0, ...tally }

  for (const [fault, inflict] of Object.entries(faults)) {
    await untilInTime(() => areAll(processes, 'standby_unready', 0), 'the standby is not ready')
    const since = Date.now()
    const pairs = new Pairs(tenant, processes, raised)
    await continueFor(pairs, share)
    const kills: KillTimes[] = []
    const end = await inflict({
      ...cast,
      async kill() {
        const [at, time] = [performance.now(), Date.now()]
        await cluster.killPrimary()
        kills.push({ at, time, endedAt: performance.now() })
      },
    })
    const from = performance.now()
    await wait(faultMs)
    const isAnswered = () => (pairs.granted.at(-1)?.from ?? 0) > from
    const wasUnready = () => processes.some((process) => hasLogged(process, unreadyMessage, since))
    const areSomeUnready = async () => (await Promise.all(processes.map(isUnready))).some(Boolean)
    await untilInTime(
      async () => isAnswered() || wasUnready() || (await areSomeUnready()),
      `no eval was answered: ${fault}`,
    )
    const until = performance.now()
    await end()
    await continueFor(pairs, share)
    await pairs.end()

    const refused = pairs.refused.filter((each) => each.until > from)
    const evals = pairs.granted.filter((each) => each.until > from && each.until <= until).length
    const proof = { fault, pairs: pairs.count, evals, refused: refused.length, refusedMs: spanOf(refused) }
    onProof?.(proof)
    result.proofs.push(proof)
    result.worstEvalMs = Math.max(result.worstEvalMs, pairs.worstEvalMs)
    tally.granted += pairs.granted.length
    for (const kill of kills) addRisks(tally, pairs, kill, hadLeft(processes, since, kill))
    result.findings.push(...new Set(pairs.findings))
    await settle(cast, tally).catch((error) => result.findings.push(`${fault}: ${error.message}`))
    if (result.findings.length > 0) break
  }
  await Promise.all(processes.map((process) => process.end('SIGTERM')))
  tally.counted = await readCounted(cluster.url, tenant)
  if (result.findings.length === 0 && !isRight(tally)) result.findings.push(`at the end: ${describe(tally)}`)
  return { ...result, ...tally }
}

/** Whether a process had been without the primary before the kill. */
function hadLeft(processes: readonly Process[], since: number, { time }: KillTimes): boolean {
  return processes.some(({ log }) =>
    log.some((line) => line.msg === goneMessage && lineTime(line) >= since && lineTime(line) < time),
  )
}

/**
 * Adds the evals whose counts are uncertain after a kill. The primary logs a count before the eval is answered, and flushes it
 * before a later write is answered. Without the primary, a process counts in memory. It adds and corrects these counts in the
 * database later, and a kill may undo that too.
 */
function addRisks(
  tally: Tally,
  { granted, refused, written }: Pairs,
  { at, endedAt }: KillTimes,
  hadLeft: boolean,
): void {
  const before = [...granted, ...refused].filter(({ from }) => from < endedAt)
  if (hadLeft || refused.some(({ from }) => from < at)) {
    tally.mayBeLost += before.length
    tally.mayBeTwice += before.length
    return
  }
  const onDisk = Math.max(...written.filter(({ until }) => until < at).map(({ from }) => from))
  tally.mayBeLost += before.filter(({ until }) => until > onDisk).length
}

function isRight({ granted, counted, mayBeLost, mayBeTwice }: Tally): boolean {
  return counted >= granted - mayBeLost && counted <= granted + mayBeTwice
}

function describe({ granted, counted, mayBeLost, mayBeTwice }: Tally): string {
  return `${granted} evals were answered and ${counted} counted; ${mayBeLost} may be lost, ${mayBeTwice} counted twice`
}

/** Resolves once all processes use the primary again, and the database has the right sum, including counts from memory. */
async function settle({ cluster, processes, tenant }: Participants, tally: Tally): Promise<void> {
  const isSettled = async () => {
    const ready = await Promise.all(processes.map(({ url }) => fetch(`${url}/readyz?writes=true`)))
    const haveProcessesRecovered = ready.every(({ ok }) => ok) && (await areAll(processes, 'evals_uncounted', 0))
    tally.counted = await readCounted(cluster.url, tenant)
    return haveProcessesRecovered && isRight(tally)
  }
  await untilInTime(isSettled, () => describe(tally))
}

async function areAll(processes: readonly Process[], metric: string, value: number): Promise<boolean> {
  const values = await Promise.all(processes.map((process) => metricOf(process, metric)))
  return values.every((each) => each === value)
}

function continueFor(pairs: Pairs, more: number): Promise<void> {
  const goal = pairs.count + more
  return untilInTime(() => pairs.count >= goal, 'there are no more pairs')
}

/** The total time during which at least one of the requests was waiting. */
function spanOf(refused: readonly { from: number; until: number }[]): number {
  let [ms, end] = [0, 0]
  for (const { from, until } of refused.toSorted((a, b) => a.from - b.from)) {
    ms += Math.max(0, until - Math.max(from, end))
    end = Math.max(end, until)
  }
  return Math.round(ms)
}

async function readCounted(url: string, { organizationId }: Tenant): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select (day_used + (select coalesce(sum(used), 0) from eval_usage_day u where u.organization_id = c.organization_id))::int as used
         from eval_counter c where organization_id = $1`,
      [organizationId],
    )
    return rows[0].used
  } finally {
    await client.end()
  }
}
