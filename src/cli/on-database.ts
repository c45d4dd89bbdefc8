import type { Config } from '../config.ts'
import { printNote } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { findUnapplied } from '../database/find-unapplied.ts'
import {
  findGivenDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from '../database/locate-database.ts'
import { migrate } from '../database/migrate.ts'

/** Uses the database like `onDatabase`, once it is migrated; with MIGRATE=false it must be already. */
export async function onMigratedDatabase<T>(config: Config, use: (located: LocatedDatabase) => Promise<T>): Promise<T> {
  return onDatabase(config, async (located) => {
    if (config.migrate) await migrate({ url: located.directUrl })
    else await assertMigrated(located.directUrl)
    return use(located)
  })
}

async function assertMigrated(url: string): Promise<void> {
  const unapplied = await findUnapplied(url)
  if (unapplied.length === 0) return
  throw new StartupError(
    `The database lacks ${unapplied.length} migrations, and MIGRATE is false: run \`npm run migrate\` first.`,
  )
}

/** Uses a running server's database, or an embedded PostgreSQL started only for this. */
export async function onDatabase<T>(config: Config, use: (located: LocatedDatabase) => Promise<T>): Promise<T> {
  const existing = (await findGivenDatabase(config)) ?? (await findRunningDatabase(config))
  const located = existing ?? (await startEmbeddedDatabase(config, printNote))
  try {
    return await use(located)
  } finally {
    await located.stop()
  }
}
