import { noInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { assertAdminStays, loadMember, removeMember } from './member.ts'

/** Removes a person, who keeps the account; deletes a service account with its keys. */
export const deleteMember = defineWrite({
  name: 'deleteMember',
  summary: 'Remove a member.',
  method: 'DELETE',
  route: '/org/members/{member_id}',
  service: 'identity',
  labels: ['members:write'],
  locks: 'organization',
  status: 204,
  input: noInput,
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, organizationId, path }) {
    const member = await loadMember(tx, organizationId, path.member_id)
    await assertAdminStays(tx, member, { field: 'member_id', value: member.id })
    await removeMember(tx, member)
    return { result: member.id, details: null }
  },
})
