import { InvalidArgumentError } from '@commander-js/extra-typings'
import { baseUrlOf } from '../config.ts'
import { maxNameLength, name } from '../core/fields.ts'
import { setUpOrganization } from '../modules/memberships/new-organization.ts'
import { command, printFromTransaction, run } from './command.ts'
import { describeAdmin, toJson } from './print-admin.ts'

const organizationName = name()

await run(
  command('org:create')
    .description(
      'Creates an organization with an admin service account, and an invite for its first admin in the console. Prints the key and the link once.',
    )
    .requiredOption('--name <name>', `1 to ${maxNameLength} characters`, parseName)
    .option('--json', 'print JSON')
    .action(({ name, json }) =>
      printFromTransaction(async ({ tx, now, config, openVault }) => {
        const links = { vault: await openVault(), baseUrl: baseUrlOf(config) }
        const organization = await setUpOrganization(tx, { name, now, links })
        return json ? toJson(organization) : `Created the organization "${name}".\n\n${describeAdmin(organization)}`
      }),
    ),
)

function parseName(text: string): string {
  if (organizationName.safeParse(text).success) return text
  throw new InvalidArgumentError(`It must be ${organizationName.description}.`)
}
