import { createInvite } from '../../modules/invites/create-invite.ts'
import { deleteInvite } from '../../modules/invites/delete-invite.ts'
import { type Invite, inviteAnswer } from '../../modules/invites/invite.ts'
import { listInvites } from '../../modules/invites/read-invites.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageField } from '../page.ts'

const InviteType = builder.objectRef<Invite>('Invite').implement({
  description: inviteAnswer.description,
  fields: (t) => answerFields(t, inviteAnswer),
})

const InviteConnection = defineConnection<Invite>('Invite', InviteType)

// Only a root field: reading live links is recorded, one entry for each root field.
builder.queryFields((t) => ({
  [listInvites.name]: t.field({
    ...pageField(listInvites, InviteConnection),
  }),
}))

defineMutation(createInvite, {
  type: InviteType,
})

defineMutation(deleteInvite, {
  type: 'ID',
  note: 'Answers the id that is gone.',
})
