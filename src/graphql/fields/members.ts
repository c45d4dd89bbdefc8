import { type ActingMember, actingMemberAnswer } from '../../modules/members/acting-member.ts'
import { createMember } from '../../modules/members/create-member.ts'
import { deleteMember } from '../../modules/members/delete-member.ts'
import { loadLastSeen } from '../../modules/members/last-seen.ts'
import { type Member, memberAnswer } from '../../modules/members/member.ts'
import { listMembers, readMember } from '../../modules/members/read-members.ts'
import { listRoles, type RoleWithLabels, roleAnswer } from '../../modules/members/read-roles.ts'
import { updateMember } from '../../modules/members/update-member.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageField } from '../page.ts'

export const MemberType = builder.objectRef<Member>('Member').implement({
  description: memberAnswer.description,
  fields: (t) => ({
    ...answerFields(t, memberAnswer),
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the member last acted, to the minute; null when that is not known.',
      resolve: async ({ id }, _args, context, info) => (await context.nested(info, id, loadLastSeen)) ?? null,
    }),
  }),
})

export const ActingMemberType = builder.objectRef<ActingMember>('ActingMember').implement({
  description: actingMemberAnswer.description,
  fields: (t) => answerFields(t, actingMemberAnswer),
})

const RoleType = builder.objectRef<RoleWithLabels>('RoleWithLabels').implement({
  description: roleAnswer.description,
  fields: (t) => answerFields(t, roleAnswer),
})

const MemberConnection = defineConnection<Member>('Member', MemberType)

builder.queryFields((t) => ({
  [listRoles.name]: t.field({
    type: [RoleType],
    description: listRoles.summary,
    resolve: (_root, _args, context) => context.run(listRoles),
  }),
  [listMembers.name]: t.field(pageField(listMembers, MemberConnection)),
  [readMember.name]: t.field({
    type: MemberType,
    description: readMember.summary,
    args: { memberId: t.arg.id({ required: true }) },
    resolve: (_root, { memberId }, context) => context.run(readMember, { memberId }),
  }),
}))

builder.prismaObjectFields('Organization', (t) => ({
  members: t.field({
    ...pageField(listMembers, MemberConnection),
    labels: listMembers.labels,
  }),
}))

defineMutation(createMember, {
  type: MemberType,
})

defineMutation(updateMember, {
  type: MemberType,
})

defineMutation(deleteMember, {
  type: 'ID',
  note: 'Answers the id that is gone.',
})
