import { networkList } from '../../access/allowed-networks.ts'
import { validationError } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { name, timestamp } from '../../core/fields.ts'
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
  input: defineInput(
    {
      name: name(),
      expires_at: note(timestamp().nullable().optional(), {
        meaning: 'From then on the key is refused. Null or left out: never.',
      }),
      allowed_networks: note(networkList().nullable().optional(), {
        meaning: 'The networks from which the key may be used. Null or left out: from anywhere.',
      }),
    },
    { unknown: 'ignore' },
  ),
  answer: createdApiKeyAnswer,
  async run({ tx, now, organizationId, path, input }) {
    const account = await loadServiceAccount(tx, organizationId, path.service_account_id)
    const { name, expires_at: expiresAt = null, allowed_networks } = input
    if (expiresAt && expiresAt <= now) {
      throw validationError([{ path: 'expires_at', message: 'expires_at must be in the future.' }])
    }
    const made = await addApiKey(tx, account, { now, name, expiresAt, allowedNetworks: allowed_networks ?? [] })
    const { id, prefix } = made
    const details = {
      ...{ key_id: id, key_prefix: prefix, name },
      ...(expiresAt && { expires_at: expiresAt.toISOString() }),
      ...(allowed_networks && { allowed_networks }),
    }
    return { result: made, createdId: id, details }
  },
})
