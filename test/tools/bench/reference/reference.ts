import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../../src/database/embedded.ts'
import { firstOf } from '../evals.ts'
import { againstBare } from '../exchanges.ts'
import { median } from '../growth/line.ts'
import { runLoad } from '../http-load.ts'
import { cpuMilliseconds, root, startBareServer, treeCpuMilliseconds } from '../processes.ts'
import { toColumnTable } from '../table.ts'
import { loopFloor, organizationsOfFloor } from '../writes.ts'
import { type Case, cases, exchangesOfBare } from './cases.ts'
import { checkOut } from './checkout.ts'
import { type Cost, costOf, readCounters } from './counters.ts'
import { prepareVersion, untilDrained, type Version } from './version.ts'

type Options = { against: string; only: string; pairs: number }

/** Settings that would otherwise let PostgreSQL's work for one turn fall into another; each turn begins with a vacuum instead. */
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
  max_connections: '200',
}

const floorConnections = 20
const floorMs = 1_500

type Bench = { postmaster: number; superuser: pg.Pool; reference: Version; current: Version }
/** One turn of each version and, where the case has one, of what is bare. */
type Round = { reference: Cost; current: Cost; bare: Pick<Cost, 'nodeMicros' | 'postgresMicros' | 'perSecond'> | null }

/**
 * Compares this version with an earlier one in one run: each has its own database on one PostgreSQL, and they take turns. Yields
 * the table of a case once it is measured.
 */
export async function* measureReference({ against, only, pairs }: Options): AsyncGenerator<string> {
  const chosen = cases.filter(({ name }) => new RegExp(only).test(name))
  if (chosen.length === 0) throw new Error(`No case matches ${only}: ${cases.map(({ name }) => name).join(', ')}`)
  const { commit, folder } = await checkOut(against)
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
  const prepare = async (name: string, folder: string) => {
    const place = { name, folder, dataDir: join(dataDir, name), server, receiverPort: receiver.port }
    const version = await prepareVersion(place)
    cleanup.defer(() => version.stop())
    return version
  }
  const reference = await prepare(commit, folder)
  const current = await prepare('now', root)
  const bench = { postmaster: await findPostmaster(superuser), superuser, reference, current }
  for (const each of chosen) yield toTable(each, commit, await measureCase(bench, each, pairs))
}

/** PostgreSQL's first process, which all its others are children of. */
async function findPostmaster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  return Number(/PPid:\s+(\d+)/.exec(await readFile(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1])
}

async function measureCase(bench: Bench, each: Case, pairs: number): Promise<Round[]> {
  const { reference, current } = bench
  const bare = await prepareBare(bench, each)
  try {
    // Lets V8 compile what the case runs.
    for (const version of [reference, current]) await takeTurn(bench, each, version)
    const rounds: Round[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const order = pair % 2 === 0 ? [reference, current] : [current, reference]
      const [first, second] = [
        await takeTurn(bench, each, order[0] as Version),
        await takeTurn(bench, each, order[1] as Version),
      ]
      const costs = pair % 2 === 0 ? { reference: first, current: second } : { reference: second, current: first }
      rounds.push({ ...costs, bare: bare && (await bare.measure()) })
    }
    return rounds
  } finally {
    await bare?.stop()
  }
}

/** Measures until the background work of the requests is done. */
async function takeTurn({ superuser, postmaster }: Bench, each: Case, version: Version): Promise<Cost> {
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

type Bare = { measure(): Promise<NonNullable<Round['bare']>>; stop(): Promise<void> }

async function prepareBare(bench: Bench, { name, requests, bare }: Case): Promise<Bare | null> {
  if (bare === 'server') return prepareBareServer(bench.current, name, requests)
  if (bare === 'commits') return prepareCommits(bench)
  return null
}

/** A bare node:http server that answers the same bytes. */
async function prepareBareServer(version: Version, name: string, requests: number): Promise<Bare> {
  const { request, body } = await firstOf(version.port, () => (exchangesOfBare[name] as (v: Version) => never)(version))
  const { port, pid, stop } = await startBareServer(body)
  const load = { port, connections: 128, requests, next: againstBare(request, body) }
  await runLoad(load)
  const measure = async () => {
    const before = await cpuMilliseconds(pid)
    const { perSecond } = await runLoad(load)
    return { nodeMicros: (((await cpuMilliseconds(pid)) - before) * 1000) / requests, postgresMicros: 0, perSecond }
  }
  return { measure, stop }
}

/** Two bare commits on the reference's tables, so that they remain the same when the tables change. */
async function prepareCommits({ reference: { pool }, postmaster }: Bench): Promise<Bare> {
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

const columns = [
  'node µs',
  'PostgreSQL µs',
  'both',
  'bare / both',
  'statements',
  'WAL bytes',
  'bytes read, written',
  'a second',
  'p50 ms',
  'p99 ms',
  'MB',
]

type Times = Pick<Cost, 'nodeMicros' | 'postgresMicros'>
const both = ({ nodeMicros, postgresMicros }: Times) => nodeMicros + postgresMicros

/** Medians of the rounds, and the ratio of the processor times with its quartiles: above 1, this version takes less. */
function toTable({ name, bare }: Case, commit: string, rounds: readonly Round[]): string {
  const figure = (value: number, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '')
  const row = (title: string, costs: readonly Partial<Cost>[]) => {
    const middle = (of: (cost: Cost, round: number) => number) =>
      median(costs.map((cost, round) => of(cost as Cost, round)))
    const ofBare = middle(
      (cost, round) => both(rounds[round]?.bare ?? { nodeMicros: Number.NaN, postgresMicros: 0 }) / both(cost),
    )
    return [
      title,
      figure(middle(({ nodeMicros }) => nodeMicros)),
      figure(middle(({ postgresMicros }) => postgresMicros)),
      figure(middle(both)),
      figure(ofBare, 3),
      figure(
        middle(({ statements }) => statements),
        2,
      ),
      figure(middle(({ walBytes }) => walBytes)),
      figure(middle(({ ioBytes }) => ioBytes)),
      figure(middle(({ perSecond }) => perSecond)),
      figure(
        middle(({ p50Ms }) => p50Ms),
        2,
      ),
      figure(
        middle(({ p99Ms }) => p99Ms),
        2,
      ),
      figure(middle(({ megabytes }) => megabytes)),
    ]
  }
  const rows = [
    row(
      commit,
      rounds.map(({ reference }) => reference),
    ),
    row(
      'now',
      rounds.map(({ current }) => current),
    ),
  ]
  if (bare)
    rows.push(
      row(
        bare === 'server' ? 'bare server' : 'two commits',
        rounds.map(({ bare }) => bare ?? {}),
      ),
    )
  return `${toColumnTable([name, ...columns], rows)}\n\n${name}: ${toRatio(rounds)}\n`
}

function toRatio(rounds: readonly Round[]): string {
  const ratioOf = (of: (times: Cost) => number) => {
    const ratios = rounds.map(({ reference, current }) => of(reference) / of(current)).sort((one, other) => one - other)
    const at = (share: number) => (ratios[Math.round(share * (ratios.length - 1))] as number).toFixed(3)
    return `${median(ratios).toFixed(3)} (${at(0)} to ${at(1)})`
  }
  const parts = [
    `ratio ${ratioOf(both)}`,
    `node ${ratioOf(({ nodeMicros }) => nodeMicros)}`,
    `PostgreSQL ${ratioOf(({ postgresMicros }) => postgresMicros)}`,
    `memory ${ratioOf(({ megabytes }) => megabytes)}`,
  ]
  return parts.join('; ')
}
