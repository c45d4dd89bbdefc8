import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { connectDatabase } from '../../src/database/client.ts'
import { administer } from '../support/administer.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/** A database that accepts this many connections, and a pool that wants more. */
async function startLimitedDatabase(connections: number) {
  const url = await createOwnDatabase()
  // Runs in another database, because a connection to this one would count against the limit.
  const limit = (count: number) =>
    administer(inject('databaseUrl'), `alter database "${new URL(url).pathname.slice(1)}" connection limit ${count}`)
  await limit(connections)
  const warnings: object[] = []
  const logger = { info: () => {}, warn: (fields: object) => void warnings.push(fields) }
  const database = connectDatabase({ url, maxConnections: 20, logger })
  onTestFinished(() => database.close())
  return { url, database, warnings, limit }
}

const runConcurrently = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)))

describe('a pool whose database takes no more connections', () => {
  it('waits for its own connections, and logs once which limit it reached', async () => {
    const { database, warnings } = await startLimitedDatabase(3)

    for (let round = 0; round < 3; round++) {
      const answers = await runConcurrently(60, () => database.pool.query('select 1 as one, pg_sleep(0.01)'))
      expect(new Set(answers.map(({ rows }) => rows[0].one))).toEqual(new Set([1]))
    }

    expect(database.pool.totalCount).toBeLessThanOrEqual(3)
    expect(warnings).toEqual([
      {
        err: expect.objectContaining({ message: expect.stringMatching(/^too many connections for database/) }),
        connections: expect.any(Number),
        wanted: 20,
      },
    ])
  })

  it('also waits while other clients use all connections, until one is free', async () => {
    const { url, database } = await startLimitedDatabase(1)
    const other = connectDatabase({ url, maxConnections: 1 })
    const client = await other.pool.connect()

    const query = database.pool.query('select 1 as one')
    await expect.poll(() => database.pool.totalCount).toBe(0)
    client.release()
    await other.close()

    expect((await query).rows).toEqual([{ one: 1 }])
  })

  it('grows again once the database accepts more connections', async () => {
    const { database, limit } = await startLimitedDatabase(2)
    await runConcurrently(20, () => database.pool.query('select pg_sleep(0.01)'))

    await limit(-1)

    await expect
      .poll(async () => {
        await runConcurrently(20, () => database.pool.query('select pg_sleep(0.01)'))
        return database.pool.totalCount
      })
      .toBeGreaterThan(10)
  })
})

it('a service that has only eight connections answers every write', async () => {
  const { url } = await startLimitedDatabase(8)
  const service = await startService({ DATABASE_URL: url })
  const caller = await service.organization()
  await vendor(caller).feature('seats', { kind: 'limit' })

  // Of more at once, the last would wait too long behind the others on a slow machine.
  for (let round = 0; round < 5; round++) {
    const statuses = await runConcurrently(40, async (index) => {
      const { status } = await caller.rest('POST', '/org/subscribers', { subscriber_id: `s${round}-${index}` })
      return status
    })
    expect(new Set(statuses)).toEqual(new Set([201]))
  }
})
