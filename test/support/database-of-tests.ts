import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../src/database/client.ts'
import { createPrisma } from '../../src/database/prisma.ts'
import { urlOfTests } from './url-of-tests.ts'

/**
 * The database for the statements of the tests themselves. Unlike the service's own connections these wait as long as a slow
 * machine needs, and they do not have its name: test/statements proves of its statements that each is of one organization.
 */
export function databaseOfTests(url: string, maxConnections = 8): Database {
  const pool = new pg.Pool({
    connectionString: urlOfTests(url),
    max: maxConnections,
    // As the service does, for Prisma's adapter.
    onConnect: async (client) => void (await client.query(`set time zone 'UTC'`)),
  })
  // A test may break connections on purpose.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const prisma = createPrisma(pool)
  return {
    pool,
    prisma,
    ping: async () => void (await pool.query('select 1')),
    async close() {
      await prisma.$disconnect()
      // A test that failed may have left a connection unreleased.
      await Promise.race([pool.end(), wait(10_000, undefined, { ref: false })])
    },
  }
}
