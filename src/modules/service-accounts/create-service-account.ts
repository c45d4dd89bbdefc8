import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { defineWrite } from '../../operation/operation.ts'
import { role } from '../members/member.ts'
import { addServiceAccount, serviceAccountAnswer, serviceAccountFields } from './service-account.ts'

/** Creates a service account without keys, which are created one by one. */
export const createServiceAccount = defineWrite({
  name: 'createServiceAccount',
  summary: 'Create a service account.',
  method: 'POST',
  route: '/org/service-accounts',
  service: 'identity',
  labels: ['service-accounts:write'],
  locks: 'organization',
  status: 201,
  input: defineInput({ ...serviceAccountFields.input, role: role() }, { unknown: 'ignore' }),
  answer: serviceAccountAnswer,
  async run({ tx, now, organizationId, input }) {
    const account = await addServiceAccount(tx, { organizationId, ...toColumns(input), now })
    const { id, memberId, role } = account
    const fields = serviceAccountFields.toDetails(account)
    return { result: account, createdId: id, details: { service_account_id: id, member_id: memberId, ...fields, role } }
  },
})
