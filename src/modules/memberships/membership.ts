import { defineAnswer, listOf } from '../../core/answer.ts'
import { idField, textField } from '../../core/answer-fields.ts'
import type { Role } from '../../database/generated/enums.ts'
import { role } from '../members/member.ts'

/** An organization as one of its members sees it. */
export type Membership = { organizationId: string; name: string; memberId: string; role: Role }

export const membershipAnswer = defineAnswer<Membership>(
  'Membership',
  'An organization as one of its members sees it.',
  {
    organization_id: idField().describe('The id of the organization.'),
    name: textField(1, 255).describe('The name of the organization.'),
    member_id: idField().describe('Who the person is there.'),
    role: role().describe('What the person may do there.'),
  },
)

/** Nothing caps how many organizations a person joins. */
export const membershipsAnswer = listOf('organizations', membershipAnswer)
