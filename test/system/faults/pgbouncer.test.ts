import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { connectDatabase, type Database } from '../../../src/database/client.ts'
import { probePooling } from '../../../src/database/pooler.ts'
import { onlyLine, run, startServer } from '../../start/server-process.ts'
import { atEnd } from '../../support/at-end.ts'
import { createOwnDatabase } from '../../support/own-database.ts'
import { startPgbouncer } from '../../support/pgbouncer.ts'
import { callerOf, type LogEntry, startService, type TestService } from '../../support/service.ts'
import { pgbouncerVersion } from '../../support/spawn-pgbouncer.ts'

const keepsNames = pgbouncerVersion !== null && Number(pgbouncerVersion.split('.')[1]) >= 21
const title = pgbouncerVersion
  ? `behind PgBouncer ${pgbouncerVersion}`
  : 'behind PgBouncer, which is not installed here'

async function connectThrough(url: string): Promise<Database> {
  const database = connectDatabase({ url, pooled: true, namedStatements: false, maxConnections: 10 })
  atEnd(() => database.close())
  return database
}

/** Transactions of several clients, which use the pooler's server connections alternately. */
function startTraffic(url: string): { end(): Promise<number> } {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  let isEnded = false
  let transactions = 0
  const work = async () => {
    const client = await pool.connect()
    for (; !isEnded; transactions++) {
      await client.query('begin')
      await client.query('select pg_sleep(0.002 * random())')
      await client.query('commit')
    }
    client.release()
  }
  const working = Promise.all(Array.from({ length: 10 }, work))
  return {
    async end() {
      isEnded = true
      await working
      await pool.end()
      return transactions
    },
  }
}

describe('a connection to PostgreSQL itself', () => {
  it('keeps named statements and its own session', async () => {
    expect(await probePooling(inject('databaseUrl'))).toEqual({ moves: false, namedStatements: true })
  })
})

describe.runIf(pgbouncerVersion)(title, () => {
  it('the start detects that named statements are not kept, logs it, and serves checks, writes and reads together', async () => {
    const direct = await createOwnDatabase()
    const url = await startPgbouncer(direct)
    const admin = await (await startService({ DATABASE_URL: direct })).organization()
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, EVAL_RATE_LIMIT_PER_SECOND: '100000' }

    const server = await startServer({ env })
    const caller = callerOf(server.url, admin)
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const work = async (client: number) => {
      const statuses: number[] = []
      for (let count = 0; count < 8; count++) {
        const key = `f-${client}-${count}`
        for (const [method, path, body] of [
          ['POST', '/org/features', { key, name: key, kind: 'flag' }],
          ['POST', '/org/subscribers/ann/entitlements/check', { feature: key }],
          ['PUT', `/org/subscribers/ann/overrides/${key}`, { kind: 'flag', allowed: true }],
          ['GET', '/org/subscribers/ann/entitlements', undefined],
          ['GET', '/org/audit-events', undefined],
        ] as const) {
          statuses.push((await caller.rest(method, path, body)).status)
        }
      }
      return statuses
    }
    const statuses = (await Promise.all(Array.from({ length: 12 }, (_, client) => work(client)))).flat()

    expect(await probePooling(url)).toEqual({ moves: true, namedStatements: keepsNames })
    expect(new Set(statuses)).toEqual(new Set([200, 201]))
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    expect(server.welcome).toContain(keepsNames ? 'keep named statements' : 'without named statements')
  })

  it('PgBouncer is recognized at each of 200 starts, four at a time and under traffic', async () => {
    // With so few server connections, a client often gets the same one again by chance.
    const url = await startPgbouncer(inject('databaseUrl'), { serverConnections: 4 })
    const { end } = startTraffic(url)
    const found: unknown[] = []

    for (let round = 0; round < 50; round++) {
      found.push(...(await Promise.all(Array.from({ length: 4 }, () => probePooling(url)))))
    }

    expect(await end()).toBeGreaterThan(0)
    expect(found).toEqual(Array(200).fill({ moves: true, namedStatements: keepsNames }))
  })

  it('no request fails if PgBouncer is wrongly believed to keep named statements: one line is logged, and names are no longer used', async () => {
    const direct = await createOwnDatabase()
    const url = await startPgbouncer(direct)
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, PGBOUNCER: 'true', LOG_LEVEL: 'warn' }
    const log: LogEntry[] = []
    const services = await Promise.all([1, 2].map(() => startService(env, log, undefined, { namedStatements: true })))
    const admin = await (services[0] as TestService).organization()
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const ask = async (client: number) => {
      const caller = callerOf((services[client % 2] as TestService).url, admin)
      const key = `f-${client}`
      return [
        await caller.rest('POST', '/org/features', { key, name: key, kind: 'flag' }),
        await caller.rest('PUT', `/org/subscribers/ann/overrides/${key}`, { kind: 'flag', allowed: true }),
        await caller.rest('POST', '/org/subscribers/ann/entitlements/check', { feature: key }),
        await caller.rest('GET', '/org/features'),
      ].map(({ status }) => status)
    }

    const statuses = (await Promise.all(Array.from({ length: 24 }, (_, client) => ask(client)))).flat()

    expect(new Set(statuses)).toEqual(new Set([200, 201]))
    const { body: usage } = await admin.rest('GET', '/org/eval-usage')
    const { body: entries } = await admin.rest('GET', '/org/audit-events?limit=100')
    expect(usage.used).toBe(24)
    expect(entries.audit_events.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(49).fill('responded'))
    const lines = log.filter(({ msg }) => msg.includes('did not know a named statement'))
    expect(lines).toHaveLength(keepsNames ? 0 : services.length)
  })

  it('a start without DATABASE_DIRECT_URL ends with a line that names the variable', async () => {
    const url = await startPgbouncer(await createOwnDatabase())

    expect(onlyLine(await run({ env: { DATABASE_URL: url } }).ended)).toContain('DATABASE_DIRECT_URL has to name')
  })

  it('a transaction has the same time limits as on a direct connection, and later statements have none', async () => {
    const direct = await createOwnDatabase()
    const { pool, prisma } = await connectThrough(await startPgbouncer(direct, { serverConnections: 1 }))
    const read = `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' ||
      current_setting('idle_in_transaction_session_timeout') as limits`

    const [inPrisma] = await prisma.$transaction((tx) => tx.$queryRawUnsafe<[{ limits: string }]>(read))
    const client = await pool.connect()
    await client.query('begin')
    const own = await client.query(read)
    await client.query('commit')
    client.release()

    expect(inPrisma.limits).toBe('5500ms 5s 5s')
    expect(own.rows).toEqual([{ limits: '5500ms 5s 5s' }])
    expect((await pool.query(read)).rows).toEqual([{ limits: '0 0 0' }])
  })

  it('a frozen process loses its lock, and the requests that wait for the lock get it or a 503', async () => {
    const direct = await createOwnDatabase()
    const url = await startPgbouncer(direct)
    const service = await startService({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct, PGBOUNCER: 'true' })
    const admin = await service.organization()
    const frozen = await (await connectThrough(url)).pool.connect()
    await frozen.query('begin')
    await frozen.query('select from organization where organization_id = $1 for update', [admin.organizationId])

    const create = () => admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })
    const statuses: number[] = []
    await expect.poll(async () => statuses.push((await create()).status) && statuses.at(-1)).toBe(201)

    expect([201, 503]).toEqual(expect.arrayContaining(statuses))
    frozen.release(true)
  })

  it('times are read correctly, whatever the time zone of the server', async () => {
    const { prisma } = await connectThrough(await startPgbouncer(inject('databaseUrl')))

    const rows = await Promise.all(
      Array.from(
        { length: 10 },
        () => prisma.$queryRaw<[{ at: Date }]>`select '2026-07-01T12:00:00+02:00'::timestamptz as at`,
      ),
    )

    for (const [row] of rows) expect(row.at.toISOString()).toBe('2026-07-01T10:00:00.000Z')
  })
})
