import { listRoles } from '../../src/modules/members/read-roles.ts'
import { readCounts } from '../../src/modules/organizations/read-counts.ts'
import { readOrganization } from '../../src/modules/organizations/read-organization.ts'
import { updateOrganization } from '../../src/modules/organizations/update-organization.ts'
import { route } from '../route.ts'

export const organizationRoutes = [
  route(readOrganization),
  route(readCounts),
  route(updateOrganization),
  route(listRoles),
]
