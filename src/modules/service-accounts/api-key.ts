import { newApiKey } from '../../access/api-key.ts'
import { newId } from '../../core/ids.ts'
import type { ApiKey as ApiKeyRow } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { ServiceAccount } from './service-account.ts'

/** A key as it is listed: the key itself is told once, when it is made. */
export type ApiKey = Omit<ApiKeyRow, 'hash'>

/** Nothing else is read of a key: not its hash. */
export const apiKeyColumns = {
  organizationId: true,
  id: true,
  serviceAccountId: true,
  memberId: true,
  prefix: true,
  name: true,
  createdAt: true,
  lastUsedAt: true,
} as const

export async function addApiKey(
  tx: Transaction,
  { organizationId, id: serviceAccountId, memberId }: ServiceAccount,
  { name, now }: { name: string; now: Date },
): Promise<{ apiKey: ApiKey; key: string }> {
  const { key, prefix, hash } = newApiKey()
  const apiKey = await tx.apiKey.create({
    data: {
      organizationId,
      id: newId(),
      serviceAccountId,
      memberId,
      hash: new Uint8Array(hash),
      prefix,
      name,
      createdAt: now,
    },
    select: apiKeyColumns,
  })
  return { apiKey, key }
}
