import type pg from 'pg'
import { startCounting } from './counting.ts'
import {
  exchangeWithBareServer,
  nextCheck,
  nextChecks,
  nextFlag,
  nextFlags,
  nextPut,
  nextSigned,
  nextSnapshot,
  nextUnchanged,
} from './exchanges.ts'
import { type Exchange, runLoad } from './http-load.ts'
import { size } from './model.ts'
import { cpuMilliseconds, residentMegabytes, type Service, startBareServer } from './processes.ts'
import { type Row, toTable } from './table.ts'

type Options = {
  service: Service
  pool: pg.Pool
  keys: readonly string[]
  connections: number
  durationMs: number
}

/** A check of 100 features must cost less than this many checks of one. */
const aimOfHundred = 2

/** A flag of OFREP must reach this part of the rate of a check. */
const aimOfFlag = 0.8

const warmUpEvals = 30_000

/** Measures checks, snapshots and one write, each against both servers. Yields lines to print. */
export async function* runEvals(options: Options): AsyncGenerator<string> {
  const { pool, keys } = options
  const counting = await startCounting(pool)
  const measureEval = (name: string, next: () => Exchange) => measure(options, name, counting.counted(next))
  // Lets V8 compile before the first figure, because rows are compared with each other.
  const kinds = [nextSnapshot, nextCheck, nextFlags]
  const warmUp = counting.counted(() => (kinds[Math.floor(Math.random() * kinds.length)] as typeof nextCheck)(keys))
  await runLoad({ port: options.service.port, connections: options.connections, requests: warmUpEvals, next: warmUp })
  const check = await measureEval('check', () => nextCheck(keys))
  const flag = await measureEval('a flag of OFREP', () => nextFlag(keys))
  const checks = await measureEval(`check of ${size.features}`, () => nextChecks(keys))
  const snapshot = await measureEval(`snapshot of ${size.features}`, () => nextSnapshot(keys))
  const tags = new Map<string, string>()
  const unchanged = await measureEval('the same, unchanged', () => nextUnchanged(keys, tags))
  const signed = await measureEval('the same, signed', () => nextSigned(keys))
  const flags = await measureEval(`${size.features} flags of OFREP`, () => nextFlags(keys))
  await counting.assertCounted()
  // The write comes last, because it changes the answers of evals.
  const write = await measure(options, 'put override', () => nextPut(keys))
  yield toTable([check, flag, checks, snapshot, unchanged, signed, flags, write])
  yield `flags of OFREP reach ${(flag.service.perSecond / check.service.perSecond).toFixed(2)} of the rate of checks, and all flags ${(flags.service.perSecond / snapshot.service.perSecond).toFixed(2)} of that of snapshots; aim: ${aimOfFlag}`
  const times = (checks.nodeMicros + checks.postgresMicros) / (check.nodeMicros + check.postgresMicros)
  const slower = check.service.perSecond / checks.service.perSecond
  yield `${size.features} features in one check cost ${times.toFixed(2)} times the CPU of one, at ${slower.toFixed(2)} of the time; aim: less than ${aimOfHundred}`
}

async function measure(
  { service, pool, connections, durationMs }: Options,
  name: string,
  next: () => Exchange,
): Promise<Row> {
  const load = { port: service.port, connections, durationMs, next }
  await runLoad({ ...load, durationMs: durationMs / 2 })
  const before = await cpuOf(service, pool)
  const result = await runLoad(load)
  const after = await cpuOf(service, pool)
  const microsOf = (process: 'node' | 'postgres') => ((after[process] - before[process]) * 1000) / result.requests
  const megabytes = await residentMegabytes(service.pid)

  const { request, body } = await firstOf(service.port, next)
  const bare = await startBareServer(body)
  try {
    const bareLoad = { ...load, port: bare.port, next: exchangeWithBareServer(request, body) }
    await runLoad({ ...bareLoad, durationMs: durationMs / 2 })
    const bareResult = await runLoad(bareLoad)
    return {
      name,
      service: result,
      bare: bareResult,
      megabytes,
      nodeMicros: microsOf('node'),
      postgresMicros: microsOf('postgres'),
    }
  } finally {
    await bare.stop()
  }
}

/** Processor milliseconds of the service's process, and of PostgreSQL's processes for it. */
export async function cpuOf({ pid }: Service, pool: pg.Pool): Promise<{ node: number; postgres: number }> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
  const each = await Promise.all(rows.map((row) => cpuMilliseconds(row.pid)))
  return { node: await cpuMilliseconds(pid), postgres: each.reduce((sum, ms) => sum + ms, 0) }
}

/** The first request with its answer, which the bare server repeats. */
export async function firstOf(port: number, next: () => Exchange): Promise<{ request: string; body: string }> {
  const exchange = next()
  let body = ''
  const faultOf: Exchange['faultOf'] = (status, answered, head) => {
    body = answered
    return exchange.faultOf(status, answered, head)
  }
  await runLoad({ port, connections: 1, requests: 1, next: () => ({ ...exchange, faultOf }) })
  return { request: exchange.request, body }
}
