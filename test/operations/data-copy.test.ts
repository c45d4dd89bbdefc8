import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadStoredTables } from '../../src/database/stored-tables.ts'
import { emptyFolder, onlyLine, run, runCommand } from '../start/server-process.ts'
import { administer } from '../support/administer.ts'
import { copyDataFolder } from '../support/data-folder.ts'
import { createDeliveryTest } from '../support/delivery.ts'
import { loadMigrationHistory, untilMigratorExecutes } from '../support/migrations.ts'
import { createEmptyDatabase, createOwnDatabase } from '../support/own-database.ts'
import { expectClientsWork, prepareMove } from './moved-database.ts'

const settings = { fsync: 'off' }

/** Every row of every table, as text, and the value of each sequence. */
async function loadEverything(url: string): Promise<Record<string, unknown[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const stored: Record<string, unknown[]> = {}
    for (const name of [...(await loadStoredTables(client)).map((table) => table.name), 'pgboss.job']) {
      stored[name] = (await client.query(`select t::text as row from ${name} t order by 1`)).rows
    }
    stored.sequences = (
      await client.query(`select sequencename, last_value from pg_sequences where schemaname = 'public'`)
    ).rows
    return stored
  } finally {
    await client.end()
  }
}

/** Separates the password from the address, because the machine's list of processes shows arguments. */
function separatePassword(address: string): { to: string; PGPASSWORD: string } {
  const url = new URL(address)
  const PGPASSWORD = decodeURIComponent(url.password)
  url.password = ''
  return { to: url.href, PGPASSWORD }
}

describe('npm run data:copy', () => {
  it('copies every row and sequence; clients continue to work, and followers continue after a reset', async () => {
    const dataDir = emptyFolder()
    const [target, used] = [await createEmptyDatabase(), await createOwnDatabase()]
    await administer(
      used,
      `insert into organization (organization_id, name, created_at, updated_at) values ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'A', now(), now())`,
    )
    const copyTo = (to: string, env = {}) => runCommand('data-copy', ['--to', to], { DATA_DIR: dataDir, ...env })
    for (const wrong of ['localhost', 'http://u:secret@h/d', '']) {
      expect(onlyLine(await copyTo(wrong))).toBe(
        '--to must be an address such as postgresql://user:password@host:5432/database.',
      )
    }
    expect(onlyLine(await copyTo(target))).toBe(
      `There is no embedded database in ${dataDir}: set DATA_DIR to the folder that has one, or start the service first.`,
    )
    copyDataFolder(dataDir)
    const first = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
    const test = await createDeliveryTest(first.url, { WEBHOOK_RETRY_WAITS_SECONDS: '0' })
    const worker = await test.worker()
    const moving = await prepareMove(test)
    await worker.stop()
    expect(onlyLine(await copyTo(target))).toBe(
      `The server with process id ${process.pid} runs on ${dataDir}: stop it first.`,
    )
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
    const before = await loadEverything(second.url)
    await second.stop()

    expect(onlyLine(await copyTo(used))).toBe(
      'The database of --to already has rows in organization: give the address of an empty database.',
    )
    const { to, PGPASSWORD } = separatePassword(target)
    const { code, stdout, stderr } = await copyTo(to, { PGPASSWORD })

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Copied:\n(\s+\d+\t[\w.]+\n)+\nStart the service with DATABASE_URL and MASTER_KEY="\$\(cat /,
    )
    const emptied = { change: [], change_epoch: [], follower_count: [], token_counter: [] }
    const after = await loadEverything(target)
    for (const name of Object.keys(emptied)) expect(before[name]).not.toEqual([])
    expect(after).toEqual({ ...before, ...emptied })
    await expectClientsWork(target, moving)
  })

  it('continues after it was stopped while it created the tables', async () => {
    const DATA_DIR = copyDataFolder(emptyFolder())
    const target = await createEmptyDatabase()
    const holder = new pg.Client({ connectionString: target })
    await holder.connect()
    onTestFinished(() => holder.end())
    const copying = { script: 'src/cli/data-copy.ts', args: ['--to', target], env: { DATA_DIR } }
    // The third migration cannot create a table of this name until this transaction ends.
    await holder.query('begin; create table webhook_endpoint ()')
    const stopped = run(copying)
    await untilMigratorExecutes(target, 'webhook_endpoint')
    stopped.child.kill('SIGINT')
    await stopped.ended
    await holder.query('rollback')
    expect(await loadMigrationHistory(target)).toHaveLength(2)

    const { code, stdout, stderr } = await run(copying).ended

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Copied:\n/)
  })
})
