import { noInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { assertMayLeave, loadMember, removeMember } from '../members/member.ts'
import { lockOrganization } from '../organizations/organization.ts'
import { lockActingUser } from '../users/user.ts'
import { loadMembership } from './membership.ts'

/**
 * Removes the person from the organization and ends their console sessions there; a disabled member may leave too. Throws 409
 * for the last active admin, and 404 for people who are not members, so that they do not learn whether the organization exists.
 */
export const leaveOrganization = defineUserWrite({
  name: 'leaveOrganization',
  summary: 'Leave an organization, and end your console sessions there.',
  method: 'DELETE',
  route: '/user/organizations/{organization_id}',
  status: 204,
  recordedIn: 'user_and_organization',
  input: noInput,
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, user, path: { organization_id: organizationId } }) {
    const { id: userId } = await lockActingUser(tx, user)
    await loadMembership(tx, userId, organizationId)
    await lockOrganization(tx, organizationId)
    // An admin may have removed the person while this request waited for the lock.
    const { memberId } = await loadMembership(tx, userId, organizationId)
    const member = await loadMember(tx, organizationId, memberId)
    await assertMayLeave(tx, member)
    await removeMember(tx, member)
    return { result: organizationId, member: { organizationId, memberId } }
  },
})
