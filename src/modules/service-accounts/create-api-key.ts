import { validationError } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { addApiKey, apiKeyFields, createdApiKeyAnswer } from './api-key.ts'
import { loadServiceAccount } from './service-account.ts'

/** Only this answer shows the key itself. */
export const createApiKey = defineWrite({
  name: 'createApiKey',
  summary: 'Create a key for a service account. Only this answer shows the key.',
  method: 'POST',
  route: '/org/service-accounts/{service_account_id}/api-keys',
  service: 'identity',
  labels: ['service-accounts:write'],
  locks: 'organization',
  status: 201,
  input: defineInput(apiKeyFields.input, { unknown: 'ignore' }),
  answer: createdApiKeyAnswer,
  async run({ tx, now, organizationId, path, input }) {
    const account = await loadServiceAccount(tx, organizationId, path.service_account_id)
    if (input.expires_at && input.expires_at <= now) {
      throw validationError([{ path: 'expires_at', message: 'expires_at must be in the future.' }])
    }
    const created = await addApiKey(tx, account, { now, input })
    const { id, prefix } = created
    const fields = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    return { result: created, createdId: id, details: { key_id: id, key_prefix: prefix, ...fields } }
  },
})
