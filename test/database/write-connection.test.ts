import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'
import { Prisma } from '../../src/database/generated/client.ts'
import { computedColumns, query } from '../../src/database/sql.ts'
import { WriteConnection } from '../../src/database/write-connection.ts'
import { toTestUrl } from '../support/url-of-tests.ts'

/** Uses one connection, so that all transactions of a test run on it. */
function connect(options: { pooled?: boolean; namedStatements?: boolean } = {}) {
  const database = connectDatabase({ url: toTestUrl(inject('databaseUrl')), maxConnections: 1, ...options })
  onTestFinished(() => database.close())
  return database
}

const transactionId = query`select ${computedColumns({ id: ['bigint', Prisma.sql`txid_current()`] })}`

describe('the connection of a write', () => {
  it('commits statements before the transaction separately, and those of the transaction together', async () => {
    const connection = await WriteConnection.take(connect().pool)

    const id = async () => (await connection.query(transactionId))[0]?.id
    const before = id()
    const begun = connection.begin()
    const [own, , first, second] = await Promise.all([before, begun, id(), id()])
    const later = id()
    await connection.commit()
    const third = await later

    expect(own).not.toBe(first)
    expect([second, third]).toEqual([first, first])
  })

  it('gives each statement its own rows and columns, however many are sent at once or repeatedly', async () => {
    const { pool } = connect()

    for (let turn = 0; turn < 3; turn++) {
      const connection = await WriteConnection.take(pool)
      void connection.begin()
      const answers = [
        connection.send({ text: 'select $1::text as name', values: [`n${turn}`] }),
        connection.send({ text: `select set_config('entitlements.test', 'x', true)`, values: [] }),
        connection.send({ text: 'select $1::int as one, $2::text as two where $3', values: [turn, null, turn > 0] }),
        connection.send({ text: 'select $1::text as name', values: ['again'] }),
        connection.send({ name: '', text: 'select generate_series(1, 2) as n', values: [] }),
      ]
      await connection.commit()

      expect((await Promise.all(answers)).map(({ rows }) => rows)).toEqual([
        [{ name: `n${turn}` }],
        [{ set_config: 'x' }],
        turn > 0 ? [{ one: turn, two: null }] : [],
        [{ name: 'again' }],
        [{ n: 1 }, { n: 2 }],
      ])
    }
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

    const [row] = await connection.query(query`
      select ${values.texts}::text[] as texts, ${values.withNull}::text[] as "withNull", ${values.flags}::boolean[] as flags,
             ${values.times}::timestamptz[] as times, ${values.bytes}::bytea as bytes, ${values.time}::timestamptz as time,
             ${values.large}::int8 as large`)
    connection.release()

    expect(row).toEqual(values)
  })

  it('refuses a value that cannot be sent, before it sends any part of the statement', async () => {
    const connection = await WriteConnection.take(connect().pool)

    expect(() => connection.send({ text: 'select $1', values: [{ an: 'object' }] })).toThrow(TypeError)
    connection.release()
  })

  it('sets the limits of a transaction behind a PgBouncer, even without named statements', async () => {
    const connection = await WriteConnection.take(connect({ pooled: true, namedStatements: false }).pool)
    const limit = query`select current_setting('lock_timeout') as limit`

    const [before] = await connection.query(limit)
    void connection.begin()
    const [within] = await connection.query(limit)
    await connection.commit()

    expect([before, within]).toEqual([{ limit: '0' }, { limit: '5s' }])
  })
})
