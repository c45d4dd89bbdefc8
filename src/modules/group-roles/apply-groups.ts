import { waitForRunningWrites } from '../../access/rights.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { Member } from '../../database/generated/client.ts'
import type { Role } from '../../database/generated/enums.ts'
import type { PrismaClient, Queries } from '../../database/prisma.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { Origin } from '../../http/origin.ts'
import { transactionLimits } from '../../operation/write-budget.ts'
import { describeChanges } from '../../recording/details.ts'
import { recordGroupChange } from '../../recording/record-group-change.ts'
import { addMember, endConsoleSessions, isLastAdmin } from '../members/member.ts'
import { isBeingMoved, lockOrganization } from '../organizations/organization.ts'
import { lockActingUser, type SignedIn } from '../users/user.ts'
import { strongestRoleOf } from './group-role.ts'

/*
 * | Member                | Groups have  | New state                                            |
 * | none                  | a role       | a member by group, with the strongest role           |
 * | by group, active      | a role       | that role                                            |
 * | by group, active      | no role      | disabled, unless it is the last active admin         |
 * | disabled by a sign-in | a role       | active again, with that role                         |
 * | disabled by hand      | a role       | stays disabled, with that role                       |
 * | not by group          | (any)        | stays as it is                                       |
 */

type GroupSignIn = {
  prisma: PrismaClient
  signedIn: SignedIn
  /** The person's groups, as the provider names them. */
  groups: readonly string[]
  /** The ids of the organizations in which groups may have roles. */
  organizations: readonly string[]
  origin: Origin
}

/** Gives the person the memberships that their groups allow, one organization after another. */
export async function applyGroups({ prisma, organizations, ...person }: GroupSignIn): Promise<void> {
  for (const organizationId of organizations) {
    // Most sign-ins change nothing, and need no lock.
    const groupChange = { organizationId, ...person }
    const change = await findChange(prisma, groupChange)
    if (change === null) continue
    // Skip the organization while it is being moved: a later sign-in makes the person a member, and other organizations are not
    // affected.
    if (change.member?.status !== 'active' && (await isBeingMoved(prisma, organizationId))) continue
    await prisma.$transaction((tx) => applyChange(tx, groupChange), transactionLimits)
  }
}

type GroupChange = Omit<GroupSignIn, 'prisma' | 'organizations'> & { organizationId: string }

type MemberChange = {
  member: Member | null
  changed: { role?: Role; status?: Member['status']; disabledByGroup?: boolean }
}

/** Finds the required change of the member; null if there is none. */
async function findChange(
  db: Queries,
  { organizationId, signedIn, groups }: GroupChange,
): Promise<MemberChange | null> {
  const where = { organizationId, group: { in: [...groups] } }
  const groupRoles = await db.groupRole.findMany({ where, select: { role: true } })
  const role = strongestRoleOf(groupRoles.map((each) => each.role))
  const member = await db.member.findFirst({ where: { organizationId, userId: signedIn.userId } })
  if (!member) return role && { member, changed: { role } }
  if (!member.byGroup) return null
  const changed: MemberChange['changed'] = {}
  if (role === null) {
    if (member.status === 'active') Object.assign(changed, { status: 'disabled', disabledByGroup: true })
  } else {
    if (role !== member.role) changed.role = role
    if (member.disabledByGroup) Object.assign(changed, { status: 'active', disabledByGroup: false })
  }
  return Object.keys(changed).length === 0 ? null : { member, changed }
}

/** Finds the change again under the locks, because another sign-in or an admin may have changed the member meanwhile. */
async function applyChange(tx: Transaction, groupChange: GroupChange): Promise<void> {
  const { organizationId, origin, signedIn } = groupChange
  const { userId, tokenGeneration, now } = signedIn
  const person = await lockActingUser(tx, { userId, tokenGeneration, userSessionId: null })
  await lockOrganization(tx, organizationId)
  const memberChange = await findChange(tx, groupChange)
  if (!memberChange) return
  const { member, changed } = memberChange
  const recorded = { organizationId, userId, origin }
  if (!member) {
    const role = changed.role as Role
    const { id: memberId } = await addMember(tx, { organizationId, person, role, now, byGroup: true })
    await recordGroupChange(tx, { ...recorded, memberId, status: 201, details: { member_id: memberId, role } })
    return
  }
  if (await isLastAdmin(tx, member)) return
  const memberId = member.id
  await waitForRunningWrites(tx, [{ organizationId, memberId }])
  await tx.member.update({
    where: { organizationId_id: { organizationId, id: memberId } },
    data: { ...changed, updatedAt: nextUpdatedAt(member, now) },
  })
  if (changed.status === 'disabled') await endConsoleSessions(tx, member)
  const { disabledByGroup: _, ...visible } = changed
  await recordGroupChange(tx, { ...recorded, memberId, status: 200, details: describeChanges(member, visible) ?? {} })
}
