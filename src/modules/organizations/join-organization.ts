import type { UserActor } from '../../access/actor.ts'
import { lockPerson } from '../../access/rights.ts'
import { defineInput, storableText } from '../../core/input.ts'
import { defineUserWrite, type Transaction } from '../../operation/operation.ts'
import { loadInviteByToken, useInvite } from '../invites/invite.ts'
import { addMember } from '../members/member.ts'
import { lockActingUser, type User } from '../users/user.ts'
import { lockOrganization, type Membership } from './organization.ts'

/** Uses the invite up. For an outside identity that nobody knows yet it makes the account as well. */
export const joinOrganization = defineUserWrite({
  name: 'joinOrganization',
  method: 'POST',
  route: '/user/organizations/join',
  status: 200,
  recordedIn: 'user_and_organization',
  mayBeNew: true,
  input: defineInput({ invite: storableText().describe('the token of an invite: inv_…') }, { unknown: 'ignore' }),
  async run({ tx, now, user, input }) {
    const person = user.newIdentity ? await addOutsideUser(tx, user, now) : await lockActingUser(tx, user)
    const invite = await loadInviteByToken(tx, input.invite)
    const { organizationId, role } = invite
    const { name } = await lockOrganization(tx, organizationId)
    await useInvite(tx, invite, person.id)
    const { id: memberId } = await addMember(tx, { organizationId, person, role, now })
    const result: Membership = { organizationId, name, memberId, role }
    return { result, createdId: memberId, member: { organizationId, memberId } }
  },
})

/** The account of the outside identity; another request may make it at the same moment. */
async function addOutsideUser(tx: Transaction, { userId, newIdentity }: UserActor, now: Date): Promise<User> {
  if (!newIdentity) throw new Error('Only an outside identity is new.')
  const { issuer, subject, email, displayName } = newIdentity
  await tx.userAccount.createMany({
    data: { id: userId, issuer, subject, email, displayName, createdAt: now, updatedAt: now },
    skipDuplicates: true,
  })
  const user = await tx.userAccount.findUniqueOrThrow({ where: { issuer_subject: { issuer, subject } } })
  await lockPerson(tx, user.id)
  return user
}
