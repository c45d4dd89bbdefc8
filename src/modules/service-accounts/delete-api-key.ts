import { waitForRunningWrites } from '../../access/rights.ts'
import { notFound } from '../../core/errors.ts'
import { isUlid } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { loadServiceAccount } from './service-account.ts'

/** Revokes the key. The next request with the key is answered with 401, in every process. */
export const deleteApiKey = defineWrite({
  name: 'deleteApiKey',
  summary: 'Revoke a key at once.',
  method: 'DELETE',
  route: '/org/service-accounts/{service_account_id}/api-keys/{key_id}',
  service: 'identity',
  labels: ['service-accounts:write'],
  locks: 'organization',
  status: 204,
  input: noInput,
  answer: null,
  async run({ tx, organizationId, path: { service_account_id, key_id: id } }) {
    const { id: serviceAccountId, memberId } = await loadServiceAccount(tx, organizationId, service_account_id)
    await waitForRunningWrites(tx, [{ organizationId, memberId }])
    const { count } = isUlid(id)
      ? await tx.apiKey.deleteMany({ where: { organizationId, serviceAccountId, id } })
      : { count: 0 }
    if (count === 0) throw notFound('api_key', id)
    return { result: id, details: null }
  },
})
