/** `npm run bench -- mixed`: the load of products, people and the worker at once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { newApiKey } from '../../../../src/access/api-key.ts'
import { startEmbeddedPostgres } from '../../../../src/database/embedded.ts'
import { migrate } from '../../../../src/database/migrate.ts'
import { setCatalogBytes } from '../../../support/catalog-bytes.ts'
import { type Exchange, runLoad } from '../http-load.ts'
import { size } from '../model.ts'
import { type ServiceHalf, startBareServer, startHalf } from '../processes.ts'
import { seedBench } from '../seed.ts'
import { putWebhook } from '../writes.ts'
import { heapMegabytes, sampleResident } from './memory.ts'
import { type Kind, kinds, mix, nextOf } from './mixture.ts'
import { describeMixedLoad, type HalfMemory, type Mixed, type Round } from './report.ts'

const rounds = 5

type MixedOptions = { connections: number; durationMs: number }

export type Running = { api: ServiceHalf; worker: ServiceHalf; pool: pg.Pool; keys: readonly string[] }

/** Yields tables to print; calls `isBroken` when a target is missed. */
export async function* runMixed(options: MixedOptions, isBroken: () => void): AsyncGenerator<string> {
  await using cleanup = new AsyncDisposableStack()
  yield describeMixedLoad(await measureMixed(await startMixed(cleanup), options), isBroken)
}

/**
 * Runs API and worker as separate processes, 200 organizations with a webhook each, and a receiver that answers 200.
 * `cleanup` ends all of it.
 */
export async function startMixed(cleanup: AsyncDisposableStack): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entitlements-mixed-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const keys = Array.from({ length: size.organizations }, () => newApiKey())
  await seed(dataDir, keys)
  const { url: databaseUrl, stop } = await startEmbeddedPostgres({ dataDir, log: console.error })
  cleanup.defer(stop)
  const receiver = await startBareServer('')
  cleanup.defer(receiver.stop)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  cleanup.defer(() => pool.end())
  const api = await startHalf('api', { databaseUrl, dataDir })
  cleanup.defer(api.stop)
  const worker = await startHalf('worker', { databaseUrl, dataDir })
  cleanup.defer(worker.stop)
  for (const { key } of keys) await putWebhook(api, key, `http://127.0.0.1:${receiver.port}`)
  return { api, worker, pool, keys: keys.map(({ key }) => key) }
}

/** Fills the database with settings that make this faster; the load later runs with the service's settings. */
async function seed(dataDir: string, keys: readonly { hash: Buffer }[]): Promise<void> {
  const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB' }
  const { url, superuserUrl, stop } = await startEmbeddedPostgres({ dataDir, log: console.error, settings })
  // Without triggers, because the rows' references are valid.
  const options = '-c session_replication_role=replica'
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 1, options })
  // The server may close the connection before the pool does.
  pool.on('error', () => {})
  try {
    await migrate({ url })
    await seedBench(
      pool,
      keys.map(({ hash }) => hash),
    )
    const { rows } = await pool.query<{ id: string }>('select organization_id as id from organization')
    for (const { id } of rows) await setCatalogBytes(pool, id)
  } finally {
    await pool.end()
    await stop()
  }
}

async function measureMixed(running: Running, { connections, durationMs }: MixedOptions): Promise<Mixed> {
  const { api, worker, pool } = running
  const load = { port: api.port, connections }
  const next = nextOf(running.keys)
  const rounds = await measureRounds(next, { ...load, durationMs: durationMs / 60 })
  await untilDelivered(pool)

  const heapBefore = await heapsOf(running)
  const [ofApi, ofWorker] = [sampleResident(api.pid), sampleResident(worker.pid)]
  const depths = sampleDepth(pool)
  const mixed = mix(next)
  const { perSecond } = await runLoad({ ...load, durationMs, next: mixed.next })
  const endedAt = performance.now()
  for (const sampling of [ofApi, ofWorker, depths]) sampling.stop()
  const depthAtEnd = await countQueuedEvents(pool)
  await untilDelivered(pool)
  const emptyMs = performance.now() - endedAt
  const heapAfter = await heapsOf(running)

  const memoryOf = (name: string, samples: number[], at: 0 | 1): HalfMemory => {
    return { name, resident: samples, heapBefore: heapBefore[at], heapAfter: heapAfter[at] }
  }
  return {
    seconds: durationMs / 1000,
    perSecond,
    rounds,
    latencies: mixed.latencies,
    memory: [memoryOf('API', ofApi.samples, 0), memoryOf('worker', ofWorker.samples, 1)],
    depths: depths.samples,
    depthAtEnd,
    emptyMs,
  }
}

type RoundLoad = { port: number; connections: number; durationMs: number }

/** Measures each kind alone and all mixed, alternately, so that other work of the machine slows all of them. */
async function measureRounds(next: Record<Kind, () => Exchange>, load: RoundLoad): Promise<Round[]> {
  for (const kind of kinds) await runLoad({ ...load, next: next[kind] })
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = { check: 0, snapshot: 0, write: 0 }
    for (const kind of kinds) alone[kind] = (await runLoad({ ...load, next: next[kind] })).perSecond
    const { next: nextMixed, latencies } = mix(next)
    const { perSecond, requests } = await runLoad({ ...load, next: nextMixed })
    const rateOf = (kind: Kind) => (perSecond * latencies[kind].length) / requests
    measured.push({ alone, mixed: { check: rateOf('check'), snapshot: rateOf('snapshot'), write: rateOf('write') } })
    console.error(JSON.stringify(measured.at(-1)))
  }
  return measured
}

async function heapsOf({ api, worker }: Running): Promise<[number, number]> {
  return [await heapMegabytes(api), await heapMegabytes(worker)]
}

function sampleDepth(pool: pg.Pool): { samples: number[]; stop: () => void } {
  const samples: number[] = []
  const timer = setInterval(async () => void samples.push(await countQueuedEvents(pool)), 1000)
  return { samples, stop: () => clearInterval(timer) }
}

export async function countQueuedEvents(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int as queued from webhook_event where state = 'queued'`)
  return rows[0].queued
}

export async function untilDelivered(pool: pg.Pool): Promise<void> {
  const giveUpAt = performance.now() + 300_000
  while ((await countQueuedEvents(pool)) > 0) {
    if (performance.now() > giveUpAt) throw new Error('events are still queued after five minutes')
    await wait(50)
  }
}
