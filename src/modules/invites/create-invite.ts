import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { role } from '../members/member.ts'
import { email } from '../users/user.ts'
import { addInvite } from './invite.ts'

export const createInvite = defineWrite({
  name: 'createInvite',
  method: 'POST',
  route: '/org/invites',
  service: 'identity',
  labels: ['invites:write'],
  status: 201,
  input: defineInput(
    {
      role: role(),
      email: email().nullable().optional(),
    },
    { unknown: 'ignore' },
  ),
  async run({ tx, now, organizationId, input, vault, baseUrl }) {
    const { role, email = null } = input
    const invite = await addInvite(tx, { vault, baseUrl }, { organizationId, role, email, now })
    return { result: invite, createdId: invite.id, details: { invite_id: invite.id, role } }
  },
})
