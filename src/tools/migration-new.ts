import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '../core/startup-error.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { migrationsFolder } from '../database/migration-files.ts'
import { diffToSchema } from './schema-diff.ts'

const usage = `Usage: npm run migration:new -- NAME

Writes a new migration with the changes of schema.prisma. Read and complete it: text columns need COLLATE "C", and what the
schema language cannot express (checks, storage settings) must be added by hand.`

const name = process.argv[2] ?? ''
if (name === '--help' || !/^[a-z0-9_]{1,60}$/.test(name)) {
  console.log(usage)
  process.exit(name === '--help' ? 0 : 1)
}

const dataDir = mkdtempSync(join(tmpdir(), 'migration-new-'))
try {
  const sql = await diffFromMigrations()
  console.log(sql === '' ? 'schema.prisma and the migrations agree: nothing to write.' : writeMigration(sql))
} catch (error) {
  console.error(reasonOf(error))
  process.exitCode = 1
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function diffFromMigrations(): Promise<string> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: console.error, settings: { fsync: 'off' } })
  try {
    await migrate({ url })
    return await diffToSchema(url)
  } finally {
    await stop()
  }
}

function writeMigration(sql: string): string {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(migrationsFolder, `${stamp}_${name}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'migration.sql'), sql)
  return `Wrote ${join(folder, 'migration.sql')}`
}
