import { noInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { unbindInvites } from '../invites/invite.ts'
import { assertAdminStays, loadMember, removeMember } from '../members/member.ts'
import { lockOrganization } from '../organizations/organization.ts'
import { endSignIns, lockActingUser } from './user.ts'

/** Takes the person out of every organization; 409 while one would be left without an admin. */
export const deleteUser = defineUserWrite({
  name: 'deleteUser',
  method: 'DELETE',
  route: '/user',
  status: 204,
  recordedIn: 'user',
  input: noInput,
  async run({ tx, now, user }) {
    const { id, issuer, subject } = await lockActingUser(tx, user, 'update')
    const memberships = await tx.userMembership.findMany({ where: { userId: id }, orderBy: { organizationId: 'asc' } })
    for (const { organizationId, memberId } of memberships) {
      await lockOrganization(tx, organizationId)
      // An admin may have taken the person out at the same moment.
      const isMember = await tx.userMembership.count({ where: { userId: id, organizationId, memberId } })
      if (isMember === 0) continue
      const member = await loadMember(tx, organizationId, memberId)
      await assertAdminStays(tx, member, { field: 'member_id', value: memberId })
      await removeMember(tx, member)
    }
    await endSignIns(tx, id)
    await unbindInvites(tx, id)
    await tx.userPassword.deleteMany({ where: { userId: id } })
    await tx.userAccount.delete({ where: { id } })
    if (issuer !== null && subject !== null) {
      // Tokens of the outside issuer that are out already would make a new account.
      const identity = { issuer, subject }
      await tx.endedIdentity.upsert({
        where: { issuer_subject: identity },
        create: { ...identity, endedAt: now },
        update: { endedAt: now },
      })
    }
    return { result: id }
  },
})
