import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { restRoutes } from '../../rest/routes.ts'
import { findLimitless, type JsonSchema } from '../support/json-schema.ts'

const operations = restRoutes.map(({ operation }) => operation)

/** Places of answers that have no limit, each for a reason. */
const limitlessInAnswers = [
  // Any JSON value of a vendor's own; what it may be is up to the feature.
  'value',
  'grants.<value>.value',
  'plans[].grants.<value>.value',
  'overrides[].value',
  'entitlements[].value',
  // What changed, in the words of each operation.
  'audit_events[].details',
  // Nothing caps how many organizations a person joins.
  'organizations',
]

describe('an operation', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s says in a line what it does, and describes its answer to the last limit',
    (_name, { summary, answer, ...operation }) => {
      expect(summary).toMatch(/^[A-Z].{5,119}\.$/)
      expect(answer === null).toBe('status' in operation && operation.status === 204)
      if (!answer) return
      const schema = z.toJSONSchema(answer.schema, { io: 'output' }) as JsonSchema
      expect(findLimitless(schema).filter((place) => !limitlessInAnswers.includes(place))).toEqual([])
    },
  )

  it('describes every field of its answer', () => {
    const without = operations.flatMap(({ name, answer }) =>
      answer ? findUndescribed(z.toJSONSchema(answer.schema) as JsonSchema).map((field) => `${name}: ${field}`) : [],
    )
    expect(without).toEqual([])
  })
})

/** Properties without a description, but for lists: their items have one, and the constant that tells shapes apart. */
function findUndescribed(root: JsonSchema): string[] {
  const objects = [root, ...Object.values((root.$defs ?? {}) as Record<string, JsonSchema>)].flatMap((schema) =>
    schema.oneOf ? (schema.oneOf as JsonSchema[]) : [schema],
  )
  return objects.flatMap(({ properties = {} }) =>
    Object.entries(properties as Record<string, JsonSchema>).flatMap(([field, property]) =>
      property.description || property.$ref || property.const || property.type === 'array' ? [] : [field],
    ),
  )
}
