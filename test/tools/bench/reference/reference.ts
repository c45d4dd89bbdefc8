import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../../src/database/embedded.ts'
import { firstOf } from '../evals.ts'
import { exchangeWithBareServer } from '../exchanges.ts'
import { median } from '../growth/line.ts'
import { runLoad } from '../http-load.ts'
import { cpuMilliseconds, root, startBareServer, treeCpuMilliseconds } from '../processes.ts'
import { toColumnTable } from '../table.ts'
import { loopFloor, organizationsOfFloor } from '../writes.ts'
import { bareServerExchanges, type Case, casesForConnections, type NextExchange } from './cases.ts'
import { checkOut } from './checkout.ts'
import { type Cost, costOf, readCounters } from './counters.ts'
import { prepareVersion, untilDrained, type Version } from './version.ts'

/** `against`: commits, with commas between them. `only`: a regular expression. */
type Options = { against: string; only: string; pairs: number; connections: number }

/** No vacuum or checkpoint that one turn has caused may slow another turn. Each turn begins with a vacuum instead. */
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
  max_connections: '1000',
}

const floorConnections = 20
const floorMs = 1_500

/** `versions`: the earlier ones, then this one. */
type Bench = { postmaster: number; superuser: pg.Pool; versions: readonly Version[]; connections: number }
type BareServerCost = Pick<Cost, 'nodeMicros' | 'postgresMicros' | 'perSecond'>
/** One turn of each version and, where the case has one, of the bare server. */
type Round = { costs: readonly Cost[]; bare: BareServerCost | null }

/**
 * Compares this version with earlier ones in one run: each has its own database on one PostgreSQL, and they take turns. Yields
 * the table of a case once it is measured.
 */
export async function* measureReference({ against, only, pairs, connections }: Options): AsyncGenerator<string> {
  const cases = casesForConnections(connections)
  const chosen = cases.filter(({ name }) => new RegExp(only).test(name))
  if (chosen.length === 0) throw new Error(`No case matches ${only}: ${cases.map(({ name }) => name).join(', ')}`)
  const checkouts: { name: string; folder: string }[] = []
  for (const commit of against.split(',')) checkouts.push(await checkOut(commit))
  checkouts.push({ name: 'now', folder: root })

  const dataDir = join(tmpdir(), `entitlements-bench-reference-${process.pid}`)
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({ dataDir, log: console.error, settings })
  cleanup.defer(() => server.stop())
  const superuser = new pg.Pool({ connectionString: server.superuserUrl, max: 1 })
  cleanup.defer(() => superuser.end())
  await superuser.query('create extension pg_stat_statements')
  const receiver = await startBareServer('')
  cleanup.defer(() => receiver.stop())
  const versions: Version[] = []
  for (const checkout of checkouts) {
    const ownDir = join(dataDir, checkout.name)
    const version = await prepareVersion({ ...checkout, dataDir: ownDir, server, receiverPort: receiver.port })
    cleanup.defer(() => version.stop())
    versions.push(version)
  }
  const bench = { postmaster: await findPostmaster(superuser), superuser, versions, connections }
  for (const each of chosen) yield toTable(each, versions, await measureCase(bench, each, pairs))
}

/** PostgreSQL's main process, the parent of all others. */
async function findPostmaster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  return Number(/PPid:\s+(\d+)/.exec(await readFile(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1])
}

async function measureCase(bench: Bench, each: Case, pairs: number): Promise<Round[]> {
  const { versions } = bench
  const bare = await prepareBare(bench, each)
  try {
    // Lets V8 compile the code that the case runs.
    for (const version of versions) await measureTurn(bench, each, version)
    const rounds: Round[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const costs: Cost[] = []
      // Alternate the order: the first turn may find the machine in another state.
      for (const version of pair % 2 === 0 ? versions : versions.toReversed())
        costs[versions.indexOf(version)] = await measureTurn(bench, each, version)
      rounds.push({ costs, bare: bare && (await bare.measure()) })
    }
    return rounds
  } finally {
    await bare?.stop()
  }
}

/** Measures the requests of a case, including their background work. */
async function measureTurn({ superuser, postmaster }: Bench, each: Case, version: Version): Promise<Cost> {
  const warmUp = Math.ceil(each.requests / 4)
  await each.prepare?.(version, each.requests + warmUp)
  if (each.requests > 100) await each.run(version, warmUp)
  await untilDrained(version)
  await version.pool.query('vacuum analyze')
  const before = await readCounters({ ...version, postmaster, superuser })
  const timed = await each.run(version, each.requests)
  await untilDrained(version)
  return costOf(before, await readCounters({ ...version, postmaster, superuser }), timed)
}

type PreparedBare = { measure(): Promise<BareServerCost>; stop(): Promise<void> }

async function prepareBare(
  { versions, postmaster, connections }: Bench,
  { name, requests, bare }: Case,
): Promise<PreparedBare | null> {
  const reference = versions[0] as Version
  if (bare === 'server')
    return prepareBareServer(reference, bareServerExchanges[name] as NextExchange, { requests, connections })
  if (bare === 'commits') return prepareCommits(reference.pool, postmaster)
  return null
}

/** Starts a bare node:http server that answers the same bytes. */
async function prepareBareServer(
  version: Version,
  next: NextExchange,
  { requests, connections }: { requests: number; connections: number },
): Promise<PreparedBare> {
  const { request, body } = await firstOf(version.port, () => next(version))
  const { port, pid, stop } = await startBareServer(body)
  const load = { port, connections, requests, next: exchangeWithBareServer(request, body) }
  await runLoad(load)
  const measure = async () => {
    const before = await cpuMilliseconds(pid)
    const { perSecond } = await runLoad(load)
    return { nodeMicros: (((await cpuMilliseconds(pid)) - before) * 1000) / requests, postgresMicros: 0, perSecond }
  }
  return { measure, stop }
}

/** Two bare commits on the reference's tables, so that they remain the same when the tables change. */
async function prepareCommits(pool: pg.Pool, postmaster: number): Promise<PreparedBare> {
  const ids = await organizationsOfFloor(pool)
  await loopFloor(pool, ids, floorConnections, floorMs)
  const measure = async () => {
    const [before, ownBefore] = [await treeCpuMilliseconds(postmaster), process.cpuUsage()]
    const { requests, perSecond } = await loopFloor(pool, ids, floorConnections, floorMs)
    const own = process.cpuUsage(ownBefore)
    const postgresMs = (await treeCpuMilliseconds(postmaster)) - before
    return { nodeMicros: (own.user + own.system) / requests, postgresMicros: (postgresMs * 1000) / requests, perSecond }
  }
  return { measure, stop: async () => {} }
}

const both = ({ nodeMicros, postgresMicros }: Pick<Cost, 'nodeMicros' | 'postgresMicros'>) =>
  nodeMicros + postgresMicros

/** The columns, each with its figure of a turn and the digits to show. */
const columns: readonly [string, (cost: Cost, bare: BareServerCost | null) => number, number][] = [
  ['node µs', ({ nodeMicros }) => nodeMicros, 0],
  ['PostgreSQL µs', ({ postgresMicros }) => postgresMicros, 0],
  ['both', both, 0],
  ['bare / both', (cost, bare) => (bare ? both(bare) / both(cost) : Number.NaN), 3],
  ['statements', ({ statements }) => statements, 2],
  ['WAL bytes', ({ walBytes }) => walBytes, 0],
  ['bytes read, written', ({ ioBytes }) => ioBytes, 0],
  ['a second', ({ perSecond }) => perSecond, 0],
  ['p50 ms', ({ p50Ms }) => p50Ms, 2],
  ['p99 ms', ({ p99Ms }) => p99Ms, 2],
  ['MB', ({ megabytes }) => megabytes, 0],
]

/** Medians of the rounds; below them, the ratios of each earlier version to this one. */
function toTable({ name, bare }: Case, versions: readonly Version[], rounds: readonly Round[]): string {
  const row = (title: string, costOf: (round: Round) => Cost) => [
    title,
    ...columns.map(([, of, digits]) => {
      const value = median(rounds.map((round) => of(costOf(round), round.bare)))
      return Number.isFinite(value) ? value.toFixed(digits) : ''
    }),
  ]
  const rows = versions.map((version, index) => row(version.name, ({ costs }) => costs[index] as Cost))
  if (bare) rows.push(row(bare === 'server' ? 'bare server' : 'two commits', (round) => round.bare as Cost))
  const ratios = versions.slice(0, -1).map((version, index) => `${version.name} / now: ${toRatios(rounds, index)}`)
  return [toColumnTable([name, ...columns.map(([column]) => column)], rows), '', ...ratios, ''].join('\n')
}

/** The median and, in parentheses, the lowest and the highest. A ratio above 1 means that this version takes less. */
function toRatios(rounds: readonly Round[], index: number): string {
  const ratioOf = (of: (cost: Cost) => number) => {
    const ratios = rounds.map(({ costs }) => of(costs[index] as Cost) / of(costs.at(-1) as Cost))
    const [middle, lowest, highest] = [median(ratios), Math.min(...ratios), Math.max(...ratios)]
    return `${middle.toFixed(3)} (${lowest.toFixed(3)} to ${highest.toFixed(3)})`
  }
  return [
    `both ${ratioOf(both)}`,
    `node ${ratioOf(({ nodeMicros }) => nodeMicros)}`,
    `PostgreSQL ${ratioOf(({ postgresMicros }) => postgresMicros)}`,
    `MB ${ratioOf(({ megabytes }) => megabytes)}`,
  ].join(', ')
}
