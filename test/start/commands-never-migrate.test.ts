import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/core/version.ts'
import { loadMigrations } from '../../src/database/migration-files.ts'
import { createDatabaseBeforeMigration } from '../support/database-before.ts'
import { migrateAsNewer } from '../support/newer-migration.ts'
import { createEmptyDatabase, createOwnDatabase } from '../support/own-database.ts'
import { commands, MASTER_KEY, runOn } from './database-commands.ts'
import { onlyLine, run, runCommand, startServer, temporaryFolder } from './server-process.ts'

/** These commands have no database of their own, or exist to create tables. */
const otherCommands = ['data-copy', 'import', 'migrate', 'webhook-listen']

/** Everything that a command could change: tables, columns, and the rows of each table. */
async function stateOf(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const columns = await client.query(
      `select table_schema, table_name, column_name from information_schema.columns
        where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, 3`,
    )
    const names = [...new Set(columns.rows.map((row) => `${row.table_schema}."${row.table_name}"`))]
    const rows: unknown[] = []
    for (const name of names) rows.push((await client.query(`select t::text from ${name} t order by 1`)).rows)
    return [columns.rows, rows]
  } finally {
    await client.end()
  }
}

/** One after the other: if all start at once on a slow machine, some do not get the database's answer in time. */
async function runAll(url: string): Promise<string[]> {
  const lines: string[] = []
  for (const command of Object.keys(commands)) lines.push(await runOn(url, command))
  return lines
}

it('these tests include each command of package.json that uses the database', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const files = Object.values<string>(scripts).flatMap((script) => /src\/cli\/([\w-]+)\.ts/.exec(script)?.[1] ?? [])

  expect(files.sort()).toEqual([...Object.keys(commands), ...otherCommands].sort())
})

describe("a command whose migrations differ from the database's", () => {
  it('refuses a database of an older version, names both versions, and changes nothing', async () => {
    const [previous, newest] = (await loadMigrations()).slice(-2).map(({ name }) => name) as [string, string]
    const { url, client } = await createDatabaseBeforeMigration(newest)
    // The state in which versions before 0.2.0 left a database.
    await client.query('alter table _prisma_migrations drop column applied_by')
    const before = await stateOf(url)

    const lines = await runAll(url)

    expect(new Set(lines)).toEqual(
      new Set([
        `This command is version ${version} (newest migration ${newest}), but the database was last migrated by a version before 0.2.0 (newest migration ${previous}): it lacks ${newest}. Run the command from that version, or migrate the database first: run \`npm run migrate\`, or start the service. Nothing was changed.`,
      ]),
    )
    expect(await stateOf(url)).toEqual(before)
  })

  it('refuses a database of a newer version, even one that this version may serve, and changes nothing', async () => {
    const newest = (await loadMigrations()).at(-1)?.name
    const url = await createOwnDatabase()
    const newer = '99990101000000_newer'
    await migrateAsNewer(url, { [newer]: `-- runs beside: ${newest}\nselect` })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`update _prisma_migrations set applied_by = '9.8.7' where migration_name = $1`, [newer])
    await client.end()
    const before = await stateOf(url)

    const lines = await runAll(url)

    expect(new Set(lines)).toEqual(
      new Set([
        `This command is version ${version} (newest migration ${newest}), but the database was last migrated by version 9.8.7 (newest migration ${newer}): it has ${newer}, which this command does not know. Run the command from that version. Nothing was changed.`,
      ]),
    )
    expect(await stateOf(url)).toEqual(before)
  })

  it('refuses a database that no process has migrated yet, and creates no embedded PostgreSQL', async () => {
    const url = await createEmptyDatabase()
    const DATA_DIR = join(temporaryFolder(), 'data')

    for (const command of ['org-create', 'audit-verify'])
      expect(await runOn(url, command)).toMatch(/^The database has no tables of the service yet: start the service/)
    expect(onlyLine(await runCommand('org-create', ['--name', 'Acme'], { DATA_DIR }))).toMatch(
      /^There is no embedded database in /,
    )

    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it('refuses to run; only a start and `npm run migrate` migrate the database and record their version', async () => {
    const url = await createEmptyDatabase()

    expect(await runCommand('migrate', [], { DATABASE_URL: url })).toMatchObject({ code: 0 })

    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select distinct applied_by from _prisma_migrations')
    await client.end()
    expect(rows).toEqual([{ applied_by: version }])
    await startServer({ env: { DATABASE_URL: url, MASTER_KEY } })
  })
})

describe('audit:verify --database', () => {
  it('writes nothing, not even the key of a database that has none yet', async () => {
    const url = await createOwnDatabase()
    const DATA_DIR = temporaryFolder()
    const before = await stateOf(url)
    const verify = (env: Record<string, string>) =>
      run({ script: 'src/cli/audit-verify.ts', args: ['--database'], env })

    const { code, stdout } = await verify({ DATABASE_URL: url, MASTER_KEY }).ended
    const withoutKey = await verify({ DATABASE_URL: url, MASTER_KEY: '', DATA_DIR }).ended

    expect({ code, stdout }).toEqual({ code: 0, stdout: '0 records are as they were signed.\n' })
    expect(onlyLine(withoutKey)).toMatch(/master-key is missing/)
    expect(existsSync(join(DATA_DIR, 'master-key'))).toBe(false)
    expect(await stateOf(url)).toEqual(before)
  })
})
