import { makeAdminKey } from '../modules/memberships/new-organization.ts'
import { assertOrganization, readOrganizationId, runCommand } from './command.ts'
import { describeAdmin, toJson } from './print-admin.ts'

await runCommand({
  help: `Usage: npm run org:key -- --organization ID [--json]

Creates a new admin API key for an organization that lost its own, and prints it once. Older keys stay valid.

  --organization ID   the organization
  --json              print JSON`,
  options: { organization: { type: 'string' }, json: { type: 'boolean' } },
  check({ organization }) {
    readOrganizationId(organization)
  },
  async run({ tx, now, options }) {
    const organizationId = readOrganizationId(options.organization)
    await assertOrganization(tx, organizationId)
    const admin = { organizationId, ...(await makeAdminKey(tx, { organizationId, now })) }
    return options.json ? toJson(admin) : `Created a new admin key.\n\n${describeAdmin(admin)}`
  },
})
