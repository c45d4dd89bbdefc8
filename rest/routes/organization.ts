import type { Organization } from '../../src/modules/organizations/organization.ts'
import { readOrganization } from '../../src/modules/organizations/read-organization.ts'
import { updateOrganization } from '../../src/modules/organizations/update-organization.ts'
import { route } from '../route.ts'

export const organizationRoutes = [
  route(readOrganization, { reply: organizationBody }),
  route(updateOrganization, { reply: organizationBody }),
]

function organizationBody({ id, name, createdAt, updatedAt }: Organization) {
  return { organization_id: id, name, created_at: createdAt, updated_at: updatedAt }
}
