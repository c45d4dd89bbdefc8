import { z } from 'zod'
import { defineAnswer } from '../../core/answer.ts'
import { idField, nameField } from '../../core/answer-fields.ts'
import type { Queries } from '../../database/prisma.ts'
import type { ReadScope } from '../../operation/operation.ts'

/** The member who made a change. A removed member has its last display name. */
export type ActingMember = { memberId: string; displayName: string; isServiceAccount: boolean; removed: boolean }

export const actingMemberAnswer = defineAnswer<ActingMember>('ActingMember', 'The member who did something.', {
  member_id: idField().describe('The id of the member.'),
  display_name: nameField().describe('The display name; for a removed member, the last one.'),
  is_service_account: z.boolean().describe('Whether the member is a service account.'),
  removed: z.boolean().describe('Whether the member was removed.'),
})

/** Loads the members for a nested field of GraphQL. */
export function loadActors({ db, organizationId }: ReadScope, memberIds: readonly string[]) {
  return loadActingMembers(db, organizationId, memberIds)
}

/** Loads members by id, in one statement. Leaves out members whose name is unknown. */
export async function loadActingMembers(
  db: Queries,
  organizationId: string,
  memberIds: readonly string[],
): Promise<Map<string, ActingMember>> {
  if (memberIds.length === 0) return new Map()
  const members = await db.$queryRaw<ActingMember[]>`
    select member_id as "memberId", display_name as "displayName",
           service_account_id is not null as "isServiceAccount", false as removed
      from member where organization_id = ${organizationId} and member_id = any(${memberIds}::text[])
     union all
    select member_id, display_name, is_service_account, true
      from former_member where organization_id = ${organizationId} and member_id = any(${memberIds}::text[])`
  return new Map(members.map((member) => [member.memberId, member]))
}
