import { type ActingMember, actingMemberAnswer } from '../../modules/members/acting-member.ts'
import { createMember } from '../../modules/members/create-member.ts'
import { deleteMember } from '../../modules/members/delete-member.ts'
import { type Member, memberAnswer } from '../../modules/members/member.ts'
import { listMembers, readMember } from '../../modules/members/read-members.ts'
import { updateMember } from '../../modules/members/update-member.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageField } from '../page.ts'

export const MemberType = builder.objectRef<Member>('Member').implement({
  description: memberAnswer.description,
  fields: (t) => answerFields(t, memberAnswer),
})

export const ActingMemberType = builder.objectRef<ActingMember>('ActingMember').implement({
  description: actingMemberAnswer.description,
  fields: (t) => answerFields(t, actingMemberAnswer),
})

const MemberConnection = defineConnection<Member>('Member', MemberType)

builder.queryFields((t) => ({
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
