import pg from 'pg'
import { expect } from 'vitest'

export async function rowsOf(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The database's record of its migrations. */
export const loadMigrationHistory = (url: string) =>
  rowsOf(url, 'select * from _prisma_migrations order by migration_name')

/** Resolves when a migrating session is in this state and its latest statement, running or finished, contains this text. */
export async function untilMigratorExecutes(url: string, statement: string, state = 'active'): Promise<void> {
  await expect
    .poll(() =>
      rowsOf(
        url,
        `select from pg_stat_activity where datname = current_database() and state = '${state}'
         and application_name = 'entitlements-service migrations' and query like '%${statement}%'`,
      ),
    )
    .toHaveLength(1)
}
