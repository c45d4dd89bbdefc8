import pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { explainDatabaseError } from './explain-error.ts'
import { loadMigrations } from './migration-files.ts'
import { findHistory, findMissingMigrations, type RecordedMigration } from './migration-history.ts'

/**
 * Finds the names of this program's migrations that the database still lacks; changes nothing. Throws a StartupError if
 * `migrate` would refuse the database, or if the database is unavailable.
 */
export async function findUnappliedMigrations(url: string): Promise<string[]> {
  const history = (await loadHistory(url)) ?? []
  return findMissingMigrations(await loadMigrations(), history).map(({ name }) => name)
}

/** Loads the migration history of the database at this address; null if its table does not exist. Changes nothing. */
export async function loadHistory(url: string): Promise<RecordedMigration[] | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await findHistory(client)
  } catch (error) {
    throw new StartupError(`The migrations of the database cannot be read: ${explainDatabaseError(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}
