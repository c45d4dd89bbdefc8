import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'
import { Prisma } from '../../src/database/generated/client.ts'
import { WriteConnection } from '../../src/database/write-connection.ts'
import { urlOfTests } from '../support/url-of-tests.ts'

/** On one connection, which every transaction of a test uses again. */
function connect(options: { pooled?: boolean; namedStatements?: boolean } = {}) {
  const database = connectDatabase({ url: urlOfTests(inject('databaseUrl')), maxConnections: 1, ...options })
  onTestFinished(() => database.close())
  return database
}

const transactionId = Prisma.sql`select txid_current() as id`
const process = Prisma.sql`select pg_backend_pid() as pid`

describe('the connection of a write', () => {
  it('commits what is sent before the transaction by itself, and the rest together', async () => {
    const connection = await WriteConnection.take(connect().pool)

    const id = async () => (await connection.query<{ id: bigint }>(transactionId))[0]?.id
    const before = id()
    const begun = connection.begin()
    const [own, , first, second] = await Promise.all([before, begun, id(), id()])
    const later = id()
    await connection.commit()
    const third = await later

    expect(own).not.toBe(first)
    expect([second, third]).toEqual([first, first])
  })

  it('skips what is sent behind a statement that fails, and can send it again afterwards', async () => {
    const { pool } = connect()
    const first = await WriteConnection.take(pool)

    void first.begin()
    const [{ pid } = { pid: 0 }] = await first.query<{ pid: number }>(process)
    const sent = [
      first.query(Prisma.sql`select 1 as one`),
      first.query(Prisma.sql`select 1 / ${0}::int`),
      first.query(Prisma.sql`select ${'skipped'}::text as word`),
      first.commit(),
    ]
    const results = await Promise.allSettled(sent)
    expect(results).toMatchObject([
      { status: 'fulfilled', value: [{ one: 1 }] },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '22012' } },
    ])

    for (const word of ['sent', 'again']) {
      const next = await WriteConnection.take(pool)
      void next.begin()
      const rows = await Promise.all([
        next.query(process),
        next.query(Prisma.sql`select ${word}::text as word`),
        next.query(Prisma.sql`select 1 / ${1}::int as one`),
      ])
      await next.commit()
      expect(rows).toEqual([[{ pid }], [{ word }], [{ one: 1 }]])
    }
  })

  it('knows the columns of statements without a name, and those of a name without any', async () => {
    const connection = await WriteConnection.take(connect().pool)

    void connection.begin()
    const [one, two, none] = await Promise.all([
      connection.send({ name: '', text: 'select 1 as one', values: [] }),
      connection.send({ name: '', text: `select 'x' as word, null as nothing`, values: [] }),
      connection.send({ text: 'set local synchronous_commit = off', values: [] }),
    ])
    const again = await connection.send({ text: 'set local synchronous_commit = off', values: [] })
    await connection.commit()

    expect(one).toEqual({ command: 'SELECT', rowCount: 1, rows: [{ one: 1 }] })
    expect(two.rows).toEqual([{ word: 'x', nothing: null }])
    expect([none, again]).toEqual(Array(2).fill({ command: 'SET', rowCount: null, rows: [] }))
  })

  it('sends and reads lists, bytes, dates and large integers as they are', async () => {
    const connection = await WriteConnection.take(connect().pool)
    const values = {
      texts: ['plain', 'a "quoted" \\ one', '', 'NULL', 'comma, {brace}'],
      withNull: ['a', null],
      flags: [true, false],
      times: [new Date('2026-11-22T12:34:56.789Z')],
      bytes: Buffer.from([0, 1, 255]),
      time: new Date('0099-01-02T03:04:05.006Z'),
      large: 2n ** 60n,
    }

    const [row] = await connection.query(Prisma.sql`
      select ${values.texts}::text[] as texts, ${values.withNull}::text[] as "withNull", ${values.flags}::boolean[] as flags,
             ${values.times}::timestamptz[] as times, ${values.bytes}::bytea as bytes, ${values.time}::timestamptz as time,
             ${values.large}::int8 as large`)
    connection.release()

    expect(row).toEqual(values)
  })

  it('refuses a value that cannot be sent before anything of the statement is sent', async () => {
    const connection = await WriteConnection.take(connect().pool)

    expect(() => connection.send({ text: 'select $1', values: [{ an: 'object' }] })).toThrow(TypeError)
    connection.release()
  })

  it('sets the limits of a transaction behind a PgBouncer, also without names', async () => {
    const connection = await WriteConnection.take(connect({ pooled: true, namedStatements: false }).pool)
    const limit = Prisma.sql`select current_setting('lock_timeout') as limit`

    const [before] = await connection.query(limit)
    void connection.begin()
    const [within] = await connection.query(limit)
    await connection.commit()

    expect([before, within]).toEqual([{ limit: '0' }, { limit: '5s' }])
  })
})
