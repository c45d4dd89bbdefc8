import { conflict } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { addMember } from '../members/member.ts'
import { addOrganization, organizationFields } from '../organizations/organization.ts'
import { lockActingUser, type User } from '../users/user.ts'
import { type Membership, membershipAnswer } from './membership.ts'

/** The caller becomes the organization's admin. */
export const createOrganization = defineUserWrite({
  name: 'createOrganization',
  summary: 'Create an organization. You become its admin.',
  method: 'POST',
  route: '/user/organizations',
  status: 201,
  recordedIn: 'user_and_organization',
  input: defineInput(organizationFields.input, { unknown: 'ignore' }),
  answer: membershipAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, user, input, identity, limits: { maxOrganizationsPerPerson: max } }) {
    // Lock the person, so that the count is still right at the commit.
    const person = await lockActingUser(tx, user)
    if (max !== null && (await tx.organization.count({ where: { creatorId: person.id } })) >= max) {
      throw conflict(
        { field: 'organizations', value: max },
        `You have created ${max} organizations, and no more are allowed. Ask the operator of this server for more.`,
      )
    }
    if (identity.signUp === 'invited') await assertInvited(tx, person)
    const organizationId = newId()
    await addOrganization(tx, { organizationId, creatorId: person.id, ...toColumns(input), now })
    const { id: memberId, role } = await addMember(tx, { organizationId, person, role: 'admin', now })
    const result: Membership = { organizationId, name: input.name, environment: null, memberId, role }
    return { result, createdId: organizationId, member: { organizationId, memberId } }
  },
})

/**
 * Throws 409 for people who sign in with the identity provider and are not yet members of any organization. Needed because
 * everyone with an account at the identity provider gets an account here at the first sign-in.
 */
async function assertInvited(tx: Transaction, { id: userId, issuer }: User): Promise<void> {
  if (issuer === null || (await tx.userMembership.findFirst({ where: { userId } }))) return
  throw conflict(
    { field: 'organizations', value: 0 },
    'Only people who were invited can create organizations here. Join an organization with an invite first.',
  )
}
