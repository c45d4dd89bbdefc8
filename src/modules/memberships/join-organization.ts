import { addExternalAccount } from '../../access/external-account.ts'
import { defineInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { inviteToken, loadInviteByToken, useInvite } from '../invites/invite.ts'
import { addMember } from '../members/member.ts'
import { lockOrganization } from '../organizations/organization.ts'
import { lockActingUser } from '../users/user.ts'
import { type Membership, membershipAnswer } from './membership.ts'

/** Uses up the invite. Also creates the account of an external identity that has none. */
export const joinOrganization = defineUserWrite({
  name: 'joinOrganization',
  summary: 'Join an organization with the token of an invite.',
  method: 'POST',
  route: '/user/organizations/join',
  status: 200,
  recordedIn: 'user_and_organization',
  limitsRefusals: true,
  mayBeNew: true,
  input: defineInput({ invite: inviteToken() }, { unknown: 'ignore' }),
  answer: membershipAnswer,
  refusals: ['NOT_FOUND', 'CONFLICT'],
  async run({ tx, now, user, input }) {
    const { newIdentity, userId: unknownId } = user
    const person = newIdentity
      ? await addExternalAccount(tx, newIdentity, { unknownId, now })
      : await lockActingUser(tx, user)
    const invite = await loadInviteByToken(tx, input.invite)
    const { organizationId, role } = invite
    const { name, environment } = await lockOrganization(tx, organizationId)
    await useInvite(tx, invite, person.id)
    const { id: memberId } = await addMember(tx, { organizationId, person, role, now })
    const result: Membership = { organizationId, name, environment, memberId, role }
    return { result, createdId: memberId, member: { organizationId, memberId } }
  },
})
