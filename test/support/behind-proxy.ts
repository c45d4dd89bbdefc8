import pg from 'pg'
import { afterAll } from 'vitest'
import { startDatabaseProxy } from './database-proxy.ts'
import { createOwnDatabase } from './own-database.ts'
import { startService } from './service.ts'

/**
 * A service that reaches its own database through a proxy. In a shared database, transactions held open here would block
 * the schema changes of other test files. `direct` and `databaseUrl` bypass the proxy to read the database's real content.
 */
export async function startServiceBehindProxy() {
  const databaseUrl = await createOwnDatabase()
  const proxy = await startDatabaseProxy(databaseUrl)
  const service = await startService({ DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: databaseUrl })
  const direct = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  afterAll(async () => {
    await direct.end()
    await proxy.close()
  })
  return { proxy, service, direct, databaseUrl }
}
