import { z } from 'zod'
import { waitForRunningWrites } from '../../access/rights.ts'
import { defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { idField, nameField, textField, timeFields } from '../../core/answer-fields.ts'
import { conflict, requireFound } from '../../core/errors.ts'
import { namedEnum } from '../../core/field-type.ts'
import { name } from '../../core/fields.ts'
import { isUlid, newId } from '../../core/ids.ts'
import type { Member as MemberRow } from '../../database/generated/client.ts'
import { type MemberStatus, Role } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'
import type { User } from '../users/user.ts'

/** A caller in an organization: a person, with the e-mail of their account, or a service account. */
export type Member = MemberRow & { email: string | null }

export const roles = Object.values(Role)

export function role() {
  return namedEnum(
    'Role',
    {
      admin: 'Everything, including members, invites and service accounts.',
      developer: 'Everything that support may do, and the catalog and the webhook.',
      support: 'Everything that viewers may do, and subscribers and their overrides.',
      viewer: 'Reads and evals, without the webhook and the audit log.',
      evaluator: 'Only evals.',
    } satisfies Record<Role, string>,
    'The role of a member. `roles` lists the labels of each role.',
  )
}

function memberStatus() {
  return namedEnum(
    'MemberStatus',
    {
      active: 'The member may act in the organization.',
      disabled: 'The member cannot act in the organization.',
    } satisfies Record<MemberStatus, string>,
    'Whether a member may act in the organization.',
  ).describe('active or disabled')
}

/** The fields of an update. */
export const memberFields = defineFields('Member', {
  display_name: { input: name(), answer: nameField().describe('The display name.') },
  role: { input: role(), answer: role().describe('The role of the member.') },
  status: {
    input: memberStatus(),
    answer: memberStatus().describe('A disabled member cannot act in the organization.'),
  },
})

const { display_name, ...otherFields } = memberFields.answer

export const memberAnswer = defineAnswer<Member>(
  'Member',
  'A caller in the organization: a person or a service account.',
  {
    member_id: fieldFrom('id', idField().describe('The id of the member.')),
    user_id: idField().nullable().describe('The id of the person; null for a service account.'),
    service_account_id: idField().nullable().describe('The id of the service account; null for a person.'),
    display_name,
    email: textField(1, 254).nullable().describe("The e-mail of the person's account."),
    ...otherFields,
    by_group: z
      .boolean()
      .describe(
        'Whether a group at the identity provider makes the person a member, and decides their role and status.',
      ),
    ...timeFields,
  },
)

export const membersAnswer = pageOf('members', memberAnswer)

/** Loads the member, or throws 404, also for a malformed id. */
export async function loadMember(db: Queries, organizationId: string, id: string): Promise<Member> {
  const where = { organizationId_id: { organizationId, id } }
  const member = requireFound('member', id, isUlid(id) && (await db.member.findUnique({ where })))
  const [withEmail] = await withEmails(db, [member])
  return withEmail as Member
}

/** Adds the e-mails of the members' accounts, in one statement. */
export async function withEmails(db: Queries, members: readonly MemberRow[]): Promise<Member[]> {
  const userIds = members.flatMap(({ userId }) => userId ?? [])
  const users = userIds.length
    ? await db.userAccount.findMany({ where: { id: { in: userIds } }, select: { id: true, email: true } })
    : []
  const emailByUser = new Map(users.map(({ id, email }) => [id, email]))
  return members.map((member) => ({ ...member, email: emailByUser.get(member.userId ?? '') ?? null }))
}

/** Makes the person a member; 409 if they already are one. The caller has locked the organization and the person. */
export async function addMember(
  tx: Transaction,
  { person, now, ...membership }: { organizationId: string; person: User; role: Role; now: Date; byGroup?: true },
): Promise<Member> {
  const { organizationId } = membership
  const { id: userId, displayName, email } = person
  const [member] = await tx.member.createManyAndReturn({
    data: { ...membership, id: newId(), userId, displayName, createdAt: now, updatedAt: now },
    skipDuplicates: true,
  })
  if (!member)
    throw conflict({ field: 'user_id', value: userId }, 'This person is already a member of the organization.')
  await tx.userMembership.create({ data: { userId, organizationId, memberId: member.id } })
  return { ...member, email }
}

/**
 * Throws 409 if this member is the last active admin and would lose the role, the status or the membership. The caller has
 * locked the organization. `change` becomes the details of the refusal.
 */
export async function assertAdminStays(
  tx: Transaction,
  member: MemberRow,
  change: { field: 'role' | 'status' | 'member_id'; value: string },
): Promise<void> {
  if (await isLastAdmin(tx, member)) {
    throw conflict(
      change,
      'This is the last active admin of the organization who has signed in to it. Add another admin first, who must sign in too.',
    )
  }
}

/**
 * Whether the member is the only active admin that counts. A person counts only after signing in to the organization, so that
 * nobody who was merely added to it becomes its only admin; a service account always counts.
 */
export async function isLastAdmin(tx: Transaction, member: MemberRow): Promise<boolean> {
  const { organizationId, id, role, status } = member
  if (role !== 'admin' || status !== 'active') return false
  const others = await tx.$queryRaw<object[]>`
    select 1 from member m
     where organization_id = ${organizationId} and role = 'admin' and status = 'active' and member_id <> ${id}
       and (service_account_id is not null
         or exists (select from member_last_seen s where s.organization_id = m.organization_id and s.member_id = m.member_id))
     limit 1`
  return others.length === 0
}

/**
 * Throws 409 if the last active admin would leave. A person who neither created the organization nor ever signed in to it may
 * always leave. The caller has locked the organization.
 */
export async function assertMayLeave(tx: Transaction, member: MemberRow): Promise<void> {
  const { organizationId, id, userId } = member
  const [participation] = await tx.$queryRaw<object[]>`
    select from organization where organization_id = ${organizationId} and creator_id = ${userId}
     union all
    select from member_last_seen where organization_id = ${organizationId} and member_id = ${id}`
  if (participation) await assertAdminStays(tx, member, { field: 'member_id', value: id })
}

/**
 * Deletes the member with its credentials: console sessions, or the service account and its keys. The caller has locked the
 * organization. Deletes the member first, because a write that has locked the member may still wait for its key.
 */
export async function removeMember(tx: Transaction, member: MemberRow): Promise<void> {
  const { organizationId, id, userId, serviceAccountId } = member
  await waitForRunningWrites(tx, [{ organizationId, memberId: id }])
  const { displayName } = await tx.member.delete({ where: { organizationId_id: { organizationId, id } } })
  await tx.memberLastSeen.deleteMany({ where: { organizationId, memberId: id } })
  // Keep the name, so that the member's actions stay readable.
  const isServiceAccount = serviceAccountId !== null
  await tx.formerMember.create({ data: { organizationId, id, displayName, isServiceAccount } })
  if (serviceAccountId !== null) await tx.apiKey.deleteMany({ where: { organizationId, serviceAccountId } })
  if (userId !== null) await tx.userMembership.deleteMany({ where: { userId, organizationId } })
  await endConsoleSessions(tx, member)
}

export async function endConsoleSessions(tx: Transaction, { organizationId, id, userId }: MemberRow): Promise<void> {
  if (userId !== null) await tx.consoleSession.deleteMany({ where: { organizationId, userId, memberId: id } })
}
