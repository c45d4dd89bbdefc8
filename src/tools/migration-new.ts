import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { command, run } from '../cli/command.ts'
import { print, printNote } from '../core/print.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { migrationsFolder } from '../database/migration-files.ts'
import { completeMigration } from './complete-migration.ts'
import { diffToSchema } from './schema-diff.ts'

await run(
  command('migration:new')
    .description(
      'Writes a new migration with the changes of schema.prisma. Read it, and add what the schema language cannot express: checks, storage settings, a first line that says what the migration is for.',
    )
    .argument('<name>', 'the name of the migration, such as feature_unit', parseName)
    .action(async (name) => {
      const sql = await diffFromMigrations()
      if (sql === '') return print('schema.prisma and the migrations agree: nothing to write.')
      const { text, advice } = completeMigration(sql, latestMigration())
      print(`Wrote ${write(name, text)}`)
      for (const line of advice) printNote(line)
    }),
)

function parseName(text: string): string {
  if (/^[a-z0-9_]{1,60}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 60 lower-case letters, digits and _.')
}

async function diffFromMigrations(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'migration-new-'))
  try {
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: printNote, settings: { fsync: 'off' } })
    try {
      await migrate({ url })
      return await diffToSchema(url)
    } finally {
      await stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function latestMigration(): string {
  const names = readdirSync(migrationsFolder).filter((name) => /^\d+_/.test(name))
  return names.sort().at(-1) as string
}

function write(name: string, text: string): string {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(migrationsFolder, `${stamp}_${name}`)
  mkdirSync(folder)
  const file = join(folder, 'migration.sql')
  writeFileSync(file, text)
  return file
}
