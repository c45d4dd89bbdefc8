import type pg from 'pg'
import type { Logger } from 'pino'
import { createPool, wasCutByUs } from './driver.ts'
import { limits, serverLimits } from './limits.ts'
import { markDatabaseError } from './outage.ts'
import { createPrisma, type PrismaClient } from './prisma.ts'
import { Standby } from './standby.ts'

/** The connections to the database: one pool for both Prisma and plain SQL, and the standby if there is one. */
export type Database = {
  pool: pg.Pool
  prisma: PrismaClient
  /** Answers reads while the primary is gone; null without STANDBY_DATABASE_URL. */
  standby: Standby | null
  /** Runs a read that the standby may answer. */
  read<Result>(read: (pool: pg.Pool) => Promise<Result>): Promise<Result>
  /** Resolves when the database answers; rejects within seconds otherwise. */
  ping(): Promise<void>
  /** Lets running statements end, then closes every connection. */
  close(): Promise<void>
}

type ConnectOptions = {
  url: string
  maxConnections?: number
  /** Whether the database is behind a PgBouncer in transaction mode, which refuses connections that send their own settings. */
  pooled?: boolean
  /** Whether a named statement still exists in the next transaction: see pooler.ts. */
  namedStatements?: boolean
  /** The address of a standby that answers evals while the primary is gone. */
  standbyUrl?: string | undefined
  logger?: Pick<Logger, 'info' | 'warn'>
}

const closeTimeoutMs = 10_000
const pingTimeoutMs = 3000
/** One connection for evals, one for bulk snapshots, and four to look up callers, read large data and check the standby. */
const standbyConnections = 6
/** The connections for checking the primary: two, because one of them may be waiting for an answer that never arrives. */
const checkConnections = 2

/** Does not connect yet: if the database is unavailable, the first query or `ping` fails. */
export function connectDatabase(options: ConnectOptions): Database {
  const { pool, allEnded } = connectPool(options)
  const standby = options.standbyUrl ? connectStandby(pool, options.standbyUrl, options) : null
  const prisma = createPrisma(pool)

  return {
    pool,
    prisma,
    standby: standby?.standby ?? null,
    read: (read) => (standby ? standby.standby.read(read) : read(pool)),
    async ping() {
      await pool.query({ text: 'select 1', query_timeout: pingTimeoutMs } as pg.QueryConfig)
    },
    async close() {
      await Promise.all([prisma.$disconnect(), standby?.close()])
      await Promise.race([pool.end().then(allEnded), timeout(closeTimeoutMs)])
    },
  }
}

function connectStandby(primary: pg.Pool, standbyUrl: string, options: ConnectOptions) {
  const { pool: checkPool } = connectPool({ ...options, maxConnections: checkConnections })
  const { pool } = connectPool({ ...options, url: standbyUrl, maxConnections: standbyConnections })
  const standby = new Standby({ primary, checkPool, pool, logger: options.logger })
  return {
    standby,
    async close() {
      await standby.close()
      await Promise.race([Promise.all([checkPool.end(), pool.end()]), timeout(closeTimeoutMs)])
    },
  }
}

function connectPool(options: ConnectOptions): { pool: pg.Pool; allEnded: () => Promise<unknown> } {
  const { url, maxConnections = 20, pooled = false, namedStatements = true, logger } = options
  const pool = createPool({
    pooled,
    namedStatements,
    onNamesLost: (error) =>
      logger?.warn(
        { err: error },
        'the server did not know a prepared statement: from now on none are used, and evals cost the database more. Behind a PgBouncer before 1.21 set PGBOUNCER=true',
      ),
    onCannotGrow: (error, connections) =>
      logger?.warn(
        { err: error, connections, wanted: maxConnections },
        'the database accepts no more connections, so requests wait for the existing ones: see docs/operations/sizing.md',
      ),
    connectionString: url,
    application_name: 'entitlements-service',
    max: maxConnections,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    query_timeout: limits.queryTimeoutMs,
    ...(pooled ? {} : serverLimits),
    // Prisma's adapter drops the offset of a timestamptz and treats the rest as UTC, so the session must use UTC.
    onConnect: async (client) => {
      await client.query({ text: `set time zone 'UTC'`, query_timeout: limits.connectTimeoutMs } as pg.QueryConfig)
    },
  })
  surviveLostConnections(pool, logger)
  dropBusyConnections(pool)
  return { pool, allEnded: trackConnections(pool) }
}

/**
 * Listens to the errors of all connections: an `error` event without a listener would end the process, even if the connection
 * is checked out and runs no query.
 */
function surviveLostConnections(pool: pg.Pool, logger: ConnectOptions['logger']): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      markDatabaseError(error)
      if (!wasCutByUs(client)) logger?.warn({ err: error }, 'lost a database connection')
    })
  })
  pool.on('error', () => {})
}

/**
 * Ends connections that are released while they are still in use: the next user would wait for a canceled query, or run within
 * a transaction whose COMMIT got no reply. Prisma releases such connections as if they were usable.
 */
function dropBusyConnections(pool: pg.Pool): void {
  pool.on('release', (_error, client) => {
    const { readyForQuery, _txStatus } = client
    // The pool removes a connection that is ending, instead of giving it to the next caller.
    if (!readyForQuery || _txStatus !== 'I') client.end().catch(() => {})
  })
}

/**
 * Returns a function whose promise resolves when every connection has closed. `pool.end()` resolves while they are still
 * closing: a server that stopped at that moment would break them, which looks like an outage.
 */
function trackConnections(pool: pg.Pool): () => Promise<unknown> {
  const endings = new Set<Promise<void>>()
  pool.on('connect', (client) => {
    const ending = new Promise<void>((resolve) => client.once('end', resolve))
    endings.add(ending)
    void ending.then(() => endings.delete(ending))
  })
  return () => Promise.all(endings)
}

function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
