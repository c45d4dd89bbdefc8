import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { migrationsFolder } from '../../src/database/migration-files.ts'
import { createEmptyDatabase } from './own-database.ts'

/** Creates a database as it was before the migration of this name, and a client for it. */
export async function createDatabaseBeforeMigration(migration: string): Promise<{ url: string; client: pg.Client }> {
  const url = await createEmptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of readdirSync(migrationsFolder)) {
    if (name < migration) cpSync(join(migrationsFolder, name), join(folder, name), { recursive: true })
  }
  await migrate({ url, folder })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return { url, client }
}
