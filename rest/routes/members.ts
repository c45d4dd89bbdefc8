import { createMember } from '../../src/modules/members/create-member.ts'
import { deleteMember } from '../../src/modules/members/delete-member.ts'
import type { Member } from '../../src/modules/members/member.ts'
import { listMembers, readMember } from '../../src/modules/members/read-members.ts'
import { updateMember } from '../../src/modules/members/update-member.ts'
import { pageParameters } from '../query.ts'
import { noBody, route } from '../route.ts'

export const memberRoutes = [
  route(listMembers, {
    query: pageParameters,
    reply: ({ items, hasMore }) => ({ members: items.map(memberBody), has_more: hasMore }),
  }),
  route(createMember, { reply: memberBody }),
  route(readMember, { reply: memberBody }),
  route(updateMember, { reply: memberBody }),
  route(deleteMember, { reply: noBody }),
]

function memberBody(member: Member) {
  return {
    member_id: member.id,
    user_id: member.userId,
    service_account_id: member.serviceAccountId,
    display_name: member.displayName,
    email: member.email,
    role: member.role,
    status: member.status,
    created_at: member.createdAt,
    updated_at: member.updatedAt,
  }
}
