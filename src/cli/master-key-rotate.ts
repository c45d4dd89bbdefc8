import { printNote } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { connectDatabase } from '../database/client.ts'
import { openVault } from '../database/master-key.ts'
import { runCommand } from './command.ts'
import { onMigratedDatabase } from './on-database.ts'
import { rotateMasterKey } from './rotate-master-key.ts'

await runCommand({
  help: `Usage: npm run master-key:rotate [-- --compromised]

Encrypts again with MASTER_KEY whatever MASTER_KEY_PREVIOUS encrypted, and signs the heads of audit logs again. Run it once all
processes use the new key as MASTER_KEY and the old one as MASTER_KEY_PREVIOUS, with the same two variables. It may run beside
the server, be stopped at any time, and be repeated.

  --compromised   the old key may be known to others: its public keys are no longer listed`,
  options: { compromised: { type: 'boolean' } },
  async runLong({ config, options: { compromised = false } }) {
    const { masterKeyPrevious } = config
    if (!masterKeyPrevious) {
      throw new StartupError(
        'MASTER_KEY_PREVIOUS is not set: give the old key there, and the new one in MASTER_KEY, as to all processes.',
      )
    }
    return onMigratedDatabase(config, async ({ directUrl }) => {
      const database = connectDatabase({ url: directUrl, maxConnections: 1 })
      try {
        const vault = await openVault({ pool: database.pool, ...config })
        return await rotateMasterKey({ pool: database.pool, vault, compromised, print: printNote })
      } finally {
        await database.close()
      }
    })
  },
})
