import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createOwnDatabase } from '../support/own-database.ts'
import { untilOthersWaitFor } from '../support/race.ts'
import { defaultSeed, seededRandom } from '../support/seeded-random.ts'
import { pgbouncerVersion, spawnPgbouncer } from '../support/spawn-pgbouncer.ts'
import { spawnApi } from '../support/spawn-service.ts'
import { Tenants } from '../support/tenants.ts'
import { checkResults } from '../tools/faults/check-results.ts'
import { checkDeliveries } from '../tools/faults/deliveries.ts'
import { checkJobs } from '../tools/faults/jobs.ts'
import { Load } from '../tools/faults/load.ts'
import { createTenant } from '../tools/faults/tenant.ts'
import { Client } from './ask.ts'
import { createSequenceObjects } from './kinds.ts'
import { PairSequence } from './pair-sequence.ts'
import { runPairs } from './run-pairs.ts'
import { startProcesses } from './start.ts'

const title = pgbouncerVersion
  ? `two API and two worker processes behind PgBouncer ${pgbouncerVersion}`
  : 'several processes behind PgBouncer, which is not installed here'

/** Fewer than the processes' connections to PgBouncer, so that each carries transactions of all processes in turn. */
const serverConnections = 12
const direct = await createOwnDatabase()

const acme = '/org/subscribers/acme/overrides/seats'

describe.runIf(pgbouncerVersion)(title, () => {
  it('processes behind PgBouncer lose, repeat and mix up nothing under load, including one that starts and stops meanwhile', async () => {
    const { tenants, urls, env, pool, pgbouncer, log } = await startShared()
    const { load, close } = await startLoad(tenants, urls, 8)
    const late = await spawnApi(env, (text) => log.push(text))

    const pairs = runPairs({ urls: [...urls, late.url], env, pairs: 100 })
    const [{ stale }] = await Promise.all([pairs, load.goodWritesAfter(100)])
    await late.end('SIGTERM')
    await load.end()

    const { findings, lost } = await checkResults(pool, load)
    const deliveries = await checkDeliveries(pool, load, false)
    expect([...stale, ...load.findings, ...findings, ...deliveries.findings, ...(await checkJobs(pool))]).toEqual([])
    expect({ lost, lostEvents: deliveries.lost }).toEqual({ lost: 0, lostEvents: 0 })
    // The load also sends requests that are refused, and a slow machine refuses more; some tenants use up their evals on
    // purpose.
    const expected = /timeout|in time|of its evals for this month|a request was refused|a slow request/
    const processes = log
      .join('')
      .split('\n')
      .filter((line) => line !== '' && !expected.test(line))
    expect({ processes, pgbouncer: pgbouncer.troubles() }).toEqual({ processes: [], pgbouncer: [] })
    await close()
  })

  it('processes behind PgBouncer refuse a write that waits too long, and let other organizations write', async () => {
    const { tenants, urls } = await startShared()
    const { load, close } = await startLoad(tenants, urls, 4)
    const { put, lock } = await createSequence()
    const { unlock, untilWaiting } = await lock()

    const late = put(urls[0], 1)
    await untilWaiting()
    const first = await Promise.race([late, load.goodWritesAfter(5).then(() => 'others go on')])

    expect(first).toBe('others go on')
    expect(await late).toMatchObject({ status: 503 })
    await unlock()
    expect(await put(urls[0], 2)).toMatchObject({ status: 200 })
    await load.end()
    await close()
  })

  it('processes behind PgBouncer leave no transaction of a process that was killed in the middle of one', async () => {
    const { urls, apis } = await startShared()
    const { sequence, put, lock } = await createSequence()
    const { unlock, untilWaiting } = await lock()

    const cut = put(urls[0], 1).catch(() => 'cut')
    await untilWaiting()
    await apis[0]?.end('SIGKILL')
    expect(await cut).toBe('cut')
    await unlock()

    expect(await sequence.evaluate(urls[1])).toBe('5 plan')
    expect(await put(urls[1], 2)).toMatchObject({ status: 200 })
    expect(await sequence.evaluate(urls[1])).toBe('2 override')
  })
})

type Stage = Awaited<ReturnType<typeof start>>
let started: Promise<Stage> | undefined

afterAll(async () => {
  if (!started) return
  const { close, pgbouncer, tenants, client, pool } = await started
  await close()
  await pgbouncer.stop()
  await Promise.all([tenants.close(), client.close(), pool.end()])
})

/** The processes; all tests share them. */
function startShared(): Promise<Stage> {
  started ??= start()
  return started
}

async function start() {
  const pgbouncer = await spawnPgbouncer(direct, { serverConnections })
  const log: string[] = []
  // No setting says that the pooler keeps no named statements: the processes must find out.
  const own = { DATABASE_DIRECT_URL: direct, LOG_LEVEL: 'warn' }
  const processes = await startProcesses(pgbouncer.url, own, (text) => log.push(text))
  const [one, two] = processes.apis.map(({ url }) => url) as [string, string]
  const pool = new pg.Pool({ connectionString: direct, max: 3 })
  return {
    ...processes,
    pgbouncer,
    log,
    urls: [one, two] as const,
    pool,
    tenants: new Tenants(direct),
    client: new Client(),
  }
}

/** Clients that send writes, and evals that must show them, to both processes in turn. */
async function startLoad(tenants: Tenants, urls: readonly string[], writers: number) {
  const loaded = await Promise.all([1, 2].map(() => createTenant(tenants, urls[0] as string, writers / 2)))
  let turn = 0
  const load = new Load(loaded, () => ({ url: urls[turn++ % 2] as string, process: null }), seededRandom(defaultSeed))
  return { load, close: () => Promise.all(loaded.map(({ receiver }) => receiver.close())) }
}

/** Creates an organization whose subscriber can be locked directly in PostgreSQL, as a person in psql might. */
async function createSequence() {
  const { tenants, client, urls, pool } = await startShared()
  const tally = { pairs: new Map<string, number>(), stale: [] }
  const sequence = new PairSequence(await tenants.create(), { client, urls, random: seededRandom(defaultSeed), tally })
  await createSequenceObjects(sequence)
  return {
    sequence,
    put: (url: string, limit: number) => client.askOnce(url, sequence.write('PUT', acme, { kind: 'limit', limit })),
    async lock() {
      const holder = await pool.connect()
      await holder.query('begin')
      await holder.query('select from subscriber where organization_id = $1 for update', [
        sequence.tenant.organizationId,
      ])
      return {
        untilWaiting: () => untilOthersWaitFor(holder),
        async unlock() {
          await holder.query('commit')
          holder.release()
        },
      }
    },
  }
}
