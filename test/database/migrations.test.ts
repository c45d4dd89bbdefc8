import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { loadMigrations, migrationsFolder } from '../../src/database/migration-files.ts'
import { diffToSchema } from '../../src/tools/schema-diff.ts'
import { loadMigrationHistory, rowsOf, untilMigratorExecutes } from '../support/migrations.ts'
import { createEmptyDatabase } from '../support/own-database.ts'
import { applyWithPrisma, diagnoseWithPrisma } from '../support/prisma-engine.ts'

const next = '99990101000000_next'
const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a folder with our migrations and one more. */
function createFolderWith(sql: string): string {
  cpSync(migrationsFolder, folder, { recursive: true })
  mkdirSync(join(folder, next), { recursive: true })
  writeFileSync(join(folder, next, 'migration.sql'), sql)
  return folder
}

const namesOf = async () => (await loadMigrations()).map(({ name }) => name)

describe('migrations', () => {
  it('produce the tables of schema.prisma', async () => {
    expect(await diffToSchema(inject('databaseUrl'))).toBe('')
  })

  it('run once when several processes start together', async () => {
    const url = await createEmptyDatabase()

    await Promise.all([migrate({ url }), migrate({ url }), migrate({ url })])

    expect((await loadMigrationHistory(url)).map((row) => row.migration_name)).toEqual(await namesOf())
  })

  it('leave nothing behind when one fails, report which one and why, and run once it is fixed', async () => {
    const url = await createEmptyDatabase()
    const broken = `create table half (a int);
      do $$ begin perform 1; raise exception 'no luck; none'; end $$;`

    await expect(migrate({ url, folder: createFolderWith(broken) })).rejects.toThrow(
      /migration 99990101000000_next failed and was undone: ERROR: no luck; none$/,
    )
    expect(await rowsOf(url, `select to_regclass('half') as half`)).toEqual([{ half: null }])

    await migrate({ url, folder: createFolderWith('create table whole (a int);') })
    expect(await rowsOf(url, `select to_regclass('whole')::text as whole`)).toEqual([{ whole: 'whole' }])
  })

  it('quote the message, line, detail and hint of PostgreSQL when they fail', async () => {
    const url = await createEmptyDatabase()
    const failureOf = (sql: string) => migrate({ url, folder: createFolderWith(sql) }).catch((error) => error.message)
    const start = `The database cannot be brought up to date: migration ${next} failed and was undone: `

    expect(await failureOf(`-- é\ncreate table once (a int);\nselect nothing from once;`)).toBe(
      `${start}ERROR: column "nothing" does not exist (line 3 of the file)`,
    )
    expect(await failureOf(`select 1 from pg_class where relname @@ 1`)).toMatch(
      /ERROR: operator does not exist: name @@ integer \(line 1 of the file\)\. .*Hint: /,
    )
    expect(await failureOf('create table once (a int primary key); insert into once values (1), (1)')).toBe(
      `${start}ERROR: duplicate key value violates unique constraint "once_pkey". Detail: Key (a)=(1) already exists`,
    )
  })

  it('are logged when applied: together on an empty database, later ones one by one', async () => {
    const url = await createEmptyDatabase()
    const applied: string[][] = []
    const onApplied = (names: string[]) => void applied.push(names)

    await migrate({ url, onApplied })
    await migrate({ url, onApplied })
    await migrate({ url, onApplied, folder: createFolderWith('create table later (a int)') })

    expect(applied).toEqual([await namesOf(), [next]])
  })

  it('create an audit log that nobody can empty', async () => {
    const url = await createEmptyDatabase()
    await migrate({ url })

    for (const log of ['audit_event', 'user_audit_event']) {
      await expect(rowsOf(url, `truncate ${log}`)).rejects.toThrow(/^Entries of the audit log cannot be/)
    }
  })
})

describe('the history of migrations', () => {
  it('continues where Prisma’s engine, which applied them in earlier versions, stopped', async () => {
    const url = await createEmptyDatabase()
    await applyWithPrisma(url)
    const before = await loadMigrationHistory(url)
    const applied: string[][] = []

    await migrate({
      url,
      onApplied: (names) => void applied.push(names),
      folder: createFolderWith('create table more (a int)'),
    })

    expect(applied).toEqual([[next]])
    expect((await loadMigrationHistory(url)).slice(0, -1)).toEqual(
      before.map((row) => ({ ...row, runs_beside: null, applied_by: null })),
    )
  })

  it('passes the checks of Prisma’s own tools', async () => {
    const url = await createEmptyDatabase()
    await migrate({ url })

    expect(await diagnoseWithPrisma(url)).toMatchObject({
      history: null,
      failedMigrationNames: [],
      editedMigrationNames: [],
      hasMigrationsTable: true,
    })
  })

  it('repeats a migration that Prisma’s engine recorded as begun but not finished', async () => {
    const url = await createEmptyDatabase()
    const broken = createFolderWith('create table again (a int); select 1/0;')
    await expect(applyWithPrisma(url, broken)).rejects.toThrow('division by zero')

    await migrate({ url, folder: createFolderWith('create table again (a int);') })

    const rows = (await loadMigrationHistory(url)).filter((row) => row.migration_name === next)
    expect(rows.map((row) => [row.finished_at !== null, row.rolled_back_at !== null]).sort()).toEqual([
      [false, true],
      [true, false],
    ])
  })

  it('prevents the start on a database that a newer version has migrated', async () => {
    const url = await createEmptyDatabase()
    await migrate({ url, folder: createFolderWith('create table newer (a int)') })

    await expect(migrate({ url })).rejects.toThrow(
      `The database was brought up to date by a newer version of this program (unknown here: ${next}): start that version, or restore a backup from before its first start.`,
    )
  })

  it('allows the start on a database of a newer version if the newer migrations allow this version beside them', async () => {
    const url = await createEmptyDatabase()
    const newest = (await namesOf()).at(-1)
    await migrate({
      url,
      folder: createFolderWith(`-- Adds a table.\n-- runs beside: ${newest}\ncreate table newer (a int)`),
    })

    await expect(migrate({ url })).resolves.toBeUndefined()
    expect((await loadMigrationHistory(url)).at(-1)).toMatchObject({ migration_name: next, runs_beside: newest })
  })

  it('contains no migration that claims to run beside a version that is not older', async () => {
    const migrations = await loadMigrations()
    const names = await namesOf()

    for (const { name, runsBeside } of migrations) {
      if (runsBeside !== null) expect(names.slice(0, names.indexOf(name))).toContain(runsBeside)
    }
  })

  it('builds no index that blocks writes to an existing table beside an older version', async () => {
    for (const { name, sql, runsBeside } of await loadMigrations()) {
      if (runsBeside === null) continue
      const created = Array.from(sql.matchAll(/create\s+(?:unlogged\s+)?table\s+"?(\w+)/gi), ([, table]) => table)
      const indexed = sql.matchAll(/create\s+(?:unique\s+)?index\s+(?!concurrently).*?\son\s+"?(\w+)/gis)
      expect(created, name).toEqual(expect.arrayContaining(Array.from(indexed, ([, table]) => table)))
    }
  })

  it('prevents the start if a migration changed after it ran, except for its line endings', async () => {
    const url = await createEmptyDatabase()
    const text = '-- one\ncreate table changed (a int);\n'
    await migrate({ url, folder: createFolderWith(text) })

    await migrate({ url, folder: createFolderWith(text.replaceAll('\n', '\r\n')) })
    await expect(migrate({ url, folder: createFolderWith(text.replace('int', 'bigint')) })).rejects.toThrow(
      `The file of migration ${next} was changed after this database ran it: restore the file, and write a new migration for the change.`,
    )
  })

  it('does not begin in a database that contains tables of another program', async () => {
    const url = await createEmptyDatabase()
    await rowsOf(url, 'create table somebodys (a int)')

    await expect(migrate({ url })).rejects.toThrow(
      'The database is not empty and holds no data of this service (it has "somebodys"): create a database for the service, and set DATABASE_URL to it.',
    )
    expect(await rowsOf(url, `select to_regclass('_prisma_migrations') as history`)).toEqual([{ history: null }])
  })

  it('names the schema version of the installed pg-boss', async () => {
    const { pgboss } = JSON.parse(readFileSync('node_modules/pg-boss/package.json', 'utf8'))
    const migrations = await loadMigrations()
    const lines = migrations.flatMap(({ sql }) =>
      Array.from(sql.matchAll(/^-- pg-boss: (\d+)$/gm), ([, v]) => Number(v)),
    )

    // Version 0.1.0 created pg-boss's schema 43; a later migration that upgrades it has a line `-- pg-boss: …`.
    expect(pgboss.schema, 'see docs/contributing.md, "A newer pg-boss"').toBe(lines.at(-1) ?? 43)
  })
})

describe('a migration that is asked to stop', () => {
  it('rolls back, and releases the lock', async () => {
    const url = await createEmptyDatabase()
    await migrate({ url })
    const stopping = new AbortController()
    const running = migrate({
      url,
      signal: stopping.signal,
      folder: createFolderWith('create table slow (a int); select pg_sleep(600)'),
    })
    const refused = expect(running).rejects.toThrow('enough')
    await untilMigratorExecutes(url, 'pg_sleep')

    stopping.abort(new Error('enough'))

    await refused
    await migrate({ url })
    expect(await rowsOf(url, `select to_regclass('slow') as slow`)).toEqual([{ slow: null }])
  })

  it('stops waiting for the lock', async () => {
    const url = await createEmptyDatabase()
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('select pg_advisory_lock(5067413001)')
    const stopping = new AbortController()
    const refused = expect(migrate({ url, signal: stopping.signal })).rejects.toThrow('enough')
    await untilMigratorExecutes(url, 'pg_try_advisory_lock', 'idle')

    stopping.abort(new Error('enough'))

    await refused
  })
})
