import { z } from 'zod'
import { maxNetworkLength, maxNetworks, networkList } from '../../access/allowed-networks.ts'
import { newApiKey } from '../../access/api-key.ts'
import { type AnswerFields, defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { idField, nameField, textField, timeField } from '../../core/answer-fields.ts'
import { note } from '../../core/field-type.ts'
import { name, timestamp } from '../../core/fields.ts'
import { newId } from '../../core/ids.ts'
import type { ApiKey as ApiKeyRow } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'
import type { ServiceAccount } from './service-account.ts'

/** A key as it is listed, without the key itself, which is shown only when it is created. */
export type ApiKey = Omit<ApiKeyRow, 'hash'>

export type CreatedApiKey = ApiKey & { key: string }

/** The fields that the creator of a key chooses. By default, the key never expires and works from anywhere. */
export const apiKeyFields = defineFields('ApiKey', {
  name: { input: name(), answer: nameField().describe('The display name.') },
  expires_at: {
    input: note(timestamp().nullable().optional(), {
      meaning: 'When the key expires. Null or left out: never.',
    }),
    answer: timeField().optional().describe('When the key expires; absent if it never does.'),
  },
  allowed_networks: {
    input: note(networkList().nullable().optional(), {
      meaning: 'The networks from which the key may be used. Null or left out: from anywhere.',
    }),
    answer: fieldFrom(
      ({ allowedNetworks }: ApiKey) => (allowedNetworks.length > 0 ? allowedNetworks : null),
      z
        .array(textField(1, maxNetworkLength))
        .min(1)
        .max(maxNetworks)
        .optional()
        .describe('The networks from which the key may be used; absent if it may be used from anywhere.'),
    ),
  },
})

const { name: nameAnswer, ...otherFields } = apiKeyFields.answer

const fields: AnswerFields<ApiKey> = {
  key_id: fieldFrom('id', idField().describe('The id of the key.')),
  key_prefix: fieldFrom('prefix', textField(12, 12).describe('The first 12 characters of the key.')),
  name: nameAnswer,
  created_at: timeField().describe('When it was created.'),
  last_used_at: timeField().nullable().describe('When it was last used, to the minute; null if never.'),
  ...otherFields,
}

export const apiKeyAnswer = defineAnswer<ApiKey>(
  'ApiKey',
  'A key of a service account, without the key itself.',
  fields,
)

export const createdApiKeyAnswer = defineAnswer<CreatedApiKey>('CreatedApiKey', 'A key that was just created.', {
  ...fields,
  key: note(textField(1, 64).describe('The key itself, shown only once.'), { isSecret: true }),
})

export const apiKeysAnswer = pageOf('keys', apiKeyAnswer)

type ApiKeyInput = z.output<z.ZodObject<typeof apiKeyFields.input>>

export async function addApiKey(
  tx: Transaction,
  { organizationId, id: serviceAccountId, memberId }: ServiceAccount,
  { now, input }: { now: Date; input: ApiKeyInput },
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
      createdAt: now,
      ...apiKeyFields.toNewRow(input),
      allowedNetworks: input.allowed_networks ?? [],
    },
  })
  return { ...apiKey, key }
}
