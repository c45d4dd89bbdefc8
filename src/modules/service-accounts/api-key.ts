import { z } from 'zod'
import { maxNetworkLength, maxNetworks } from '../../access/allowed-networks.ts'
import { newApiKey } from '../../access/api-key.ts'
import { type AnswerFields, defineAnswer, from, pageOf } from '../../core/answer.ts'
import { idField, nameField, textField, timeField } from '../../core/answer-fields.ts'
import { newId } from '../../core/ids.ts'
import type { ApiKey as ApiKeyRow } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { ServiceAccount } from './service-account.ts'

/** A key as it is listed: the key itself is shown once, when it is created. */
export type ApiKey = Omit<ApiKeyRow, 'hash'>

/** A new key. */
export type CreatedApiKey = ApiKey & { key: string }

const fields: AnswerFields<ApiKey> = {
  key_id: from('id', idField().describe('The id of the key.')),
  key_prefix: from('prefix', textField(12, 12).describe('The first 12 characters.')),
  name: nameField().describe('For people.'),
  created_at: timeField().describe('When it was created.'),
  last_used_at: timeField().nullable().describe('To the minute; null when it was never used.'),
  expires_at: timeField().optional().describe('From then on it is refused; only of keys that end.'),
  allowed_networks: from(
    ({ allowedNetworks }: ApiKey) => (allowedNetworks.length > 0 ? allowedNetworks : null),
    z
      .array(textField(1, maxNetworkLength))
      .min(1)
      .max(maxNetworks)
      .optional()
      .describe('The networks from which it may be used; only of keys that are bound to some.'),
  ),
}

export const apiKeyAnswer = defineAnswer<ApiKey>(
  'ApiKey',
  'A key of a service account, without the key itself.',
  fields,
)

export const createdApiKeyAnswer = defineAnswer<CreatedApiKey>('CreatedApiKey', 'A key as it is made.', {
  ...fields,
  key: textField(1, 64).describe('The key itself, shown only this once.'),
})

export const apiKeysAnswer = pageOf('keys', apiKeyAnswer)

/** Nothing else of a key is read: not its hash. */
export const apiKeyColumns = {
  organizationId: true,
  id: true,
  serviceAccountId: true,
  memberId: true,
  prefix: true,
  name: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
  allowedNetworks: true,
} as const

/** What the creator of a key chooses; without the last two it is for ever, and from anywhere. */
type NewApiKey = { name: string; expiresAt?: Date | null; allowedNetworks?: string[] }

export async function addApiKey(
  tx: Transaction,
  { organizationId, id: serviceAccountId, memberId }: ServiceAccount,
  { now, name, expiresAt = null, allowedNetworks = [] }: NewApiKey & { now: Date },
): Promise<CreatedApiKey> {
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
      expiresAt,
      allowedNetworks,
    },
    select: apiKeyColumns,
  })
  return { ...apiKey, key }
}
