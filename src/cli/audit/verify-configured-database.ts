import type { Config } from '../../config.ts'
import { printNote } from '../../core/print.ts'
import { deriveAuditKeys, openVault } from '../../database/master-key.ts'
import { withClient } from '../../database/stored-tables.ts'
import { withMigratedDatabase } from '../with-database.ts'
import { verifyDatabase } from './verify-database.ts'

type Options = Pick<Parameters<typeof verifyDatabase>[0], 'organization' | 'heads' | 'keysOfHeads' | 'report'>

/**
 * Checks the configured database with keys that are derived from the configured master key; resolves to the number of records.
 * Writes nothing, because the database may be evidence, or a standby.
 */
export async function verifyConfiguredDatabase(config: Config, options: Options): Promise<number> {
  const verify = (url: string) =>
    withClient({ url, purpose: 'audit verify' }, async (client) => {
      await client.query(`set default_transaction_read_only = on; set statement_timeout = 60000`)
      const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
      if (rows[0]?.isStandby) printNote('This is a standby: it may lack the newest records of its primary.')
      const keys = deriveAuditKeys(await openVault({ pool: client, ...config, readOnly: true }))
      return verifyDatabase({ ...options, client, keys })
    })
  return withMigratedDatabase(config, ({ directUrl }) => verify(directUrl), { mayBeStandby: true })
}
