import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartupError } from '../core/startup-error.ts'

/** Any number that nothing else in this database uses for an advisory lock. */
const lockKey = 5_067_413_001
/** Longer than any migration that another process may be running. */
const lockWaitMs = 300_000

export type MigrateOptions = {
  /** A connection of its own, not through PgBouncer: the lock belongs to it. */
  url: string
  folder?: string | undefined
}

/** Brings the database up to date. Of several processes that start together one does it, and the others wait. */
export async function migrate({ url, folder }: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, lock_timeout: lockWaitMs })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const failure = await applyApart({ url, folder })
    if (failure !== null) throw new StartupError(`The database cannot be brought up to date: ${failure}`)
  } finally {
    // Also gives up the lock.
    await client.end().catch(() => {})
  }
}

/** In a process that ends: what Prisma's schema engine leaves behind in memory is needed at the start alone. */
function applyApart(options: MigrateOptions): Promise<string | null> {
  const applying = fork(fileURLToPath(new URL('apply-migrations.ts', import.meta.url)), { execArgv: [] })
  return new Promise((resolve) => {
    applying.once('message', (failure) => resolve(failure as string | null))
    applying.once('error', (error) => resolve(error.message))
    applying.once('exit', (code, signal) => resolve(`its process ended with ${signal ?? code}`))
    applying.send(options)
  })
}
