import { groupRoleAnswer } from '../../modules/group-roles/group-role.ts'
import { actingMemberAnswer } from '../../modules/members/acting-member.ts'
import { loadLastSeen } from '../../modules/members/last-seen.ts'
import { memberAnswer } from '../../modules/members/member.ts'
import { listMembers } from '../../modules/members/read-members.ts'
import { roleAnswer } from '../../modules/members/read-roles.ts'
import { builder } from '../builder.ts'
import { defineType } from '../output-type.ts'
import { pageField } from '../page.ts'

export const MemberType = defineType(memberAnswer, {
  fields: (t) => ({
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the member last acted, to the minute, if known.',
      resolve: async ({ id }, _args, context, info) => (await context.nested(info, id, loadLastSeen)) ?? null,
    }),
  }),
})

export const ActingMemberType = defineType(actingMemberAnswer)

defineType(roleAnswer)

defineType(groupRoleAnswer)

builder.prismaObjectFields('Organization', (t) => ({
  members: t.field({ ...pageField(listMembers, MemberType), labels: listMembers.labels }),
}))
