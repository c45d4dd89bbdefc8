import { createInvite } from '../../modules/invites/create-invite.ts'
import { deleteInvite } from '../../modules/invites/delete-invite.ts'
import type { Invite } from '../../modules/invites/invite.ts'
import { listInvites } from '../../modules/invites/read-invites.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { defineConnection, pageField } from '../page.ts'
import { RoleEnum } from './members.ts'

const InviteType = builder.objectRef<Invite>('Invite').implement({
  description: 'A link that lets whoever has it join, once, until it expires.',
  fields: (t) => ({
    inviteId: t.exposeID('id'),
    role: t.field({ type: RoleEnum, resolve: ({ role }) => role }),
    email: t.exposeString('email', { nullable: true, description: 'A note; it grants nothing.' }),
    link: t.exposeString('link'),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
})

const InviteConnection = defineConnection<Invite>('Invite', InviteType)

// A root field alone: looking at live links is recorded, one entry for each root field.
builder.queryFields((t) => ({
  [listInvites.name]: t.field({
    ...pageField(listInvites, InviteConnection),
    description: 'Those that still let someone join. Looking is recorded.',
  }),
}))

defineMutation(createInvite, {
  type: InviteType,
})

defineMutation(deleteInvite, {
  type: 'ID',
  description: 'Revokes it. Answers the id that is gone.',
})
