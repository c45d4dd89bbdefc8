import { note } from '../../core/field-type.ts'
import { optionalFields } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { Organization } from '../../database/generated/client.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { environment, organizationAnswer, organizationFields } from './organization.ts'

export const updateOrganization = defineWrite({
  name: 'updateOrganization',
  summary: 'Rename the organization, or set its environment.',
  method: 'PATCH',
  route: '/org',
  service: 'identity',
  labels: ['org:write'],
  locks: 'organization',
  status: 200,
  input: defineInput(
    {
      ...optionalFields(organizationFields.input),
      environment: note(environment().nullable().optional().describe('live, test or null'), {
        meaning: 'Whether the organization is for real customers or for tests; null to remove the setting.',
      }),
    },
    { unknown: 'ignore' },
  ),
  answer: organizationAnswer,
  async run({ tx, now, organizationId, input }) {
    const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
    const details = describeChanges(organization, input)
    if (!details) return { result: organization, details }
    const data = { ...toColumns(input), updatedAt: nextUpdatedAt(organization, now) }
    const updated: Organization = await tx.organization.update({ where: { id: organizationId }, data })
    return { result: updated, details }
  },
})
