/**
 * `npm run bench -- databases`: compares one database with two that each have their own organizations, and with Citus
 * (decision 53). Uses PostgreSQL 15 if CITUS_CLUSTER names a script that starts such servers, with and without Citus; else
 * embedded servers, without Citus.
 */
import { execFile, execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { newApiKey } from '../../../../src/access/api-key.ts'
import { nextCheck, nextPut } from '../exchanges.ts'
import { median } from '../growth/line.ts'
import { type Exchange, type LoadResult, runLoad } from '../http-load.ts'
import { size } from '../model.ts'
import { type Service, startService } from '../processes.ts'
import { seedBench } from '../seed.ts'
import { toColumnTable } from '../table.ts'
import { startBackendTime } from './backend-time.ts'
import { type Citus, startCitus } from './citus.ts'

const rounds = 3
const connections = 64
const aim = 0.3
/** Puts are for the subscribers from this number on, so that the answers of checks do not change. */
const firstPut = size.subscribers / 2

/** The figures of one round of one variant; without `puts` if the variant has no writes. */
type Measurement = { checks: number; puts?: number; aloneMs: number; cpuMicros: number }
type Candidate = { name: string; measure(): Promise<Measurement> }
type Group = { service: Service; pool: pg.Pool; keys: readonly string[] }

/** Yields lines to print. */
export async function* measureDatabases(durationMs: number): AsyncGenerator<string> {
  await using stack = new AsyncDisposableStack()
  const cluster = process.env.CITUS_CLUSTER
  const server = (name: string, kind: string) =>
    cluster === undefined ? Promise.resolve(undefined) : startCluster(stack, cluster, name, kind)
  const groups = [
    await startGroup(stack, await server('one', 'plain')),
    await startGroup(stack, await server('other', 'plain')),
  ]
  const citusUrl = await server('citus', '2')
  const citus = citusUrl === undefined ? null : await startCitus(citusUrl)
  if (citus === null) yield 'Citus is left out: CITUS_CLUSTER names no script that starts a cluster.\n'
  else stack.defer(() => citus.stop())

  const ways: Candidate[] = [
    { name: 'one database', measure: () => measureGroups(groups.slice(0, 1), durationMs) },
    { name: 'two, each with its organizations', measure: () => measureGroups(groups, durationMs) },
    ...(citus?.ways ?? []).map(({ name, check }) => ({
      name,
      measure: () => measureCitus(citus as Citus, check, durationMs),
    })),
  ]
  // The first run only warms up: catalogs are read, and statements prepared.
  for (const { measure } of ways) await measure()
  const measured = ways.map((): Measurement[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, way] of ways.entries()) measured[index]?.push(await way.measure())
  await citus?.assertCounted()
  yield toTable(ways, measured)
}

function toTable(ways: readonly Candidate[], measured: readonly Measurement[][]): string {
  const ofAll = (all: readonly Measurement[], figure: (each: Measurement) => number) => median(all.map(figure))
  const plain = ofAll(measured[0] ?? [], ({ cpuMicros }) => cpuMicros)
  const rows = ways.map(({ name }, index) => {
    const all = measured[index] ?? []
    const cpu = ofAll(all, ({ cpuMicros }) => cpuMicros)
    const puts = all.every(({ puts }) => puts !== undefined) ? ofAll(all, ({ puts }) => puts as number).toFixed(0) : '–'
    const [checks, aloneMs] = [ofAll(all, ({ checks }) => checks), ofAll(all, (each) => each.aloneMs)]
    return [name, checks.toFixed(0), puts, aloneMs.toFixed(1), cpu.toFixed(0), (plain / cpu).toFixed(2)]
  })
  const columns = ['', 'checks/s', 'puts/s', 'check alone, ms', "databases' µs for a check", 'checks for their time']
  return `${toColumnTable(columns, rows)}\n\nthe last column: compared with one database; a second form of the gate needed ${aim}`
}

/** Loads all groups at once, with as many connections in total as a single group has. */
async function measureGroups(groups: readonly Group[], durationMs: number): Promise<Measurement> {
  const run = (next: (keys: readonly string[]) => Exchange, times: { durationMs: number; connections: number }) =>
    Promise.all(groups.map(({ service, keys }) => runLoad({ ...times, port: service.port, next: () => next(keys) })))
  const many = { durationMs, connections: connections / groups.length }
  const readCpuMs = await startBackendTime(groups.map(({ pool }) => pool))
  const checks = await run((keys) => nextCheck(keys, firstPut), many)
  const cpuMs = await readCpuMs()
  const puts = await run((keys) => nextPut(keys, firstPut), many)
  const alone = await runLoad({
    port: groups[0]?.service.port as number,
    connections: 1,
    durationMs: durationMs / 4,
    next: () => nextCheck(groups[0]?.keys ?? [], firstPut),
  })
  const sum = (results: LoadResult[], figure: 'requests' | 'perSecond') =>
    results.reduce((total, result) => total + result[figure], 0)
  return {
    checks: sum(checks, 'perSecond'),
    puts: sum(puts, 'perSecond'),
    aloneMs: alone.p50Ms,
    cpuMicros: (cpuMs * 1000) / sum(checks, 'requests'),
  }
}

async function measureCitus(citus: Citus, check: () => Promise<void>, durationMs: number): Promise<Measurement> {
  const readCpuMs = await startBackendTime(citus.nodes)
  const many = await runChecks(check, connections, durationMs)
  const cpuMs = await readCpuMs()
  const alone = await runChecks(check, 1, durationMs / 4)
  return {
    checks: many.length / (durationMs / 1000),
    aloneMs: median(alone),
    cpuMicros: (cpuMs * 1000) / many.length,
  }
}

/** The milliseconds of each check. */
async function runChecks(check: () => Promise<void>, callers: number, durationMs: number): Promise<number[]> {
  const times: number[] = []
  const endsAt = performance.now() + durationMs
  const runCaller = async () => {
    for (let sentAt = performance.now(); sentAt < endsAt; sentAt = performance.now()) {
      await check()
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, runCaller))
  return times
}

async function startGroup(stack: AsyncDisposableStack, server: string | undefined): Promise<Group> {
  const service = await startService(server)
  stack.defer(() => service.stop())
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
  stack.defer(() => pool.end())
  const keys = Array.from({ length: size.organizations }, () => newApiKey())
  await seedBench(
    pool,
    keys.map(({ hash }) => hash),
  )
  return { service, pool, keys: keys.map(({ key }) => key) }
}

let nextPort = 15_800

/**
 * The superuser's URL of a new cluster, which is removed with the stack. Commits wait for the disk only in a cluster of the
 * kind `plain`.
 */
async function startCluster(stack: AsyncDisposableStack, script: string, name: string, kind: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), `databases-${name}-`))
  // The folder's owner is another user of the machine.
  await chmod(parent, 0o755)
  const folder = join(parent, 'cluster')
  const end = () => {
    execFileSync(script, ['stop', folder])
    rmSync(parent, { recursive: true })
  }
  // An interrupted bench must leave nothing behind.
  process.once('exit', end)
  stack.defer(() => {
    process.off('exit', end)
    end()
  })
  const settings = kind === 'plain' ? '' : 'synchronous_commit = off'
  const env = { ...process.env, CITUS_PORT: `${nextPort}`, CITUS_SETTINGS: settings }
  nextPort += 10
  const { stdout } = await promisify(execFile)(script, ['start', folder, kind], { env })
  const url = new URL(stdout.trim())
  url.username = 'postgres'
  return url.href
}
