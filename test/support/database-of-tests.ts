import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../src/database/client.ts'
import { createPrisma } from '../../src/database/prisma.ts'
import { toTestUrl } from './url-of-tests.ts'

/**
 * The database for the tests' own statements. Unlike the service's connections, these wait as long as a slow machine needs,
 * and have another name: test/statements proves that each statement under the service's name touches one organization.
 */
export function createTestDatabaseClient(url: string, maxConnections = 8): Database {
  const pool = new pg.Pool({
    connectionString: toTestUrl(url),
    max: maxConnections,
    // Sets the time zone as the service does, for Prisma's adapter.
    onConnect: async (client) => void (await client.query(`set time zone 'UTC'`)),
  })
  // A test may break connections on purpose.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const prisma = createPrisma(pool)
  return {
    pool,
    prisma,
    standby: null,
    read: (read) => read(pool),
    ping: async () => void (await pool.query('select 1')),
    async close() {
      await prisma.$disconnect()
      // A failed test may not have released its connection.
      await Promise.race([pool.end(), wait(10_000, undefined, { ref: false })])
    },
  }
}
