import { createAdminKey } from '../modules/memberships/new-organization.ts'
import { assertOrganizationIsHere, command, organizationOption, printFromTransaction, run } from './command.ts'
import { describeAdmin, toJson } from './print-admin.ts'

await run(
  command('org:key')
    .description(
      'Creates a new admin API key for an organization that lost its own, and prints it once. Older keys stay valid.',
    )
    .addOption(organizationOption.required)
    .option('--json', 'print JSON')
    .action(({ organization: organizationId, json }) =>
      printFromTransaction(async ({ tx, now }) => {
        await assertOrganizationIsHere(tx, organizationId)
        const admin = { organizationId, ...(await createAdminKey(tx, { organizationId, now })) }
        return json ? toJson(admin) : `Created a new admin key.\n\n${describeAdmin(admin)}`
      }),
    ),
)
