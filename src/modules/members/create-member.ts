import { asScalar } from '../../core/field-type.ts'
import { name } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { loadUser } from '../users/user.ts'
import { addMember, memberAnswer, role } from './member.ts'

/**
 * Adds a person by the user id from their account page. An e-mail would not identify them, because e-mails are not verified.
 */
export const createMember = defineWrite({
  name: 'createMember',
  summary: 'Add a person as a member, by their user id.',
  method: 'POST',
  route: '/org/members',
  service: 'identity',
  labels: ['members:write'],
  locks: 'organization',
  // The lock keeps the account from being deleted at the same time.
  locksPerson: (input) => input.user_id,
  status: 201,
  input: defineInput(
    { user_id: asScalar('ID', name().describe('the id of a user, as on their account page')), role: role() },
    { unknown: 'ignore' },
  ),
  answer: memberAnswer,
  refusals: ['NOT_FOUND', 'CONFLICT'],
  async run({ tx, now, organizationId, input }) {
    const person = await loadUser(tx, input.user_id)
    const member = await addMember(tx, { organizationId, person, role: input.role, now })
    return { result: member, createdId: member.id, details: { member_id: member.id, role: member.role } }
  },
})
