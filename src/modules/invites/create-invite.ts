import { note } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { role } from '../members/member.ts'
import { email } from '../users/user.ts'
import { addInvite, inviteAnswer } from './invite.ts'

export const createInvite = defineWrite({
  name: 'createInvite',
  summary: 'Create an invite: a link with which one person can join.',
  method: 'POST',
  route: '/org/invites',
  service: 'identity',
  labels: ['invites:write'],
  status: 201,
  input: defineInput(
    {
      role: role(),
      email: note(email().nullable().optional(), { meaning: 'A note for the list; it grants nothing.' }),
    },
    { unknown: 'ignore' },
  ),
  answer: inviteAnswer,
  async run({ tx, now, organizationId, input, vault, baseUrl }) {
    const { role, email = null } = input
    const invite = await addInvite(tx, { vault, baseUrl }, { organizationId, role, email, now })
    return { result: invite, createdId: invite.id, details: { invite_id: invite.id, role } }
  },
})
