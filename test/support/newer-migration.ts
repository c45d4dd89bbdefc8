import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/database/migrate.ts'
import { migrationsFolder } from '../../src/database/migration-files.ts'
import type { MigrationProgress } from '../../src/database/migration-progress.ts'

/** Applies these migrations after ours, as a newer version of the service would. */
export async function migrateAsNewer(
  url: string,
  migrations: Record<string, string>,
  onProgress?: (progress: MigrationProgress) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'newer-migrations-'))
  try {
    cpSync(migrationsFolder, folder, { recursive: true })
    for (const [name, sql] of Object.entries(migrations)) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'migration.sql'), sql)
    }
    await migrate({ url, folder, onProgress })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
