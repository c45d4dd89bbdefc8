import { defineAnswer, listOf } from '../../core/answer.ts'
import { idField, nameField } from '../../core/answer-fields.ts'
import { requireFound } from '../../core/errors.ts'
import { isUlid } from '../../core/ids.ts'
import type { UserMembership } from '../../database/generated/client.ts'
import type { Environment, Role } from '../../database/generated/enums.ts'
import type { Transaction } from '../../database/transaction.ts'
import { role } from '../members/member.ts'
import { environment } from '../organizations/organization.ts'

/** An organization as one of its members sees it. */
export type Membership = {
  organizationId: string
  name: string
  environment: Environment | null
  memberId: string
  role: Role
}

export const membershipAnswer = defineAnswer<Membership>(
  'Membership',
  'An organization as one of its members sees it.',
  {
    organization_id: idField().describe('The id of the organization.'),
    name: nameField().describe('The name of the organization.'),
    environment: environment()
      .optional()
      .describe('Whether the organization is for real customers or for tests, if this was set.'),
    member_id: idField().describe("The id of the person's member in the organization."),
    role: role().describe('The role of the person in the organization.'),
  },
)

/** There is no limit on the organizations that a person may join. */
export const membershipsAnswer = listOf('organizations', membershipAnswer)

/** Loads the person's membership; without one, throws 404 as for an unknown organization. */
export async function loadMembership(tx: Transaction, userId: string, organizationId: string): Promise<UserMembership> {
  const where = { userId_organizationId: { userId, organizationId } }
  return requireFound(
    'organization',
    organizationId,
    isUlid(organizationId) && (await tx.userMembership.findUnique({ where })),
  )
}
