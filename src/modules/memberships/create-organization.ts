import { newId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { addMember } from '../members/member.ts'
import { addOrganization, organizationFields } from '../organizations/organization.ts'
import { lockActingUser } from '../users/user.ts'
import { type Membership, membershipAnswer } from './membership.ts'

/** The caller becomes its admin. */
export const createOrganization = defineUserWrite({
  name: 'createOrganization',
  summary: 'Create an organization. You become its admin.',
  method: 'POST',
  route: '/user/organizations',
  status: 201,
  recordedIn: 'user_and_organization',
  input: defineInput(organizationFields, { unknown: 'ignore' }),
  answer: membershipAnswer,
  async run({ tx, now, user, input }) {
    const person = await lockActingUser(tx, user)
    const organizationId = newId()
    await addOrganization(tx, { organizationId, ...toColumns(input), now })
    const { id: memberId, role } = await addMember(tx, { organizationId, person, role: 'admin', now })
    const result: Membership = { organizationId, name: input.name, memberId, role }
    return { result, createdId: organizationId, member: { organizationId, memberId } }
  },
})
