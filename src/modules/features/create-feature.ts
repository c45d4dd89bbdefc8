import { conflict } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { key } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { readClock } from '../../database/sql.ts'
import { newEvent } from '../../events/event.ts'
import { defineWrite } from '../../operation/operation.ts'
import { assertRoomForFeature, countCatalogBytes } from '../organizations/catalog-caps.ts'
import { renewCatalogVersion } from '../organizations/organization.ts'
import {
  type Feature,
  featureAnswer,
  featureFields,
  featureKind,
  featureKinds,
  optionList,
  optionsRequirement,
  valueType,
  valueTypes,
} from './feature.ts'

const { name, ...otherFields } = featureFields.input

const input = defineInput(
  {
    key: key(),
    name,
    kind: featureKind(),
    ...otherFields,
    value_type: note(valueType().optional(), { meaning: 'Required for kind config, and not allowed otherwise.' }),
    options: note(optionList().optional(), {
      meaning: 'Required for value type enum, and not allowed otherwise; in display order.',
    }),
  },
  {
    unknown: 'reject',
    rules({ kind, value_type: valueType, options }, report) {
      if (!isOneOf(featureKinds, kind)) return
      const isConfig = kind === 'config'
      const isEnum = isConfig && valueType === 'enum'
      if (!isConfig && valueType !== undefined) report('value_type', `value_type is not allowed for kind ${kind}.`)
      if (isConfig && valueType === undefined) {
        report('value_type', 'value_type is required for kind config: one of string, number, boolean, enum, json.')
      }
      if (isEnum && options === undefined) {
        report('options', `options is required for value_type enum: ${optionsRequirement}.`)
      }
      // While the value_type is invalid, it is unknown whether options are allowed.
      if (!isEnum && (!isConfig || isOneOf(valueTypes, valueType)) && options !== undefined) {
        report('options', 'options is only allowed for kind config with value_type enum.')
      }
    },
  },
)

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value)
}

export const createFeature = defineWrite({
  name: 'createFeature',
  summary: 'Create a feature.',
  method: 'POST',
  route: '/org/features',
  service: 'api',
  labels: ['features:write'],
  locks: 'organization',
  status: 201,
  input,
  answer: featureAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, sql, organizationId, input, limits }) {
    const { bytesBefore } = await renewCatalogVersion(tx, organizationId)
    const now = await readClock(sql)
    const [feature] = await tx.feature.createManyAndReturn({
      data: {
        organizationId,
        description: '',
        options: [],
        ...toColumns(input),
        createdAt: now,
        updatedAt: now,
      },
      skipDuplicates: true,
    })
    if (!feature) {
      throw conflict({ field: 'key', value: input.key }, `A feature with the key "${input.key}" already exists.`)
    }
    await assertRoomForFeature(tx, organizationId, limits)
    await countCatalogBytes(tx, organizationId, { bytesBefore, limits })
    return {
      result: feature,
      createdId: feature.key,
      details: describeNewFeature(feature),
      events: [newEvent(organizationId, now, { type: 'catalog.updated' })],
    }
  },
})

/** Leaves out the description, which is recorded only when it changes. */
function describeNewFeature(feature: Feature): Record<string, unknown> {
  const { key, kind, valueType, options } = feature
  const { description: _, position, ...fields } = featureFields.toDetails(feature)
  return {
    key,
    ...fields,
    ...(position !== null && { position }),
    kind,
    ...(valueType && { value_type: valueType }),
    ...(valueType === 'enum' && { options }),
  }
}
