import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { testMasterKey } from '../support/master-key.ts'
import { defaultSeed, seededRandom } from '../support/seeded-random.ts'
import { spawnApi } from '../support/spawn-service.ts'
import { Tenants } from '../support/tenants.ts'
import { until } from '../support/until.ts'
import { Cluster } from '../tools/faults/cluster.ts'
import { Client } from './ask.ts'
import { evaluateAtOnce } from './evals.ts'
import { createSequenceObjects } from './kinds.ts'
import { PairSequence } from './pair-sequence.ts'

const cluster = await Cluster.start()
const proxy = await startDatabaseProxy(cluster.url)
const client = new Client()
const env = { DATABASE_URL: proxy.url, MASTER_KEY: testMasterKey, EVAL_RATE_LIMIT_PER_SECOND: '1000000' }
const processes: Awaited<ReturnType<typeof spawnApi>>[] = []

afterAll(async () => {
  for (const { end } of processes) await end('SIGKILL')
  await client.close()
  await proxy.close()
  await cluster.remove()
})

async function start() {
  const api = await spawnApi(env)
  processes.push(api)
  return api
}

let surviving: Promise<string> | undefined

/** The address of a process that no test kills. */
function startSurvivor(): Promise<string> {
  surviving ??= start().then(({ url }) => url)
  return surviving
}

/** Queries the database directly, at its present address. */
async function read<Row>(sql: string, values: unknown[] = []): Promise<Row> {
  const direct = new pg.Client({ connectionString: cluster.url })
  await direct.connect()
  try {
    return (await direct.query(sql, values)).rows[0]
  } finally {
    await direct.end()
  }
}

/** Creates an organization whose evals go to this process. */
async function createSequence(url: string) {
  const tenants = new Tenants(cluster.url)
  const tenant = await tenants.create()
  await tenants.close()
  const sequence = new PairSequence(tenant, {
    client,
    urls: [url],
    random: seededRandom(defaultSeed),
    tally: { pairs: new Map(), stale: [] },
  })
  await createSequenceObjects(sequence)
  const { headers, organizationId } = tenant
  return {
    sequence,
    async evaluate(count: number) {
      let evalsToSend = count
      const load = { client, urls: [url], headers, inFlight: 8, shouldContinue: () => evalsToSend-- > 0 }
      expect(await evaluateAtOnce(load)).toEqual({ 200: count })
    },
    used: () => countUsedEvals(organizationId),
  }
}

async function countUsedEvals(organizationId: string): Promise<number> {
  const counted = 'select month_used::int as used from eval_counter where organization_id = $1'
  return (await read<{ used: number }>(counted, [organizationId])).used
}

async function killDatabase(): Promise<void> {
  await cluster.kill()
  await cluster.startAgain()
  proxy.routeTo(cluster.url)
}

const flushed = `select pg_current_wal_flush_lsn() >= $1::pg_lsn as is_flushed`

// Each test starts a process or a database, which takes a while on a busy machine.
describe("a month's count of evals", () => {
  beforeEach(waitIfNearMidnight)

  it('includes every answered eval after kill -9 of the process', async () => {
    const { url, end } = await start()
    const { sequence, used } = await createSequence(url)
    let [sent, answered] = [0, 0]
    const evaluating = evaluateAtOnce({
      client: {
        async ask(...asked: Parameters<Client['ask']>) {
          sent++
          const reply = await client.ask(...asked)
          if (reply.status === 200) answered++
          return reply
        },
      },
      urls: [url],
      headers: sequence.tenant.headers,
      inFlight: 16,
      shouldContinue: () => true,
    }).catch(() => 'killed')

    await until(() => answered >= 200)
    await end('SIGKILL')
    expect(await evaluating).toBe('killed')
    // A statement that was in flight is still running.
    const connected = `select count(*)::int from pg_stat_activity where application_name = 'entitlements-service'`
    await expect.poll(async () => (await read<{ count: number }>(connected)).count).toBe(0)

    expect(await used()).toBeGreaterThanOrEqual(answered)
    expect(await used()).toBeLessThanOrEqual(sent)
  })

  it('is unchanged after kill -9 of PostgreSQL once its log was flushed, and continues from there', async () => {
    const { evaluate, used } = await createSequence(await startSurvivor())
    await evaluate(300)
    const before = await used()

    const { lsn } = await read<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
    await until(async () => (await read<{ is_flushed: boolean }>(flushed, [lsn])).is_flushed)
    await killDatabase()

    expect(before).toBeGreaterThanOrEqual(300)
    expect(await used()).toBe(before)
    await evaluate(50)
    expect(await used()).toBeGreaterThanOrEqual(before + 50)
  })

  it('loses only evals after the last answered write if PostgreSQL is killed with kill -9', async () => {
    const { evaluate, sequence, used } = await createSequence(await startSurvivor())
    await evaluate(100)
    const atWrite = await used()
    await sequence.sendUnchecked('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit: 7 })
    await evaluate(60)
    const before = await used()

    await killDatabase()

    expect(await used()).toBeGreaterThanOrEqual(atWrite)
    expect(await used()).toBeLessThanOrEqual(before)
    expect(await sequence.evaluate(await startSurvivor())).toBe('7 override')
  })
})
