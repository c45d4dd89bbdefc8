import { loadConfig } from '../config.ts'
import { print } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { connectDatabase } from '../database/client.ts'
import { assertOrganization, command, organizationOption, run } from './command.ts'
import { deleteOrganization } from './delete-organization.ts'
import { withMigratedDatabase } from './with-database.ts'
import { withProgress } from './with-progress.ts'

await run(
  command('org:delete')
    .description(
      'Ends all keys and sessions of an organization, and deletes it with all its rows, its audit log included. This cannot be undone: run org:export first. The server may keep running; the command waits ten seconds for running requests. If the command is stopped, run it again. The accounts of people stay. The table deleted_organization records what was deleted, and when.',
    )
    .addOption(organizationOption.required)
    .option('--yes', 'delete it')
    .action(async ({ organization: organizationId, yes }) => {
      if (!yes)
        throw new StartupError('--yes is required: the organization and everything in it will be deleted forever.')
      await withMigratedDatabase(loadConfig(process.env), async ({ directUrl }) => {
        const database = connectDatabase({ url: directUrl, maxConnections: 2 })
        try {
          const begun = await database.prisma.deletedOrganization.findUnique({ where: { organizationId } })
          if (begun === null || begun.finishedAt !== null) await assertOrganization(database.prisma, organizationId)
          const rowCount = await withProgress((show) => deleteOrganization(database, organizationId, show))
          print(`Deleted the organization ${organizationId}: ${rowCount} rows.`)
        } finally {
          await database.close()
        }
      })
    }),
)
