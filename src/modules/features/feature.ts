import { z } from 'zod'
import { maxCaps } from '../../config-values.ts'
import { defineAnswer, fieldFrom, listOf, ofKind } from '../../core/answer.ts'
import { jsonValueSchema, keyField, nameField, positionField, textField, timeFields } from '../../core/answer-fields.ts'
import { requireFound } from '../../core/errors.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { hasAtMostCharacters, keyPattern, maxNameLength, name, position, text } from '../../core/fields.ts'
import { refuse } from '../../core/issues.ts'
import { findJsonFault, isExactNumber, isStorableText } from '../../core/json.ts'
import type { Feature } from '../../database/generated/client.ts'
import { FeatureKind, ValueType } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Sql } from '../../database/sql.ts'
import { featureTable, lockRow } from '../../database/table.ts'
import { defineFields } from '../../database/written-fields.ts'

export type { Feature } from '../../database/generated/client.ts'

export const featureKinds = Object.values(FeatureKind)
export const valueTypes = Object.values(ValueType)

export function featureKind() {
  return namedEnum(
    'FeatureKind',
    {
      flag: 'On or off.',
      limit: 'A cap, which may be unlimited.',
      config: 'A typed value.',
    } satisfies Record<FeatureKind, string>,
    'The kind of a feature, which decides the fields of its grants and overrides.',
  )
}

export function valueType() {
  return namedEnum(
    'ValueType',
    {
      string: 'Text.',
      number: 'A number.',
      boolean: 'True or false.',
      enum: "One of the feature's options.",
      json: 'Any JSON value but null.',
    } satisfies Record<ValueType, string>,
    'The type of the values of a config feature.',
  )
}

/** The fields that create and update share. */
export const featureFields = defineFields('Feature', {
  name: { input: name(), answer: nameField().describe('The display name.') },
  description: {
    input: text(0, 2000).optional(),
    answer: textField(0, 2000).describe('The description; empty if none was set.'),
  },
  position: { input: position(), answer: positionField() },
})

/** The answer for a feature, in both APIs. */
export const featureAnswer = defineAnswer<Feature>(
  'Feature',
  "Something in the vendor's product that a plan can grant.",
  {
    key: keyField().describe('Unique in the organization; never changes.'),
    ...featureFields.answer,
    kind: featureKind().describe('Never changes.'),
    value_type: ofKind(
      'config',
      fieldFrom('valueType', valueType().describe('Only for config features; never changes.')),
    ),
    options: ofKind(
      'config',
      fieldFrom(
        ({ valueType, options }: Feature) => (valueType === 'enum' ? options : null),
        z
          .array(nameField())
          .min(1)
          .max(100)
          .optional()
          .describe('The values to choose from, in display order; only for value type enum.'),
      ),
    ),
    ...timeFields,
  },
)

export const featuresAnswer = listOf('features', featureAnswer, maxCaps.features)

/** Loads the feature, or throws 404, also for a malformed key. */
export async function loadFeature(db: Queries, organizationId: string, key: string): Promise<Feature> {
  const where = { organizationId_key: { organizationId, key } }
  return requireFound('feature', key, keyPattern.test(key) && (await db.feature.findUnique({ where })))
}

/** Locks the feature until the transaction ends, or throws 404. For writes that change or delete the feature. */
export async function lockFeature(sql: Sql, organizationId: string, key: string): Promise<Feature> {
  const rowKey = { organizationId, key }
  return requireFound('feature', key, keyPattern.test(key) && (await lockRow(sql, featureTable, rowKey, 'update')))
}

export const optionsRequirement = `1 to 100 unique strings, each of 1 to ${maxNameLength} characters`

/** A list of options in display order. All its errors together become a single detail at `options`. */
export function optionList() {
  return z
    .array(z.string().meta({ minLength: 1, maxLength: maxNameLength }))
    .min(1)
    .max(100)
    .superRefine((options, context) => {
      const isRight = options.every(
        (option) => isStorableText(option) && option !== '' && hasAtMostCharacters(option, maxNameLength),
      )
      if (!isRight || new Set(options).size !== options.length) refuse(context, `must be ${optionsRequirement}.`)
    })
    .describe(optionsRequirement)
    .meta({ uniqueItems: true })
}

const maxStringLength = 4_096
const maxJsonBytes = 64 * 1024
const maxJsonDepth = 32

/** A constant, because an input must not contain two schemas with the same id. */
const storableValue = z
  .unknown()
  .superRefine((value, context) => {
    if (value === null) refuse(context, 'must not be null.')
    const fault = findJsonFault(value, maxJsonDepth)
    if (fault) refuse(context, `${fault}.`)
  })
  .meta({ ...jsonValueSchema, description: 'any JSON value but null' })

/** A config value of any type, checked as far as possible without its feature: never null, and storable. */
export function configValue() {
  return asScalar('JSON', storableValue.describe("a value of the feature's value_type, never null"))
}

/** Why a value that has passed `configValue` does not fit the config feature; null if it fits. */
export function findValueFault(
  { valueType, options }: Pick<Feature, 'valueType' | 'options'>,
  value: unknown,
): string | null {
  switch (valueType) {
    case 'string':
      if (typeof value !== 'string') return 'must be a string'
      return hasAtMostCharacters(value, maxStringLength)
        ? null
        : `must be a string of at most ${maxStringLength} characters`
    case 'number':
      return typeof value === 'number' && isExactNumber(value) ? null : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'enum':
      return typeof value === 'string' && options.includes(value) ? null : `must be one of ${options.join(', ')}`
    case 'json': {
      const isSmall = Buffer.byteLength(JSON.stringify(value)) <= maxJsonBytes
      return isSmall ? null : `must be at most ${maxJsonBytes} bytes of JSON`
    }
    case null:
      return 'is only for config features'
  }
}
