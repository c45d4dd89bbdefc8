/**
 * npm run bench -- growth [--subscribers 1000000] [--entries 5000000] [--data-dir FOLDER] [--only PART,PART]
 * npm run bench -- mixed [--seconds 300]
 * npm run bench -- soak [--minutes 60]
 * npm run bench -- by-hand [--seconds 10]
 * npm run bench -- relay [--seconds 10] [--subscribers 100000] [--products FOLDER]
 * npm run bench -- history
 * npm run bench -- databases [--seconds 10]
 * npm run bench -- reference [--against COMMIT,COMMIT] [--only NAME] [--pairs 6] [--connections 128]
 * npm run bench -- migrations [--rows 1000000] [--seconds 10]
 * npm run bench [-- --seconds 10] [-- --connections 128] [-- --million] [-- --delivery [--only expiry|receivers]] [-- --neighbours] [-- --documents] [-- --people] [-- --writes] [-- --import [--lines 5000]] [-- --evals] [-- --followers] [-- --client] [-- --metrics] [-- --traces] [-- --chain]
 *
 * Measures the service's requests a second, compared with a bare node:http server that answers the same bytes, then the rate of
 * deliveries. The run is invalid and exits with 1 if any answer is not 200, has an unexpected body, or was not counted. An option
 * runs only one part:
 *
 * --delivery: deliveries
 * --neighbours: the other tenants while one does its worst
 * --documents: the worst GraphQL documents
 * --people: the reads for the console in an organization with a million subscribers, on a database that KEEP=1 keeps for --database-url
 * --writes: writes, compared with two commits on the same database
 * --import: imports, compared with bare inserts of the same rows
 * --evals: evals
 * --followers: followers of the changes
 * --client: the client of a product
 * --metrics, --traces: checks while they are counted, or traced
 * --chain: writes while the audit log is chained
 *
 * growth: the effect of a thousand times as much data
 * mixed: evals, writes and deliveries at once
 * soak: whether memory, descriptors, queued events and table sizes are the same at the end as at the start
 * relay: a relay's check from memory, and its memory
 * by-hand: a check and a write, compared with a server written by hand on the same tables
 * migrations: checks while migrations change a large table
 * reference: the processor time of requests, compared with an earlier version
 * databases: one database beside several, and beside Citus
 * history: pages of histories, and explanations of past moments, in a large log
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { newApiKey } from '../../../src/access/api-key.ts'
import { runByHand } from './by-hand.ts'
import { runChain } from './chain.ts'
import { runClient } from './client.ts'
import { startCounting } from './counting.ts'
import { measureDatabases } from './databases/databases.ts'
import { runDelivery } from './delivery.ts'
import { measureDocuments } from './documents.ts'
import { runEvals } from './evals.ts'
import { nextCheck, nextSnapshot } from './exchanges.ts'
import { runFollowers } from './followers.ts'
import { measureGrowth } from './growth/growth.ts'
import { measureHistory } from './history.ts'
import { runLoad } from './http-load.ts'
import { runImport } from './import.ts'
import { runMetrics } from './metrics.ts'
import { measureMigrations } from './migrations.ts'
import { runMixed } from './mixed/mixed.ts'
import { size } from './model.ts'
import { runNeighbours } from './neighbours.ts'
import { measureConsoleReads } from './people.ts'
import { residentMegabytes, type Service, startService } from './processes.ts'
import { measureReference } from './reference/reference.ts'
import { runRelay } from './relay.ts'
import { seedBench } from './seed.ts'
import { runSoak } from './soak.ts'
import { runTraces } from './traces.ts'
import { runWrites } from './writes.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    connections: { type: 'string', default: '128' },
    million: { type: 'boolean', default: false },
    delivery: { type: 'boolean', default: false },
    neighbours: { type: 'boolean', default: false },
    documents: { type: 'boolean', default: false },
    people: { type: 'boolean', default: false },
    'database-url': { type: 'string' },
    writes: { type: 'boolean', default: false },
    evals: { type: 'boolean', default: false },
    followers: { type: 'boolean', default: false },
    client: { type: 'boolean', default: false },
    metrics: { type: 'boolean', default: false },
    traces: { type: 'boolean', default: false },
    chain: { type: 'boolean', default: false },
    subscribers: { type: 'string' },
    entries: { type: 'string', default: '5000000' },
    'data-dir': { type: 'string' },
    only: { type: 'string', default: '' },
    import: { type: 'boolean', default: false },
    lines: { type: 'string', default: '5000' },
    products: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    against: { type: 'string', default: '55af267' },
    pairs: { type: 'string', default: '6' },
  },
})
const connections = Number(options.connections)
const isByHand = positionals[0] === 'by-hand'
const isRelay = positionals[0] === 'relay'
const durationMs = Number(options.seconds ?? (positionals[0] === 'mixed' ? 300 : 10)) * 1000

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  if (positionals[0] === 'growth') for await (const table of measureGrowth(growthOptions(), fail)) console.log(table)
  else if (positionals[0] === 'mixed')
    for await (const part of runMixed({ connections, durationMs }, fail)) console.log(part)
  else if (positionals[0] === 'migrations')
    for await (const line of measureMigrations({ rows: Number(options.rows), durationMs }, fail)) console.log(line)
  else if (positionals[0] === 'reference')
    for await (const table of measureReference({ ...options, connections, pairs: Number(options.pairs) }))
      console.log(table)
  else if (positionals[0] === 'databases') for await (const line of measureDatabases(durationMs)) console.log(line)
  else if (positionals[0] === 'history') for await (const line of measureHistory(fail)) console.log(line)
  else if (positionals[0] === 'soak') for await (const part of runSoak(Number(options.minutes), fail)) console.log(part)
  else if (options.documents) for await (const line of measureDocuments()) console.log(line)
  else if (options.people)
    for await (const line of measureConsoleReads(options['database-url'], fail)) console.log(line)
  else await runOnService()
} catch (error) {
  console.error(`void: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

function fail(): void {
  process.exitCode = 1
}

function growthOptions() {
  const { subscribers, entries, only } = options
  return {
    subscribers: Number(subscribers ?? 1_000_000),
    entries: Number(entries),
    connections,
    durationMs,
    dataDir: options['data-dir'],
    only: only === '' ? [] : only.split(','),
  }
}

async function runOnService(): Promise<void> {
  const service = await startService()
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
  try {
    if (options.import) {
      for await (const line of runImport(service, Number(options.lines))) console.log(line)
      return
    }
    if (!options.delivery) await runSeeded(service, pool)
    const isOnePart = [
      options.million,
      options.neighbours,
      options.writes,
      options.evals,
      options.followers,
      options.client,
      options.metrics,
      options.traces,
      options.chain,
    ]
    if (!isOnePart.includes(true) && !isByHand && !isRelay)
      for await (const line of runDelivery(service, options.only)) console.log(line)
  } finally {
    await pool.end()
    await service.stop()
  }
}

async function runSeeded(service: Service, pool: pg.Pool): Promise<void> {
  const keys = Array.from({ length: size.organizations }, () => newApiKey())
  await seedBench(
    pool,
    keys.map(({ hash }) => hash),
  )
  const texts = keys.map(({ key }) => key)
  if (isByHand) {
    for await (const line of runByHand({ service, keys: texts, connections, durationMs })) console.log(line)
    return
  }
  if (isRelay) {
    const subscribers = Number(options.subscribers ?? 100_000)
    const { products } = options
    for await (const line of runRelay({ service, keys: texts, connections, durationMs, subscribers, products }))
      console.log(line)
    return
  }
  if (options.neighbours) {
    for await (const line of runNeighbours({ service, pool, keys: texts, durationMs })) console.log(line)
    return
  }
  if (options.client) {
    for await (const line of runClient({ service, keys: texts, connections, durationMs })) console.log(line)
    return
  }
  if (options.metrics) {
    for await (const line of runMetrics({ service, keys: texts, connections, durationMs })) console.log(line)
    return
  }
  if (options.traces) {
    for await (const line of runTraces({ service, keys: texts, connections, durationMs })) console.log(line)
    return
  }
  if (options.chain) {
    for await (const line of runChain({ service, pool, keys: texts, connections, durationMs })) console.log(line)
    return
  }
  if (options.followers) {
    for await (const line of runFollowers({ service, keys: texts, connections, durationMs })) console.log(line)
    return
  }
  if (options.million) return runMillion(service, pool, texts)
  if (!options.writes)
    for await (const line of runEvals({ service, pool, keys: texts, connections, durationMs })) console.log(line)
  if (options.evals) return
  for await (const line of runWrites({ service, keys: texts, connections, durationMs })) console.log(line)
}

/** Runs a million evals, one in five a snapshot, and reports the service's memory afterwards. */
async function runMillion(service: Service, pool: pg.Pool, keys: readonly string[]): Promise<void> {
  const counting = await startCounting(pool)
  const next = counting.counted(() => (Math.random() < 0.2 ? nextSnapshot(keys) : nextCheck(keys)))
  const result = await runLoad({ port: service.port, connections, requests: 1_000_000, next })
  await counting.assertCounted()
  const megabytes = await residentMegabytes(service.pid)
  console.log(
    `${result.requests} evals, ${Math.round(result.perSecond)} a second, ${Math.round(megabytes)} MB resident`,
  )
  if (megabytes > 300) throw new Error('more than 300 MB resident')
}
