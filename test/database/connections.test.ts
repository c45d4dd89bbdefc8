import { afterAll, describe, expect, inject, it } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'

const database = connectDatabase({ url: inject('databaseUrl'), maxConnections: 1 })
const { pool } = database
afterAll(() => database.close())

describe('a connection returned to the pool', () => {
  it('is not reused while a query still runs on it', async () => {
    const client = await pool.connect()
    const waiting = pool.query('select 1 as one')

    await expect(client.query({ text: 'select pg_sleep(10)', query_timeout: 50 } as never)).rejects.toThrow(/timeout/i)
    client.release()

    expect((await waiting).rows).toEqual([{ one: 1 }])
  })

  it('is not reused in the middle of a transaction', async () => {
    const client = await pool.connect()
    const waiting = pool.query('show application_name')

    await client.query('begin')
    await client.query(`set local application_name = 'half done'`)
    client.release()

    expect((await waiting).rows).toEqual([{ application_name: 'entitlements-service' }])
  })
})
