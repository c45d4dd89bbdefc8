import { noInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { assertAdminStays, loadMember, removeMember } from '../members/member.ts'
import { loadServiceAccount } from './service-account.ts'

/** Also deletes the account's member and keys. Requests with these keys are then answered with 401. */
export const deleteServiceAccount = defineWrite({
  name: 'deleteServiceAccount',
  summary: 'Delete a service account with its member and its keys.',
  method: 'DELETE',
  route: '/org/service-accounts/{service_account_id}',
  service: 'identity',
  labels: ['service-accounts:write'],
  locks: 'organization',
  status: 204,
  input: noInput,
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, organizationId, path }) {
    const { id, memberId } = await loadServiceAccount(tx, organizationId, path.service_account_id)
    const member = await loadMember(tx, organizationId, memberId)
    await assertAdminStays(tx, member, { field: 'member_id', value: memberId })
    await removeMember(tx, member)
    return { result: id, details: null }
  },
})
