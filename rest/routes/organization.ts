import { listRoles } from '../../src/modules/members/read-roles.ts'
import { readCounts } from '../../src/modules/organizations/read-counts.ts'
import { readOrganization } from '../../src/modules/organizations/read-organization.ts'
import { updateOrganization } from '../../src/modules/organizations/update-organization.ts'
import { search } from '../../src/modules/search/read-search.ts'
import { route } from '../route.ts'

export const organizationRoutes = [
  route(readOrganization),
  route(readCounts),
  route(search),
  route(updateOrganization),
  route(listRoles),
]
