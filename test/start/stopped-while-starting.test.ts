import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEmptyDatabase, createOwnDatabase } from '../support/own-database.ts'
import { emptyFolder, postgresProcesses, run } from './server-process.ts'

const silentEnd = { code: 0, stdout: '', stderr: '' }

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Resolves when a migrating session is in this state. */
async function untilMigrating(client: pg.Client, condition: string): Promise<void> {
  const found = `select from pg_stat_activity where datname = current_database()
    and application_name = 'entitlements-service migrations' and ${condition}`
  await expect.poll(async () => (await client.query(found)).rowCount).toBe(1)
}

describe('a stop while the server is starting', () => {
  it('ends the server silently while it waits for another process to migrate', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const holder = await connect(DATABASE_URL)
    await holder.query('select pg_advisory_lock(5067413001)')
    const { child, ended } = run({ env: { DATABASE_URL } })
    await untilMigrating(holder, `query like 'select pg_try_advisory_lock%'`)

    child.kill('SIGTERM')

    expect(await ended).toMatchObject(silentEnd)
  })

  it('ends the server silently during a migration, which is rolled back', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const holder = await connect(DATABASE_URL)
    const watcher = await connect(DATABASE_URL)
    // The migration cannot create a type of this name until this transaction ends.
    await holder.query(`begin; create type feature as enum ('a')`)
    const { child, ended } = run({ env: { DATABASE_URL } })
    await untilMigrating(watcher, `wait_event = 'transactionid'`)

    child.kill('SIGTERM')

    expect(await ended).toMatchObject(silentEnd)
    await holder.query('rollback')
    expect((await watcher.query('select * from _prisma_migrations')).rows).toEqual([])
    expect((await watcher.query(`select to_regclass('feature') as feature`)).rows).toEqual([{ feature: null }])
  })

  it.each(['postgres.new', 'postgres/postmaster.pid'])('ends the server silently once %s exists', async (file) => {
    const dataDir = emptyFolder()
    const { child, ended } = run({ env: { DATA_DIR: dataDir } })
    await expect.poll(() => existsSync(join(dataDir, file)), { interval: 5 }).toBe(true)

    child.kill('SIGTERM')

    expect(await ended).toMatchObject(silentEnd)
    expect(postgresProcesses(dataDir)).toEqual([])
    expect(readdirSync(dataDir)).not.toContain('lock')
  })
})

it('SIGHUP during a start replaces the API processes once they answer; they exit when their primary is killed', async () => {
  const DATABASE_URL = await createOwnDatabase()
  const holder = await connect(DATABASE_URL)
  await holder.query('select pg_advisory_lock(5067413001)')
  const { child, stdout, ended } = run({ args: ['api'], env: { DATABASE_URL, PROCESSES: '2', LOG_LEVEL: 'info' } })
  await untilMigrating(holder, `query like 'select pg_try_advisory_lock%'`)

  child.kill('SIGHUP')
  await holder.query('select pg_advisory_unlock(5067413001)')

  await expect.poll(stdout).toContain('the restart of the API processes has ended')
  child.kill('SIGKILL')
  // All processes share its output, which ends with the last of them.
  await ended
})
