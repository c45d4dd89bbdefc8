import { StartupError } from '../core/startup-error.ts'
import { connectDatabase } from '../database/client.ts'
import { assertOrganization, readOrganizationId, runCommand } from './command.ts'
import { deleteOrganization } from './delete-organization.ts'
import { onMigratedDatabase } from './on-database.ts'
import { withProgress } from './with-progress.ts'

await runCommand({
  help: `Usage: npm run org:delete -- --organization ID --yes

Ends all keys and sessions of an organization, and deletes it with all its rows, its audit log included. This cannot be
undone: run org:export before. The server may go on running; the command waits ten seconds for requests that had begun. If it
is stopped, run it again. The accounts of people stay. The table deleted_organization records what was deleted, and when.

  --organization ID   the organization
  --yes               delete it`,
  options: { organization: { type: 'string' }, yes: { type: 'boolean' } },
  check({ organization, yes }) {
    readOrganizationId(organization)
    if (yes !== true) throw new StartupError('--yes is required: it deletes everything of the organization for ever.')
  },
  async runLong({ config, options }) {
    const organizationId = readOrganizationId(options.organization)
    return onMigratedDatabase(config, async ({ directUrl }) => {
      const database = connectDatabase({ url: directUrl, maxConnections: 2 })
      try {
        const begun = await database.prisma.deletedOrganization.findUnique({ where: { organizationId } })
        if (begun === null || begun.finishedAt !== null) await assertOrganization(database.prisma, organizationId)
        const rows = await withProgress((show) => deleteOrganization(database, organizationId, show))
        return `Deleted the organization ${organizationId}: ${rows} rows.`
      } finally {
        await database.close()
      }
    })
  },
})
