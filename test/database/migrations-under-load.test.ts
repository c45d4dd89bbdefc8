import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MigrationProgress } from '../../src/database/migration-progress.ts'
import { loadMigrationHistory, rowsOf, untilMigratorExecutes } from '../support/migrations.ts'
import { migrateAsNewer } from '../support/newer-migration.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { until } from '../support/until.ts'

const next = '99990101000000_next'
const migrateTo = (url: string, sql: string) => migrateAsNewer(url, { [next]: sql })

describe('a migration while other processes are serving', () => {
  const indexOf = (url: string) =>
    rowsOf(url, `select indisvalid as valid from pg_index where indexrelid = to_regclass('people_name')`)

  async function databaseWithPeople(rows: number): Promise<string> {
    const url = await createOwnDatabase()
    await rowsOf(url, `create table people as select g as id, g % 10 as name from generate_series(1, ${rows}) g`)
    return url
  }

  it('builds an index without blocking writes, and only once when several processes start together', async () => {
    const url = await databaseWithPeople(1000)
    const writer = await openTransaction(url, 'insert into people values (0, 0)')
    const sql = 'create index concurrently if not exists people_name on people (name);'

    const both = Promise.all([migrateTo(url, sql), migrateTo(url, sql)])
    // The migration waits for the transaction, which still writes.
    await untilMigratorExecutes(url, 'create index concurrently')
    await writer.query('insert into people values (0, 1)')
    await writer.query('commit')
    await both

    expect(await indexOf(url)).toEqual([{ valid: true }])
    expect((await loadMigrationHistory(url)).at(-1)).toMatchObject({ migration_name: next })
  })

  it('rebuilds an index that was left incomplete', async () => {
    const url = await databaseWithPeople(1000)
    const sql = 'create unique index concurrently if not exists "people_name" on people (name);'

    await expect(migrateTo(url, sql)).rejects.toThrow(
      /failed and continues at the next start: ERROR: could not create unique index "people_name"/,
    )
    expect(await indexOf(url)).toEqual([{ valid: false }])
    await rowsOf(url, 'delete from people where id > 10')
    await migrateTo(url, sql)

    expect(await indexOf(url)).toEqual([{ valid: true }])
  })

  it('changes rows in batches, each committed by itself, and continues after a failure', async () => {
    const url = await databaseWithPeople(250)
    await rowsOf(url, 'alter table people add column half int, add constraint small check (half < 100)')
    const sql = `-- in batches
      update people set half = id / 2 where id in (select id from people where half is null order by id limit 100)`

    await expect(migrateTo(url, sql)).rejects.toThrow(/violates check constraint "small"/)
    expect(await rowsOf(url, 'select count(half)::int as done from people')).toEqual([{ done: 100 }])
    await rowsOf(url, 'alter table people drop constraint small')
    await migrateTo(url, sql)

    expect(await rowsOf(url, 'select count(*)::int as wrong from people where half is distinct from id / 2')).toEqual([
      { wrong: 0 },
    ])
    expect((await loadMigrationHistory(url)).at(-1)).toMatchObject({ migration_name: next })
  })

  it('gives way to statements that wait behind its lock, and tries again', async () => {
    const url = await databaseWithPeople(1)
    const reader = await openTransaction(url, 'select from people')
    const running = migrateTo(url, 'alter table people add column more text')
    await untilMigratorExecutes(url, 'alter table people', 'active')

    // The statement is answered, although the migration still waits for the reader to release its lock.
    expect(await rowsOf(url, 'select id from people')).toEqual([{ id: 1 }])
    await reader.query('commit')
    await running

    expect(await rowsOf(url, 'select * from people')).toEqual([{ id: 1, name: 1, more: null }])
  })

  it('reports its progress if it takes long', async () => {
    const url = await databaseWithPeople(250)
    await rowsOf(url, 'alter table people add column half int')
    const sql = `-- in batches
      update people set half = id / 2 where id in (select id from people where half is null order by id limit 100)`
    const lockingClient = await openTransaction(url, 'select from people where id = 150 for update')
    const reported: MigrationProgress[] = []

    const running = migrateAsNewer(url, { [next]: sql }, (progress) => reported.push(progress))
    await until(() => reported.length > 0)
    await lockingClient.query('commit')
    await running

    expect(reported[0]).toEqual({ migration: next, doing: 'waiting for locks', rows: 100, seconds: expect.any(Number) })
    expect(reported[0]?.seconds).toBeGreaterThanOrEqual(2)
  })

  it('reports that it waits for another process that migrates', async () => {
    const url = await databaseWithPeople(1)
    const lockingClient = await openTransaction(url, 'select pg_advisory_lock(5067413001)')
    const reported: MigrationProgress[] = []

    const running = migrateAsNewer(url, {}, (progress) => reported.push(progress))
    await until(() => reported.length > 0)
    await lockingClient.query('select pg_advisory_unlock(5067413001)')
    await running

    expect(reported[0]).toEqual({ doing: 'waiting for another process that migrates', seconds: expect.any(Number) })
  })
})

/** Opens a session with a transaction that has run this statement and stays open. */
async function openTransaction(url: string, sql: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query(sql)
  return client
}
