import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createVault } from '../../src/core/vault.ts'
import { connectDatabase } from '../../src/database/client.ts'
import { setUpOrganization } from '../../src/modules/memberships/new-organization.ts'
import { until } from '../support/until.ts'
import { toTestUrl } from '../support/url-of-tests.ts'

function connect(options: { maxConnections?: number; pooled?: boolean } = {}) {
  const database = connectDatabase({ url: toTestUrl(inject('databaseUrl')), ...options })
  onTestFinished(() => database.close())
  return database
}

async function setting(database: ReturnType<typeof connect>, name: string): Promise<string> {
  return (await database.pool.query(`select current_setting($1) as value`, [name])).rows[0].value
}

describe('the database client', () => {
  it('survives the loss of a connection in use, and continues with another connection', async () => {
    const database = connect({ maxConnections: 2 })
    const client = await database.pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')

    const ended = new Promise((resolve) => client.once('end', resolve))
    await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    await ended
    client.release()

    await expect(database.ping()).resolves.toBeUndefined()
  })

  it('drops a connection whose query was abandoned, even if it was returned to the pool as usable', async () => {
    const database = connect({ maxConnections: 1 })
    const client = await database.pool.connect()
    const slow = { text: 'select pg_sleep(10)', query_timeout: 20 }

    await expect(client.query(slow)).rejects.toThrow('Query read timeout')
    client.release()

    await expect(database.ping()).resolves.toBeUndefined()
  })

  it('has closed every connection when close() resolves, so that a later stop of the server breaks no connection', async () => {
    const database = connectDatabase({ url: toTestUrl(inject('databaseUrl')) })
    let open = 0
    database.pool.on('connect', (client) => {
      open++
      client.once('end', () => open--)
    })
    // On a slow machine, some of twenty connections do not open in time.
    await until(async () => {
      await Promise.allSettled(Array.from({ length: 20 }, () => database.pool.query('select pg_sleep(0.05)')))
      return open === 20
    })

    await database.close()

    expect(open).toBe(0)
  })

  it('limits the time of statements, locks and idle transactions, but sends no settings to a PgBouncer', async () => {
    const [direct, pooled] = [connect(), connect({ pooled: true })]

    expect(await setting(direct, 'statement_timeout')).toBe('5500ms')
    expect(await setting(direct, 'lock_timeout')).toBe('5s')
    expect(await setting(direct, 'idle_in_transaction_session_timeout')).toBe('5s')
    expect(await setting(pooled, 'statement_timeout')).toBe('0')
  })

  it('reads times correctly, whatever the time zone of the server', async () => {
    const { prisma } = connect()

    const [row] = await prisma.$queryRaw<[{ at: Date }]>`select '2026-07-01T12:00:00+02:00'::timestamptz as at`

    expect(row.at.toISOString()).toBe('2026-07-01T10:00:00.000Z')
  })

  it('never reads the hash of a key', async () => {
    const { prisma } = connect()
    const vault = createVault(Buffer.alloc(32, 7))
    const { organizationId } = await prisma.$transaction((tx) =>
      setUpOrganization(tx, { name: 'Acme', now: new Date(), links: { vault, baseUrl: 'http://localhost' } }),
    )

    const key = await prisma.apiKey.findFirstOrThrow({ where: { organizationId } })

    expect(key).not.toHaveProperty('hash')
    expect(key).toMatchObject({ organizationId, prefix: expect.stringMatching(/^ent_.{8}$/) })
  })
})
