import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { until } from '../support/until.ts'
import { database, openGate, seedVendor, type TestGate } from './harness.ts'
import { seedPlan } from './seed.ts'
import { loadTwoGates } from './two-gates.ts'

const check = (keyHash: string) => ({ keyHash, subscriberId: 'acme', features: ['seats'] })

/** Runs while another connection locks the organization's counter row. */
async function whileLocked(organizationId: string, run: () => Promise<void>): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    await client.query('select from eval_counter where organization_id = $1 for update', [organizationId])
    await run()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Evaluates until there is an outcome instead of an error; resolves to its kind. */
function untilAnswered(gate: TestGate, keyHash: string): Promise<string> {
  const ask = () => gate.evaluate(check(keyHash))
  return until(() =>
    ask().then(
      ({ kind }) => kind,
      () => null,
    ),
  ) as Promise<string>
}

async function backendOf(gate: { pool: pg.Pool }, state: string): Promise<number | undefined> {
  const { rows } = await database.query(`select pid from pg_stat_activity where application_name = $1 and ${state}`, [
    gate.pool.options.application_name,
  ])
  return rows[0]?.pid
}

function namedPool(): pg.Pool {
  const application_name = `gate-${Math.random().toString(36).slice(2)}`
  return new pg.Pool({ connectionString: inject('databaseUrl'), max: 2, application_name })
}

describe('the gate', () => {
  it('rejects the evals in flight when the connection is killed, and answers the next one', async () => {
    await using gate = openGate({ pool: namedPool() })
    const { organizationId, keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))

    await whileLocked(organizationId, async () => {
      const inFlight = Promise.allSettled([gate.evaluate(check(keyHash)), gate.evaluate(check(keyHash))])
      const pid = await until(() => backendOf(gate, `wait_event_type = 'Lock'`))
      await database.query('select pg_terminate_backend($1)', [pid])
      expect((await inFlight).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    })

    expect((await gate.evaluate(check(keyHash))).kind).toBe('granted')
  })

  it('loses no eval when the connection is killed between two statements', async () => {
    await using gate = openGate({ pool: namedPool() })
    const { keyHash } = await seedVendor()
    await gate.evaluate(check(keyHash))

    await database.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      gate.pool.options.application_name,
    ])
    await until(() => gate.pool.totalCount === 0)

    expect((await gate.evaluate(check(keyHash))).kind).toBe('granted')
  })

  it('stops waiting for a locked row after a while, and recovers by itself', async () => {
    // The database gives up after half of this time, and its answer may take as long.
    await using gate = openGate({ timeoutMs: 8000 })
    const { organizationId, keyHash } = await seedVendor()

    await whileLocked(organizationId, async () => {
      // 55P03 is lock_not_available.
      await expect(gate.evaluate(check(keyHash))).rejects.toMatchObject({ code: '55P03' })
    })

    expect(await untilAnswered(gate, keyHash)).toBe('granted')
  })

  it('rejects evals while no connection is free, and answers evals once there is one', async () => {
    const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 2 })
    await using gate = openGate({ pool, timeoutMs: 300 })
    const { keyHash } = await seedVendor()
    const all = await Promise.all([pool.connect(), pool.connect()])

    await expect(gate.evaluate(check(keyHash))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    for (const client of all) client.release()

    expect(await untilAnswered(gate, keyHash)).toBe('granted')
  })

  it('rejects evals with the connection error if the database is unavailable', async () => {
    await using gate = openGate({ pool: new pg.Pool({ host: '127.0.0.1', port: 1 }) })

    await expect(gate.evaluate(check(Buffer.alloc(32).toString('hex')))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('leaves no settings of its statement on its connections, such as commits that do not wait for the disk', async () => {
    const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 2 })
    const gate = openGate({ pool })
    const { keyHash } = await seedVendor()
    const settings = `select current_setting('synchronous_commit') as commits, current_setting('lock_timeout') as waits`
    const other = await database.query(settings)

    await gate.evaluate(check(keyHash))
    await gate.close()
    const clients = await Promise.all([pool.connect(), pool.connect()])
    for (const client of clients) {
      const own = await client.query(settings)
      expect(own.rows).toEqual([{ commits: 'on', waits: '0' }])
      expect(own.rows).toEqual(other.rows)
      client.release()
    }
    await pool.end()
  })

  it('lets running evals end when it closes, and refuses later evals', async () => {
    const gate = openGate({ pool: namedPool() })
    const { organizationId, keyHash } = await seedVendor()
    let first: ReturnType<typeof gate.evaluate> | undefined
    let closed: Promise<void> | undefined

    await whileLocked(organizationId, async () => {
      first = gate.evaluate(check(keyHash))
      await until(() => backendOf(gate, `wait_event_type = 'Lock'`))
      closed = gate.close()
    })
    await closed

    expect((await first)?.kind).toBe('granted')
    await expect(gate.evaluate(check(keyHash))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(gate.pool.idleCount).toBe(gate.pool.totalCount)
    await gate.pool.end()
  })
})

describe('two gates', () => {
  it('never deadlock or fail when they count for the same organizations, even with concurrent writes', async () => {
    const vendors = await Promise.all(Array.from({ length: 12 }, () => seedVendor()))
    const anyVendor = () => vendors[Math.floor(Math.random() * vendors.length)] as (typeof vendors)[number]
    const stop = new AbortController()
    const writes = (async () => {
      for (let limit = 0; !stop.signal.aborted; limit++) {
        await seedPlan(database, anyVendor().organizationId, 'pro', new Map([['seats', { kind: 'limit', limit }]]))
      }
    })()

    const caller = () => ({ keyHash: anyVendor().keyHash })
    const outcomes = await loadTwoGates({ caller, inFlight: 64, durationMs: 1_500 })
    stop.abort()
    await writes

    const { rows } = await database.query(
      'select sum(month_used)::int as counted from eval_counter where organization_id = any($1)',
      [vendors.map(({ organizationId }) => organizationId)],
    )
    expect(outcomes).toEqual({ granted: rows[0].counted })
  })
})

it('snapshots of many subscribers are 503 if their organization was deleted after its key was checked', async () => {
  await using gate = openGate()
  const organizationId = 'deleted'
  const share = { owner: organizationId, part: organizationId }

  const answering = gate.evaluateMany({ organizationId, share, subscriberIds: ['acme'], take: async () => true })

  await expect(answering).rejects.toMatchObject({ status: 503 })
})
