import { z } from 'zod'
import { DomainError, type FieldError, maxFieldErrors, validationError } from '../../core/errors.ts'
import { asMap, namedObject, note } from '../../core/field-type.ts'
import { key, keyPattern } from '../../core/fields.ts'
import { defineInput, UnreadableValue } from '../../core/input.ts'
import { inputSchemaOf, jsonSchemaOf } from '../../core/input-schema.ts'
import { isPlainObject, toObject } from '../../core/json.ts'
import { type OverrideInput, overrideInput, overrideShape } from '../overrides/override-input.ts'
import { newSubscriberId, type SubscriberInput, subscriberFields } from '../subscribers/subscriber.ts'
import { subscribeFields } from '../subscriptions/subscription.ts'

/** The state that a subscriber should have. Fields that are absent stay as they are. */
export type ImportLine = {
  id: string
  /** The subscriber's fields. */
  input: SubscriberInput
  /** Null cancels the subscription. */
  planKey: string | null | undefined
  /** By feature key; null deletes the override. */
  overrides: ReadonlyMap<string, OverrideInput | null>
}

const overridesShape = asMap(
  z
    .unknown()
    .refine(isPlainObject)
    .describe('an object with an override, or null, for each feature key')
    .meta({
      type: 'object',
      propertyNames: { type: 'string', pattern: keyPattern.source },
      additionalProperties: { anyOf: [inputSchemaOf(overrideInput), { type: 'null' }] },
    }),
)

const planId = note(subscribeFields.input.plan_id.nullable().optional(), {
  meaning: 'The plan that the subscriber should have; null cancels the subscription.',
})

/** A line in the format of the REST API. */
export const importLine = defineInput(
  {
    subscriber_id: newSubscriberId(),
    ...subscriberFields.input,
    plan_id: planId,
    overrides: note(overridesShape.optional(), {
      meaning: 'The overrides to put, by feature; null deletes the override.',
    }),
  },
  { name: 'ImportLine', unknown: 'ignore' },
)

/** Parses a line. Throws 422 with one detail for each wrong field. Checks each override like a put. */
export function parseImportLine(raw: unknown): ImportLine {
  const errors: FieldError[] = []
  const collect = <Parsed>(field: string, parse: () => Parsed): Parsed | null => {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'VALIDATION_ERROR')) throw error
      errors.push(...atField(field, error))
      return null
    }
  }
  const line = collect('', () => importLine.parse(raw))
  const rawOverrides = isPlainObject(raw) && isPlainObject(raw.overrides) ? raw.overrides : {}
  const overrides = new Map<string, OverrideInput | null>()
  for (const [feature, body] of Object.entries(rawOverrides)) {
    const put = body === null ? null : collect(`overrides.${feature}`, () => parseOverride(feature, body))
    // A refusal shows no more errors than this.
    if (errors.length >= maxFieldErrors) break
    overrides.set(feature, put)
  }
  if (!line || errors.length > 0) throw validationError(errors)
  const { subscriber_id: id, plan_id: planKey, overrides: _, ...input } = line
  return { id, input, planKey, overrides }
}

function parseOverride(feature: string, body: unknown): OverrideInput {
  if (body instanceof UnreadableValue) throw validationError([{ path: '', message: body.message }])
  if (isPlainObject(body)) return overrideInput.parse(body)
  throw validationError([{ path: '', message: `overrides.${feature} must be an override, or null to delete it.` }])
}

/** The details of a refusal, with paths relative to the line. */
export function atField(field: string, { details }: DomainError): FieldError[] {
  const fields = (details?.fields ?? []) as FieldError[]
  return fields.map(({ path, message }) => ({ path: [field, path].filter(Boolean).join('.'), message }))
}

/** An item of the list that GraphQL uses instead of a map of overrides. */
const overrideItem = namedObject(
  'ImportOverrideInput',
  z.object({
    feature: key(),
    delete: note(z.boolean().optional(), {
      meaning: 'Whether to delete the override. The other fields are ignored then.',
    }),
    ...overrideShape,
    kind: overrideShape.kind.optional(),
  }),
  'An override to put or to delete.',
)

const importLineInput = namedObject(
  'ImportLineInput',
  z.object({
    subscriber_id: newSubscriberId(),
    ...subscriberFields.input,
    plan_id: planId,
    overrides: note(z.array(overrideItem).max(1_000).optional(), { meaning: 'The overrides to put and to delete.' }),
  }),
  'The state that one subscriber should have. Fields that are left out stay as they are.',
)

type LineItem = { overrides?: ({ feature: string; delete?: boolean } & Record<string, unknown>)[] | null }

/** The maximum number of lines in one list, in APIs without streams. */
export const maxListedLines = 1_000
export const lineList = z.array(importLineInput).max(maxListedLines)
export const lineListSchema = {
  type: 'array',
  maxItems: maxListedLines,
  items: jsonSchemaOf(z.object(importLine.shape)),
}

/** Converts a list item to a line of the REST API. */
export function fromLineItem({ overrides, ...line }: LineItem): object {
  if (!overrides) return overrides === undefined ? line : { ...line, overrides }
  const byFeature = new Map<string, unknown>()
  for (const { feature, delete: isDeleted, ...put } of overrides) {
    const isDuplicate = byFeature.has(feature)
    byFeature.set(
      feature,
      isDuplicate ? new UnreadableValue(`overrides.${feature} is given twice.`) : isDeleted ? null : put,
    )
  }
  return { ...line, overrides: toObject(byFeature) }
}
