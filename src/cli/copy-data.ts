import type pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { assertMigrated } from '../database/assert-migrated.ts'
import { loadHistory } from '../database/find-unapplied-migrations.ts'
import { migrate } from '../database/migrate.ts'
import { withoutVersions } from '../database/sql.ts'
import { beginSnapshot, loadStoredTables, readAsJson, type StoredTable, withClient } from '../database/stored-tables.ts'
import { areQueuesSetUp, setUpQueues } from '../events/queues.ts'
import type { ShowProgress } from './with-progress.ts'

/**
 * Tables that are not copied: they contain transaction numbers, which are valid only in their own PostgreSQL. Only connected
 * followers read them, and all followers start over on the copy.
 */
const tablesNotCopied = ['change']

/**
 * Copies all tables, jobs and sequences to a database without rows, in one transaction there; returns the number of rows of
 * each table. Unlogged tables are not copied.
 */
export async function copyData(sourceUrl: string, targetUrl: string, show: ShowProgress): Promise<Map<string, number>> {
  show('creating the tables')
  await assertMigrated(sourceUrl)
  if (!(await areQueuesSetUp(sourceUrl)))
    throw new StartupError('The embedded database has no queues yet: start the service on it once, and stop it.')
  // A copy that was stopped leaves behind some tables without rows. A database that has rows is never migrated, because
  // another version may use it.
  if ((await loadHistory(targetUrl)) !== null) await assertIsEmpty(targetUrl)
  await migrate({ url: targetUrl })
  await assertMigrated(targetUrl)
  await setUpQueues(targetUrl)
  return withClient({ url: sourceUrl, purpose: 'copy' }, async (source) => {
    return withClient({ url: targetUrl, purpose: 'copy' }, async (target) => {
      await source.query(beginSnapshot)
      await target.query(`begin; set local time zone 'UTC'; select ${withoutVersions}`)
      const copied = await copyTables(source, target, show)
      await copySequences(source, target)
      await target.query('commit')
      await target.query('analyze')
      return copied
    })
  })
}

async function copyTables(source: pg.Client, target: pg.Client, show: ShowProgress): Promise<Map<string, number>> {
  const names = [...(await loadCopiedTables(source)).map(({ name }) => name), 'pgboss.job']
  for (const name of names) await assertTableIsEmpty(target, name)
  const copied = new Map<string, number>()
  let total = 0
  for (const name of names) {
    const count = await copyTable(source, target, name, (rows) => {
      total += rows
      show(`copied ${total} rows, now copying ${name}`)
    })
    copied.set(name, count)
  }
  return copied
}

async function loadCopiedTables(client: pg.Client): Promise<StoredTable[]> {
  const stored = await loadStoredTables(client)
  return stored.filter(({ name, isUnlogged }) => !isUnlogged && !tablesNotCopied.includes(name))
}

async function assertIsEmpty(targetUrl: string): Promise<void> {
  await withClient({ url: targetUrl, purpose: 'copy' }, async (target) => {
    for (const { name } of await loadCopiedTables(target)) await assertTableIsEmpty(target, name)
  })
}

async function assertTableIsEmpty(target: pg.Client, table: string): Promise<void> {
  const { rows } = await target.query(`select from ${table} limit 1`)
  if (rows.length === 0) return
  throw new StartupError(`The database of --to already has rows in ${table}: give the address of an empty database.`)
}

/** Copies the rows as JSON, which preserves all values of the types that we use. */
async function copyTable(
  source: pg.Client,
  target: pg.Client,
  table: string,
  onCopied: (rows: number) => void,
): Promise<number> {
  let count = 0
  for await (const rows of readAsJson(source, `select * from ${table}`)) {
    await target.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      `[${rows.join()}]`,
    ])
    count += rows.length
    onCopied(rows.length)
  }
  return count
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(
    `select quote_ident(sequencename) as name, last_value as last from pg_sequences
      where schemaname = 'public' and last_value is not null`,
  )
  for (const { name, last } of rows) await target.query('select setval($1, $2)', [name, last])
}
