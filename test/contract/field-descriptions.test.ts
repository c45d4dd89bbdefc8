import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { restRoutes } from '../../rest/routes.ts'
import { inputSchemaOf } from '../../src/core/input-schema.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { findUnlimitedFields, type JsonSchema, resolve } from '../support/json-schema.ts'

const operations = restRoutes.map(({ operation }) => operation)

/** The fields that have no limit in answers, with the reasons. */
const limitlessInAnswers = [
  // Any JSON value of the vendor: the feature decides what is allowed.
  'value',
  'grants.<value>.value',
  'plans[].grants.<value>.value',
  'overrides[].value',
  'entitlements[].value',
  'snapshots[].entitlements[].value',
  'items[].entitlement.value',
  'items[].beneath.value',
  'items[].override.value',
  'items[].plan_grant.value',
  'changes[].from.value',
  'changes[].to.value',
  'history[].from.value',
  'history[].to.value',
  // A field of a feature or a plan, or a grant.
  'history[].from',
  'history[].to',
  // Quotes the request's input.
  'problems[].path',
  'problems[].message',
  // Any number that a vendor chooses.
  'position',
  'features[].position',
  'plans[].position',
  // An event may be resent any number of times.
  'attempts_made',
  'flags[].value',
  // As many features as a line of an import has.
  'changes[].features',
  'last_change.features',
  // The changes, as each operation defines them.
  'details',
  'audit_events[].details',
  // The details of an error, as in all errors.
  'errors[].details',
  'refusals[].details',
  // There is no limit on the organizations that a person joins.
  'organizations',
]

/** The fields that have no limit in inputs. The first three are any JSON value: the feature decides what is allowed. */
const limitlessInInputs = [
  'value',
  'grants.<value>.value',
  'lines[].overrides.<value>.value',
  // Any number that a vendor chooses.
  'position',
  // Other fields of a line, a group and a change are ignored.
  'lines[]',
  'group_roles[]',
  'changes[]',
  // The body of an operation.
  'changes[].input',
  // Includes other fields of OpenFeature's context.
  'context',
  'context.<value>',
]

describe('an operation', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has a summary of one line, and describes its answer with every limit',
    (_name, { summary, answer, ...operation }) => {
      expect(summary).toMatch(/^[A-Z].{5,119}\.$/)
      expect(answer === null).toBe('status' in operation && operation.status === 204)
      if (!answer) return
      const schema = z.toJSONSchema(answer.schema, { io: 'output' }) as JsonSchema
      expect(findUnlimitedFields(schema).filter((path) => !limitlessInAnswers.includes(path))).toEqual([])
    },
  )

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s describes its input with every limit, and whether it accepts unknown fields',
    (_name, { input }) => {
      const schema = inputSchemaOf(input)
      const isClosed = shapesOf(schema).map((shape) => 'additionalProperties' in shape)

      expect(new Set(isClosed)).toEqual(new Set([input.unknown === 'reject']))
      expect(
        findUnlimitedFields(withoutUnknownFields(schema)).filter((path) => !limitlessInInputs.includes(path)),
      ).toEqual([])
    },
  )

  it('has no field without a limit, except the fields in the lists above', () => {
    const pathNamesOf = (schemas: JsonSchema[]) => [...new Set(schemas.flatMap(findUnlimitedFields))].toSorted()
    const answers = operations.flatMap(({ answer }) => (answer ? [z.toJSONSchema(answer.schema) as JsonSchema] : []))
    const inputs = operations.map(({ input }) => withoutUnknownFields(inputSchemaOf(input)))

    expect(pathNamesOf(answers)).toEqual(limitlessInAnswers.toSorted())
    expect(pathNamesOf(inputs)).toEqual(limitlessInInputs.toSorted())
  })

  it('describes every field of its input', () => {
    const without = operations.flatMap(({ name, input }) =>
      findUndescribed(inputSchemaOf(input)).map((field) => `${name}: ${field}`),
    )
    expect(without).toEqual([])
  })

  it('describes overrides and grants in its input as one of three shapes', () => {
    const shapeOf = (name: string) =>
      inputSchemaOf((operations.find((each) => each.name === name) as AnyOperation).input)
    const required = (shapes: JsonSchema[]) => shapes.map((shape) => shape.required)

    expect(required(shapesOf(shapeOf('putOverride')))).toEqual([
      ['kind', 'allowed'],
      ['kind', 'limit'],
      ['kind', 'value'],
    ])
    for (const name of ['createPlan', 'updatePlan']) {
      const { $defs } = shapeOf(name)
      const shapes = shapesOf({ $ref: '#/$defs/GrantInput', $defs })
      expect(required(shapes)).toEqual([['kind'], ['kind', 'limit'], ['kind', 'value']])
    }
  })

  it('describes every field of its answer', () => {
    const without = operations.flatMap(({ name, answer }) =>
      answer ? findUndescribed(z.toJSONSchema(answer.schema) as JsonSchema).map((field) => `${name}: ${field}`) : [],
    )
    expect(without).toEqual([])
  })
})

function shapesOf(root: JsonSchema): JsonSchema[] {
  const schema = resolve(root, root)
  return (schema.oneOf as JsonSchema[] | undefined)?.map((shape) => resolve(shape, root)) ?? [schema]
}

/** A body that ignores unknown fields needs limits only for its known fields. */
function withoutUnknownFields(root: JsonSchema): JsonSchema {
  return { $defs: root.$defs, oneOf: shapesOf(root).map((shape) => ({ ...shape, additionalProperties: false })) }
}

/**
 * Finds the properties without a description at any depth of a schema, except references and lists, whose targets and items
 * have one, and the constant that distinguishes the shapes of a union.
 */
function findUndescribed(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {} } = part as { properties?: Record<string, JsonSchema> }
  const own = Object.entries(properties).flatMap(([field, property]) =>
    property.description || property.$ref || property.const || property.type === 'array' ? [] : [field],
  )
  return [...own, ...Object.values(part).flatMap(findUndescribed)]
}
