import type { Config } from '../../config.ts'
import { connectDatabase } from '../../database/client.ts'
import { deriveAuditKeys, openVault } from '../../database/master-key.ts'
import { withClient } from '../../database/stored-tables.ts'
import { onMigratedDatabase } from '../on-database.ts'
import { verifyDatabase } from './verify-database.ts'

type Options = Pick<Parameters<typeof verifyDatabase>[0], 'organization' | 'heads' | 'keysOfHeads' | 'tell'>

/** Checks the database of this configuration, with the keys of its master key. */
export async function verifyDatabaseOf(config: Config, options: Options): Promise<number> {
  return onMigratedDatabase(config, async ({ directUrl }) => {
    const database = connectDatabase({ url: directUrl, maxConnections: 1 })
    try {
      const keys = deriveAuditKeys(await openVault({ pool: database.pool, ...config }))
      return await withClient({ url: directUrl, purpose: 'audit verify' }, async (client) => {
        await client.query(`set statement_timeout = 60000`)
        return verifyDatabase({ ...options, client, keys })
      })
    } finally {
      await database.close()
    }
  })
}
