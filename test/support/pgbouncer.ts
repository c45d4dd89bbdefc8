import { atEnd } from './at-end.ts'
import { type PgbouncerOptions, spawnPgbouncer } from './spawn-pgbouncer.ts'

/** Starts a PgBouncer in front of this database until the test ends; resolves to the database's address through it. */
export async function startPgbouncer(databaseUrl: string, options: PgbouncerOptions = {}): Promise<string> {
  const { url, stop } = await spawnPgbouncer(databaseUrl, options)
  atEnd(stop)
  return url
}
