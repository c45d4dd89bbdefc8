import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { printNote } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { assertMigrated } from '../database/assert-migrated.ts'
import {
  findConfiguredDatabase,
  findRunningDatabase,
  type LocatedDatabase,
  startEmbeddedDatabase,
} from '../database/locate-database.ts'

type Options = {
  /** Whether a standby is enough, because the command only reads. */
  mayBeStandby?: boolean
}

/** Uses a database that has exactly the migrations of this program: only `start` and `migrate` migrate. */
export async function withMigratedDatabase<T>(
  config: Config,
  use: (located: LocatedDatabase) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const located = (await findExistingDatabase(config, options)) ?? (await startExistingDatabase(config))
  return stopAfter(located, async () => {
    await assertMigrated(located.directUrl)
    return use(located)
  })
}

/**
 * Uses the configured database, or that of a running server. Otherwise starts the embedded PostgreSQL for the call, and creates
 * it if necessary.
 */
export async function withDatabase<T>(config: Config, use: (located: LocatedDatabase) => Promise<T>): Promise<T> {
  const located = (await findExistingDatabase(config)) ?? (await startEmbeddedDatabase(config, printNote))
  return stopAfter(located, () => use(located))
}

/** Starts the embedded PostgreSQL only if it was started before, instead of creating an empty one. */
export async function startExistingDatabase(config: Config): Promise<LocatedDatabase> {
  const { dataDir } = config
  // The first start writes this file.
  if (!existsSync(join(dataDir, 'postgres.log')))
    throw new StartupError(
      `There is no embedded database in ${dataDir}: set DATA_DIR to the folder that has one, or start the service first.`,
    )
  return startEmbeddedDatabase(config, printNote)
}

async function findExistingDatabase(config: Config, options?: Options): Promise<LocatedDatabase | null> {
  return (await findConfiguredDatabase(config, options)) ?? (await findRunningDatabase(config))
}

async function stopAfter<T>(located: LocatedDatabase, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } finally {
    await located.stop()
  }
}
