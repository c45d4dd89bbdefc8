import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { addInvite, inviteAnswer, inviteFields } from './invite.ts'

export const createInvite = defineWrite({
  name: 'createInvite',
  summary: 'Create an invite: a link with which one person can join.',
  method: 'POST',
  route: '/org/invites',
  service: 'identity',
  labels: ['invites:write'],
  status: 201,
  input: defineInput(inviteFields.input, { unknown: 'ignore' }),
  answer: inviteAnswer,
  async run({ tx, now, organizationId, input, vault, baseUrl }) {
    const invite = await addInvite(tx, { vault, baseUrl }, { organizationId, now, input })
    // The e-mail is only a note for the list and is not recorded.
    const { email: _, ...fields } = inviteFields.toDetails(invite)
    return { result: invite, createdId: invite.id, details: { invite_id: invite.id, ...fields } }
  },
})
