import { createMember } from '../../modules/members/create-member.ts'
import { deleteMember } from '../../modules/members/delete-member.ts'
import { type Member, memberStatuses, roles } from '../../modules/members/member.ts'
import { listMembers, readMember } from '../../modules/members/read-members.ts'
import { updateMember } from '../../modules/members/update-member.ts'
import { builder, defineEnum } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { defineConnection, pageField } from '../page.ts'

export const RoleEnum = defineEnum('Role', roles, 'What a member may do.')
const MemberStatusEnum = defineEnum('MemberStatus', memberStatuses, 'A disabled member is let in nowhere.')

export const MemberType = builder.objectRef<Member>('Member').implement({
  description: 'Who acts in the organization: a person or a service account.',
  fields: (t) => ({
    memberId: t.exposeID('id'),
    userId: t.exposeID('userId', { nullable: true, description: 'Of a person.' }),
    serviceAccountId: t.exposeID('serviceAccountId', { nullable: true }),
    displayName: t.exposeString('displayName'),
    email: t.exposeString('email', { nullable: true }),
    role: t.field({ type: RoleEnum, resolve: ({ role }) => role }),
    status: t.field({ type: MemberStatusEnum, resolve: ({ status }) => status }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const MemberConnection = defineConnection<Member>('Member', MemberType)

builder.queryFields((t) => ({
  [listMembers.name]: t.field(pageField(listMembers, MemberConnection)),
  [readMember.name]: t.field({
    type: MemberType,
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
  description: 'Answers the id that is gone.',
})
