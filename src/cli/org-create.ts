import { baseUrlOf } from '../config.ts'
import { maxNameLength, name } from '../core/fields.ts'
import { StartupError } from '../core/startup-error.ts'
import { makeOrganization } from '../modules/memberships/new-organization.ts'
import { runCommand } from './command.ts'
import { describeAdmin, toJson } from './print-admin.ts'

const organizationName = name()

await runCommand({
  help: `Usage: npm run org:create -- --name NAME [--json]

Creates an organization with an admin service account, and an invite for its first admin in the console. Prints the key and
the link once.

  --name NAME   1 to ${maxNameLength} characters
  --json        print JSON`,
  options: { name: { type: 'string' }, json: { type: 'boolean' } },
  check({ name }) {
    if (name === undefined) throw new StartupError('--name is required: the name of the organization.')
    if (!organizationName.safeParse(name).success) {
      throw new StartupError(`--name must be ${organizationName.description}.`)
    }
  },
  async run({ tx, now, config, openVault, options: { name = '', json } }) {
    const links = { vault: await openVault(), baseUrl: baseUrlOf(config) }
    const organization = await makeOrganization(tx, { name, now, links })
    return json ? toJson(organization) : `Created the organization "${name}".\n\n${describeAdmin(organization)}`
  },
})
