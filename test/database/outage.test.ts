import { afterAll, describe, expect, inject, it } from 'vitest'
import { conflict, unavailable } from '../../src/core/errors.ts'
import { connectDatabase, type Database } from '../../src/database/client.ts'
import { toDomainError } from '../../src/database/outage.ts'
import { atEnd } from '../support/at-end.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { until } from '../support/until.ts'
import { toTestUrl } from '../support/url-of-tests.ts'

const proxy = await startDatabaseProxy(inject('databaseUrl'))
afterAll(() => proxy.close())

function connect({ url = inject('databaseUrl'), settings = {} as Record<string, string> } = {}): Database {
  const address = new URL(url)
  for (const [name, value] of Object.entries(settings)) address.searchParams.set(name, value)
  const database = connectDatabase({ url: toTestUrl(address.href), maxConnections: 2 })
  atEnd(() => database.close())
  return database
}

async function statusOf(failing: () => unknown): Promise<number> {
  try {
    await failing()
  } catch (error) {
    return toDomainError(error).status
  }
  throw new Error('Nothing failed.')
}

const database = connect()
const { pool, prisma } = database
const now = new Date()
const organization = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Acme', createdAt: now, updatedAt: now }

describe('the status is 500', () => {
  it.each<[string, () => unknown]>([
    ['a value that the database refuses', () => pool.query('select 1 / 0')],
    ['a value that the database refuses through Prisma', () => prisma.$queryRaw`select 1 / 0`],
    ['a statement with a syntax error', () => pool.query('selec 1')],
    [
      'a statement with a syntax error in a transaction of Prisma',
      () => prisma.$transaction((tx) => tx.$executeRaw`selec 1`),
    ],
    ['a duplicate', () => prisma.organization.createMany({ data: [organization, organization] })],
    [
      'a row without its parent',
      () => prisma.member.create({ data: { ...organization, organizationId: '' } as never }),
    ],
    ['a query that Prisma refuses', () => prisma.organization.findMany({ where: { nope: 1 } as never })],
    ['a row that does not exist', () => prisma.organization.update({ where: { id: 'nope' }, data: { name: 'x' } })],
    ['a programming error', () => prisma.$transaction(() => (undefined as never as { x: { y: never } }).x.y)],
    ['an error of an unknown kind', () => prisma.$transaction(() => Promise.reject(new Error('This cannot be.')))],
    ['a thrown value that is not an error', () => Promise.reject('no')],
  ])('for %s', async (_what, failing) => {
    expect(await statusOf(failing)).toBe(500)
  })

  it('but not for a domain error, which keeps its own status', async () => {
    expect(await statusOf(() => Promise.reject(conflict({ field: 'key', value: 'x' }, 'taken')))).toBe(409)
    expect(await statusOf(() => Promise.reject(unavailable('no')))).toBe(503)
  })
})

describe('an error of the database, or of the connection to it, is 503', () => {
  it('when the database is a standby, or accepts no writes for another reason', async () => {
    const standby = connect({ settings: { options: '-c default_transaction_read_only=on' } })

    expect(await statusOf(() => standby.pool.query('create table x ()'))).toBe(503)
    expect(await statusOf(() => standby.prisma.organization.create({ data: organization }))).toBe(503)
    expect(await statusOf(() => standby.prisma.$executeRaw`delete from organization`)).toBe(503)
  })

  it('when the database ends a connection, also between two statements of a transaction', async () => {
    const end = 'select pg_terminate_backend(pg_backend_pid())'

    expect(await statusOf(() => pool.query(end))).toBe(503)
    expect(await statusOf(() => prisma.$queryRawUnsafe(end))).toBe(503)
    const between = prisma.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<[{ pid: number }]>`select pg_backend_pid() as pid`
      await pool.query('select pg_terminate_backend($1)', [row.pid])
      await tx.organization.count()
    })
    expect(await statusOf(() => between)).toBe(503)
  })

  it('when the connection breaks during a statement', async () => {
    const cut = connect({ url: proxy.url })
    // The duration identifies each statement: no other test sleeps for the same time.
    for (const [seconds, run] of [
      ['10.71', () => cut.pool.query('select pg_sleep(10.71)')],
      ['10.72', () => cut.prisma.$queryRaw`select 1 from pg_sleep(10.72)`],
      ['10.73', () => cut.prisma.$transaction((tx) => tx.$executeRaw`select 1 from pg_sleep(10.73)`)],
    ] as const) {
      const sleeping = `select from pg_stat_activity where query like '%pg_sleep(${seconds})'`
      const status = statusOf(run)
      await expect.poll(async () => (await pool.query(sleeping)).rowCount).toBe(1)
      proxy.refuseConnections()
      expect(await status).toBe(503)
      proxy.open()
    }
  })

  it('when no answer arrives in time', async () => {
    const hasty = connect({ url: proxy.url, settings: { query_timeout: '300' } })
    // Waits until a ping succeeds: on a busy machine, the first one may take too long.
    await until(() =>
      hasty.ping().then(
        () => true,
        () => false,
      ),
    )
    proxy.freeze()

    for (const run of [
      () => hasty.pool.query('select 1'),
      () => hasty.prisma.organization.count(),
      () => hasty.prisma.$queryRaw`select 1`,
      () => hasty.prisma.$transaction((tx) => tx.organization.count(), { maxWait: 300 }),
    ]) {
      expect(await statusOf(run)).toBe(503)
    }
    proxy.thaw()
  })

  it('when a lock, a statement or a transaction takes too long', async () => {
    const slow = () => pool.query(`set local statement_timeout = 50; select pg_sleep(10)`)
    const late = () =>
      prisma.$transaction(
        async (tx) => {
          await tx.$queryRaw`select 1 from pg_sleep(0.3)`
          await tx.organization.count()
        },
        { timeout: 50 },
      )

    expect(await statusOf(slow)).toBe(503)
    expect(await statusOf(late)).toBe(503)
  })

  it('when there is no server, no such host, no such database or no such user', async () => {
    for (const change of [{ port: '1' }, { hostname: 'nowhere.invalid' }, { pathname: '/nope' }]) {
      const url: URL = Object.assign(new URL(inject('databaseUrl')), change)
      const away = connect({ url: url.href })
      expect(await statusOf(() => away.pool.query('select 1'))).toBe(503)
      expect(await statusOf(() => away.prisma.organization.count())).toBe(503)
      expect(await statusOf(() => away.prisma.$transaction((tx) => tx.organization.count()))).toBe(503)
    }
  })

  it('when every connection is in use', async () => {
    const clients = await Promise.all([pool.connect(), pool.connect()])

    expect(await statusOf(() => pool.query('select 1'))).toBe(503)
    expect(await statusOf(() => prisma.$transaction((tx) => tx.organization.count()))).toBe(503)
    for (const client of clients) client.release()
  })
})
