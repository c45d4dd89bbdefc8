import { noInput } from '../../core/input.ts'
import type { UserMembership } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { unbindInvites } from '../invites/invite.ts'
import { assertMayLeave, loadMember, removeMember } from '../members/member.ts'
import { assertOrganizationIsNotMoving } from '../organizations/organization.ts'
import { endSignIns, lockActingUser } from '../users/user.ts'

/** Removes the person from all organizations; 409 if an organization would have no admin left. */
export const deleteUser = defineUserWrite({
  name: 'deleteUser',
  summary: 'Delete your account and leave every organization.',
  method: 'DELETE',
  route: '/user',
  status: 204,
  recordedIn: 'user',
  input: noInput,
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, now, user }) {
    const { id, issuer, subject } = await lockActingUser(tx, user)
    for (const { organizationId, memberId } of await lockMemberships(tx, id)) {
      await assertOrganizationIsNotMoving(tx, organizationId)
      const member = await loadMember(tx, organizationId, memberId)
      await assertMayLeave(tx, member)
      await removeMember(tx, member)
    }
    await endSignIns(tx, id)
    await unbindInvites(tx, id)
    await tx.userPassword.deleteMany({ where: { userId: id } })
    await tx.signInNetwork.deleteMany({ where: { userId: id } })
    await tx.userAccount.delete({ where: { id } })
    if (issuer !== null && subject !== null) {
      // Without this, tokens that the external issuer has already issued would create a new account.
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

/** Locks the person's organizations before it reads the memberships, because an admin may be removing the person right now. */
async function lockMemberships(tx: Transaction, userId: string): Promise<UserMembership[]> {
  await tx.$queryRaw`
    select 1 from organization
     where organization_id in (select organization_id from user_membership where user_id = ${userId})
     order by organization_id for no key update`
  return tx.userMembership.findMany({ where: { userId }, orderBy: { organizationId: 'asc' } })
}
