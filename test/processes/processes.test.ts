import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { defaultSeed, seededRandom } from '../support/seeded-random.ts'
import { spawnApi } from '../support/spawn-service.ts'
import { type Tenant, Tenants } from '../support/tenants.ts'
import { Client } from './ask.ts'
import { evaluateAtOnce } from './evals.ts'
import { createSequenceObjects, kinds } from './kinds.ts'
import { PairSequence } from './pair-sequence.ts'
import { runPairs } from './run-pairs.ts'
import { startProcesses } from './start.ts'

const databaseUrl = await createOwnDatabase()
const { env, apis, close } = await startProcesses(databaseUrl)
atEnd(close)
const urls = apis.map(({ url }) => url)

describe('two API and two worker processes', () => {
  it('show a write of any kind in the next eval, whichever process took the write', async () => {
    const { pairs, stale } = await runPairs({ urls, env, pairs: 2 * inject('randomRuns') })

    expect(stale).toEqual([])
    expect([...pairs.keys()].sort()).toEqual(Object.keys(kinds).sort())
  })
})

describe('four API processes', () => {
  it("enforce an organization's rate limit in every clock second, and use all of it under load", async () => {
    const { pool, tenant, load } = await startFour()
    await pool.query('update eval_counter set rate_limit = 40 where organization_id = $1', [tenant.organizationId])
    const seconds = await watchSeconds(pool, tenant)

    let fullSeconds = 0
    const watching = (async () => {
      while (fullSeconds < 2) fullSeconds = (await seconds()).filter((used) => used === 40).length
    })()
    const {
      200: granted,
      429: refused,
      ...others
    } = await evaluateAtOnce({ ...load, shouldContinue: () => fullSeconds < 2 })
    await watching

    const used = await seconds()
    expect(others).toEqual({})
    expect(refused).toBeGreaterThan(0)
    expect(Math.max(...used)).toBe(40)
    const counted = used.reduce((sum, each) => sum + each, 0)
    expect(granted).toBeLessThanOrEqual(counted)
    expect(granted).toBeGreaterThanOrEqual(counted - load.client.repeated)
  })

  it('grant exactly the allotment', async () => {
    const { pool, tenant, load } = await startFour()
    await waitIfNearMidnight()
    await pool.query('update eval_counter set allotment = 500 where organization_id = $1', [tenant.organizationId])

    let evalsToSend = 800
    const statuses = await evaluateAtOnce({ ...load, shouldContinue: () => evalsToSend-- > 0 })

    const { repeated } = load.client
    expect(statuses[200]).toBeLessThanOrEqual(500)
    expect(statuses[200]).toBeGreaterThanOrEqual(500 - repeated)
    expect(statuses).toEqual({ 200: statuses[200], 409: 800 - (statuses[200] as number) })
    const { rows } = await pool.query('select month_used::int as used from eval_counter where organization_id = $1', [
      tenant.organizationId,
    ])
    expect(rows).toEqual([{ used: 500 }])
  })
})

let others: Promise<string[]> | undefined
const ends: ((signal: 'SIGKILL') => Promise<unknown>)[] = []
atEnd(async () => void (await Promise.all(ends.map((end) => end('SIGKILL')))))

/**
 * Starts two more processes, once for the file; creates an organization with the subscriber `acme`, for evals at all four.
 */
async function startFour() {
  others ??= Promise.all([spawnOther(), spawnOther()])
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const [client, tenants] = [new Client(), new Tenants(databaseUrl)]
  onTestFinished(async () => void (await Promise.all([pool.end(), client.close(), tenants.close()])))
  const tenant = await tenants.create()
  await createSequenceObjects(
    new PairSequence(tenant, {
      client,
      urls,
      random: seededRandom(defaultSeed),
      tally: { pairs: new Map(), stale: [] },
    }),
  )
  return { pool, tenant, load: { client, headers: tenant.headers, inFlight: 8, urls: [...urls, ...(await others)] } }
}

async function spawnOther(): Promise<string> {
  const { url, end } = await spawnApi(env)
  ends.push(end)
  return url
}

/** Records the number of evals that the counter has for each clock second. Resolves to a function that returns them. */
async function watchSeconds(pool: pg.Pool, { organizationId }: Tenant): Promise<() => Promise<number[]>> {
  await pool.query(`
    create table counted_second (organization_id text, second timestamptz, used int, primary key (organization_id, second));
    create function keep_second() returns trigger language plpgsql as $$ begin
      insert into counted_second as c values (new.organization_id, new.second, new.second_used)
      on conflict (organization_id, second) do update set used = greatest(c.used, excluded.used);
      return null;
    end $$;
    create trigger keep_second after update on eval_counter for each row execute function keep_second()`)
  return async () => {
    const { rows } = await pool.query('select used from counted_second where organization_id = $1', [organizationId])
    return rows.map(({ used }) => used)
  }
}
