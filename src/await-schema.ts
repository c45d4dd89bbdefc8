import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { findUnappliedMigrations } from './database/find-unapplied-migrations.ts'
import { areQueuesSetUp } from './events/queues.ts'
import { createWaitingApp } from './health.ts'
import { type ListenAddress, listen } from './listen.ts'

type AwaitSchemaOptions = {
  /** Connects to the database directly, not through a PgBouncer. */
  url: string
  signal: AbortSignal
  logger: Pick<Logger, 'info'>
  /** The address where health checks are answered while the process waits, or null. */
  listenAddress: ListenAddress | null
}

const recheckMs = 1000

/** For MIGRATE=false: resolves once `npm run migrate` has applied all migrations that this process needs. */
export async function awaitSchema({ url, signal, logger, listenAddress }: AwaitSchemaOptions): Promise<void> {
  if (await isMigrated(url)) return
  const app = listenAddress && createWaitingApp()
  try {
    if (app && listenAddress) await listen(app, listenAddress)
    logger.info(
      { migrations: (await findUnappliedMigrations(url)).length },
      'waiting until npm run migrate has migrated the database',
    )
    do await wait(recheckMs, undefined, { signal })
    while (!(await isMigrated(url)))
    logger.info('the database is migrated')
  } finally {
    await app?.close()
  }
}

async function isMigrated(url: string): Promise<boolean> {
  return (await findUnappliedMigrations(url)).length === 0 && areQueuesSetUp(url)
}
