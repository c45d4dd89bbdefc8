import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { diffToSchema } from '../../src/database/schema-diff.ts'
import { migrationsFolder } from '../../src/database/schema-engine.ts'

const admin = new pg.Client({ connectionString: inject('databaseUrl') })
const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
const names: string[] = []

beforeAll(() => admin.connect())
afterAll(async () => {
  for (const name of names) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
  rmSync(folder, { recursive: true })
})

/** The address of an empty database beside the one that the tests share. */
async function emptyDatabase(): Promise<string> {
  const name = `migrations_${process.pid}_${names.length}`
  await admin.query(`create database ${name}`)
  names.push(name)
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  return url.href
}

/** Our migrations and one more. */
function folderWith(sql: string): string {
  cpSync(migrationsFolder, folder, { recursive: true })
  mkdirSync(join(folder, '99990101000000_next'), { recursive: true })
  writeFileSync(join(folder, '99990101000000_next', 'migration.sql'), sql)
  return folder
}

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('migrations', () => {
  it('lead to what schema.prisma says', async () => {
    expect(await diffToSchema(inject('databaseUrl'))).toBe('')
  })

  it('run once when several processes start together', async () => {
    const url = await emptyDatabase()

    await Promise.all([migrate({ url }), migrate({ url }), migrate({ url })])

    expect(await rowsOf(url, `select migration_name from _prisma_migrations`)).toHaveLength(
      (await rowsOf(url, `select distinct migration_name from _prisma_migrations`)).length,
    )
  })

  it('leave nothing behind when they fail, say which and why, and run once they are mended', async () => {
    const url = await emptyDatabase()
    const broken = `create table half (a int);
      do $$ begin perform 1; raise exception 'no luck; none'; end $$;`

    await expect(migrate({ url, folder: folderWith(broken) })).rejects.toThrow(
      /migration 99990101000000_next failed and was undone: ERROR: no luck; none$/,
    )
    expect(await rowsOf(url, `select to_regclass('half') as half`)).toEqual([{ half: null }])

    await migrate({ url, folder: folderWith('create table whole (a int);') })
    expect(await rowsOf(url, `select to_regclass('whole')::text as whole`)).toEqual([{ whole: 'whole' }])
  })

  it('leave an audit log that nobody can empty', async () => {
    const url = await emptyDatabase()
    await migrate({ url })

    for (const log of ['audit_event', 'user_audit_event']) {
      await expect(rowsOf(url, `truncate ${log}`)).rejects.toThrow(/^Entries of the audit log cannot be/)
    }
  })
})
