import { text } from '../core/input.ts'
import { StartupError } from '../core/startup-error.ts'
import { createOrganization } from '../modules/organizations/create-organization.ts'
import { runCommand } from './command.ts'
import { describeAdmin, toJson } from './print-admin.ts'

const organizationName = text(1, 255)

await runCommand({
  help: `Usage: npm run org:create -- --name NAME [--json]

Makes an organization with an admin service account, and prints its API key, once.

  --name NAME   1 to 255 characters
  --json        print JSON`,
  options: { name: { type: 'string' }, json: { type: 'boolean' } },
  check({ name }) {
    if (name === undefined) throw new StartupError('--name is required: the name of the organization.')
    if (!organizationName.safeParse(name).success) {
      throw new StartupError(`--name must be ${organizationName.description}.`)
    }
  },
  async run({ tx, now, options: { name = '', json } }) {
    const organization = await createOrganization(tx, { name, now })
    return json ? toJson(organization) : `Made the organization "${name}".\n\n${describeAdmin(organization)}`
  },
})
