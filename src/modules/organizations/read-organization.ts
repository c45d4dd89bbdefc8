import { noInput } from '../../core/input.ts'
import type { Organization } from '../../database/generated/client.ts'
import { defineRead } from '../../operation/operation.ts'
import { organizationAnswer } from './organization.ts'

export const readOrganization = defineRead({
  name: 'organization',
  summary: 'Read the organization.',
  route: '/org',
  service: 'identity',
  labels: ['org:read'],
  input: noInput,
  answer: organizationAnswer,
  async run({ db, organizationId }): Promise<Organization> {
    return db.organization.findUniqueOrThrow({ where: { id: organizationId } })
  },
})
