import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { addApiKey, createdApiKeyAnswer } from './api-key.ts'
import { loadServiceAccount } from './service-account.ts'

/** The answer is the only place where the key itself is shown. */
export const createApiKey = defineWrite({
  name: 'createApiKey',
  summary: 'Create a key for a service account. Only this answer shows it.',
  method: 'POST',
  route: '/org/service-accounts/{service_account_id}/api-keys',
  service: 'identity',
  labels: ['service-accounts:write'],
  locks: 'organization',
  status: 201,
  input: defineInput({ name: text(1, 255) }, { unknown: 'ignore' }),
  answer: createdApiKeyAnswer,
  async run({ tx, now, organizationId, path, input: { name } }) {
    const account = await loadServiceAccount(tx, organizationId, path.service_account_id)
    const made = await addApiKey(tx, account, { name, now })
    const { id, prefix } = made
    return { result: made, createdId: id, details: { key_id: id, key_prefix: prefix, name } }
  },
})
