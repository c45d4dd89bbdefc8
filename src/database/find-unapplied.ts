import pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { explainDatabaseError } from './explain-error.ts'
import { loadMigrations } from './migration-files.ts'
import { findHistory, findMissing } from './migration-history.ts'

/**
 * The names of our migrations that the database still lacks; changes nothing. Throws a StartupError where `migrate` would
 * refuse the database, and if it is unavailable.
 */
export async function findUnapplied(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const history = (await findHistory(client)) ?? []
    return findMissing(await loadMigrations(), history).map(({ name }) => name)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The migrations of the database cannot be read: ${explainDatabaseError(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}
