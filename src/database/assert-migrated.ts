import { StartupError } from '../core/startup-error.ts'
import { version } from '../core/version.ts'
import { loadHistory } from './find-unapplied-migrations.ts'
import { loadMigrations } from './migration-files.ts'
import { findMissingMigrations, isMigrationApplied, type RecordedMigration } from './migration-history.ts'

/**
 * Throws a StartupError unless the database has exactly the migrations of this program; changes nothing. A command must not
 * migrate, because that could stop the processes of the previous version; and a command that does not know the tables could
 * damage data.
 */
export async function assertMigrated(url: string): Promise<void> {
  const history = await loadHistory(url)
  if (history === null) throw new StartupError(notMigratedMessage)
  const ownMigrations = await loadMigrations()
  const names = ownMigrations.map(({ name }) => name)
  const applied = history.filter(isMigrationApplied)
  const appliedNames = new Set(applied.map((row) => row.migration_name))
  const unknown = [...appliedNames].filter((name) => !names.includes(name)).sort()
  const missing = names.filter((name) => !appliedNames.has(name))
  // `findMissingMigrations` throws if a checksum differs.
  if (unknown.length === 0 && missing.length === 0) return void findMissingMigrations(ownMigrations, history)
  const differences = [
    ...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`has ${unknown.join(', ')}, which this command does not know`] : []),
  ]
  const advice =
    unknown.length > 0
      ? 'Run the command from that version.'
      : 'Run the command from that version, or migrate the database first: run `npm run migrate`, or start the service.'
  throw new StartupError(
    `This command is version ${version} (newest migration ${names.at(-1)}), but the database was last migrated by ${describeLastMigration(applied, unknown)}: it ${differences.join(', and ')}. ${advice} Nothing was changed.`,
  )
}

const notMigratedMessage =
  'The database has no tables of the service yet: start the service on it, or run `npm run migrate`. Nothing was changed.'

/** Describes the version that applied the newest migration, with the migration's name. */
function describeLastMigration(applied: readonly RecordedMigration[], unknown: readonly string[]): string {
  const newest = applied.toSorted((a, b) => (a.migration_name < b.migration_name ? -1 : 1)).at(-1)
  if (!newest) return 'no version'
  const { applied_by: appliedBy, migration_name: name } = newest
  const older = unknown.includes(name) ? 'another version' : 'a version before 0.2.0'
  return `${appliedBy === null ? older : `version ${appliedBy}`} (newest migration ${name})`
}
