import { z } from 'zod'
import { maxCaps } from '../../config-values.ts'
import { anyIdField, keyField, nameField } from '../../core/answer-fields.ts'
import { DomainError, type OwnCode, validationError } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { optionalFields } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { readClock } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { newEvent } from '../../events/event.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected-updated-at.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { countCatalogBytes } from '../organizations/catalog-caps.ts'
import { renewCatalogVersion } from '../organizations/organization.ts'
import { type Feature, featureAnswer, featureFields, lockFeature, optionList } from './feature.ts'

const optionInUse: OwnCode = {
  code: 'OPTION_IN_USE',
  status: 409,
  details: z.strictObject({
    resource: z.literal('feature').describe('The type of the object that the request would change.'),
    id: keyField().describe('The key of the feature.'),
    field: z.literal('options').describe('The field whose values are in use.'),
    usage: z
      .array(
        z.strictObject({
          option: nameField().describe('The option that would be removed.'),
          plans: z.array(keyField()).max(maxCaps.plans).describe('The plans that grant it, by key.'),
          overrides: z
            .array(anyIdField())
            .describe('The subscribers whose overrides, live or scheduled, use it, by id.'),
        }),
      )
      .max(100)
      .describe('The options that would be removed but are in use, and what uses them.'),
  }),
}

const input = defineInput(
  {
    ...optionalFields(featureFields.input),
    options: note(optionList().optional(), { meaning: 'The whole list, in display order.' }),
    expected_updated_at: expectedUpdatedAt('feature'),
  },
  {
    unknown: 'reject',
    hints: {
      key: 'key cannot be changed: create another feature instead.',
      kind: 'kind cannot be changed: create another feature instead.',
      value_type: 'value_type cannot be changed: create another feature instead.',
    },
  },
)

export const updateFeature = defineWrite({
  name: 'updateFeature',
  summary: 'Change the name, description, options or position of a feature.',
  method: 'PATCH',
  route: '/org/features/{key}',
  service: 'api',
  labels: ['features:write'],
  locks: 'organization',
  status: 200,
  input,
  answer: featureAnswer,
  refusals: ['CONFLICT', optionInUse],
  async run({ tx, sql, now, organizationId, path, input: { expected_updated_at, ...input }, limits }) {
    const { bytesBefore } = await renewCatalogVersion(tx, organizationId)
    const feature = await lockFeature(sql, organizationId, path.key)
    if (input.options && feature.valueType !== 'enum') {
      throw validationError([
        { path: 'options', message: 'options is only allowed for kind config with value_type enum.' },
      ])
    }
    assertUnchanged('feature', feature, expected_updated_at)
    const details = describeChanges(feature, input)
    if (!details) return { result: feature, details }
    if (input.options) await assertOptionsUnused(tx, feature, input.options)

    const updated = await tx.feature.update({
      where: { organizationId_key: { organizationId, key: feature.key } },
      data: { ...toColumns(input), updatedAt: nextUpdatedAt(feature, await readClock(sql)) },
    })
    await countCatalogBytes(tx, organizationId, { bytesBefore, limits })
    return {
      result: updated,
      details,
      changedAt: updated.updatedAt,
      events: [newEvent(organizationId, now, { type: 'catalog.updated' })],
    }
  },
})

type OptionUsage = { option: string; plans: string[]; overrides: string[] }

/**
 * Throws 409 if a removed option is the value of a plan's grant (also of an archived plan), or of a live or scheduled override.
 * The lock on the feature prevents new grants and overrides with the option.
 */
async function assertOptionsUnused(tx: Transaction, feature: Feature, kept: string[]): Promise<void> {
  const removed = feature.options.filter((option) => !kept.includes(option))
  if (removed.length === 0) return
  const values = removed.map((option) => JSON.stringify(option))
  const { organizationId, key } = feature

  const grants = await tx.$queryRaw<{ value: string; plan_key: string }[]>`
    select value, plan_key from plan_grant
     where organization_id = ${organizationId} and feature_key = ${key} and value = any(${values})
     order by plan_key collate "C"`
  const overrides = await tx.$queryRaw<{ value: string; subscriber_id: string }[]>`
    select value, subscriber_id from override
     where organization_id = ${organizationId} and feature_key = ${key} and value = any(${values})
       and (expires_at is null or expires_at > clock_timestamp()
            or starts_at is not null and (ends_at is null or ends_at > clock_timestamp()))
     order by subscriber_id collate "C"`

  const usage: OptionUsage[] = removed.map((option, index) => ({
    option,
    plans: grants.filter(({ value }) => value === values[index]).map((row) => row.plan_key),
    overrides: overrides.filter(({ value }) => value === values[index]).map((row) => row.subscriber_id),
  }))
  const used = usage.filter(({ plans, overrides }) => plans.length + overrides.length > 0)
  if (used.length === 0) return
  throw new DomainError(
    optionInUse,
    `Still in use: ${used.map(({ option }) => `"${option}"`).join(', ')}. Change the plans and overrides that use them first.`,
    { resource: 'feature', id: key, field: 'options', usage: used },
  )
}
