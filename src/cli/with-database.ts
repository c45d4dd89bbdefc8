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
import { untilStopSignal } from './stop-signals.ts'

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
  const useMigrated = async (located: LocatedDatabase) => {
    await assertMigrated(located.directUrl)
    return use(located)
  }
  const existing = await findExistingDatabase(config, options)
  return existing ? useMigrated(existing) : withExistingEmbeddedDatabase(config, useMigrated)
}

/**
 * Uses the configured database, or that of a running server. Otherwise starts the embedded PostgreSQL for the call, and creates
 * it if necessary.
 */
export async function withDatabase<T>(config: Config, use: (located: LocatedDatabase) => Promise<T>): Promise<T> {
  const existing = await findExistingDatabase(config)
  return existing ? use(existing) : withEmbeddedDatabase(config, use)
}

/** Starts the embedded PostgreSQL for the call, but only if it was started before, instead of creating an empty one. */
export async function withExistingEmbeddedDatabase<T>(
  config: Config,
  use: (located: LocatedDatabase) => Promise<T>,
): Promise<T> {
  const { dataDir } = config
  // The first start writes this file.
  if (!existsSync(join(dataDir, 'postgres.log')))
    throw new StartupError(
      `There is no embedded database in ${dataDir}: set DATA_DIR to the folder that has one, or start the service first.`,
    )
  return withEmbeddedDatabase(config, use)
}

async function findExistingDatabase(config: Config, options?: Options): Promise<LocatedDatabase | null> {
  return (await findConfiguredDatabase(config, options)) ?? (await findRunningDatabase(config))
}

/** Starts the embedded PostgreSQL, and stops it after the call, or when a signal ends the command. */
function withEmbeddedDatabase<T>(config: Config, use: (located: LocatedDatabase) => Promise<T>): Promise<T> {
  return untilStopSignal(async (stopping) => {
    const located = await startEmbeddedDatabase(config, printNote)
    try {
      stopping.throwIfAborted()
      const stopped = new Promise<never>((_, reject) => {
        stopping.addEventListener('abort', () => reject(stopping.reason))
      })
      // Does not wait for the use: its statements end with the database.
      return await Promise.race([use(located), stopped])
    } finally {
      await located.stop()
    }
  })
}
