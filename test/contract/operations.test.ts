import { isNonNullType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { labelsByRole } from '../../src/access/roles.ts'
import { schema } from '../../src/graphql/schema.ts'

const operations = restRoutes.map(({ operation }) => operation)

/** The rows of spec.md's and decisions.md's tables for the catalog, subscribers and evals. */
const rowsOfTheSpec = `
POST /org/features
GET /org/features
GET /org/features/{key}
PATCH /org/features/{key}
DELETE /org/features/{key}
POST /org/plans
GET /org/plans
GET /org/plans/{key}
PATCH /org/plans/{key}
DELETE /org/plans/{key}
POST /org/plans/{key}/archive
POST /org/plans/{key}/unarchive
POST /org/subscribers
GET /org/subscribers
GET /org/subscribers/{subscriber_id}
PATCH /org/subscribers/{subscriber_id}
DELETE /org/subscribers/{subscriber_id}
POST /org/subscribers/{subscriber_id}/subscriptions
GET /org/subscribers/{subscriber_id}/subscriptions
POST /org/subscribers/{subscriber_id}/subscriptions/change
POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel
PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}
GET /org/subscribers/{subscriber_id}/overrides
GET /org/subscribers/{subscriber_id}/overrides/{feature_key}
DELETE /org/subscribers/{subscriber_id}/overrides/{feature_key}
GET /org/subscribers/{subscriber_id}/entitlements
POST /org/subscribers/{subscriber_id}/entitlements/check
GET /org/eval-usage
GET /org`
  .trim()
  .split('\n')

/** Reads that stand under another object in the GraphQL schema. Decisions: GraphQL. */
const nestedFields: Record<string, string> = {
  subscriptions: 'Subscriber',
  overrides: 'Subscriber',
  override: 'Subscriber',
}

function fieldsOf(typeName: string) {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`)
  return type.getFields()
}

describe('the table of operations', () => {
  it.each(rowsOfTheSpec)('has the row %s', (row) => {
    expect(operations.map(({ method, route }) => `${method} ${route}`)).toContain(row)
  })

  it('has no row and no name twice', () => {
    const rows = operations.map(({ method, route }) => `${method} ${route}`)
    expect(new Set(rows).size).toBe(rows.length)
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  })

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has labels that some role carries, and a way of its own to change things',
    (_name, { kind, method, labels }) => {
      expect(labels.length).toBeGreaterThan(0)
      for (const label of labels) expect(labelsByRole.admin.has(label)).toBe(true)
      if (kind === 'read') expect(method).toBe('GET')
      if (kind === 'write') expect(method).not.toBe('GET')
      if (kind === 'write') expect(labels.every((label) => label.endsWith(':write'))).toBe(true)
    },
  )
})

describe('the GraphQL schema', () => {
  it.each(operations.map((operation) => [operation.name, operation.kind] as const))(
    'has a field for the operation %s',
    (name, kind) => {
      const parent = kind === 'write' ? 'Mutation' : (nestedFields[name] ?? 'Query')
      expect(Object.keys(fieldsOf(parent))).toContain(name)
    },
  )

  it('has no root field that is no operation', () => {
    const names = operations.map(({ name }) => name)
    for (const root of ['Query', 'Mutation']) {
      expect(names).toEqual(expect.arrayContaining(Object.keys(fieldsOf(root))))
    }
  })

  it('gives each write one argument, its input, with every field of path and body, or none where there is nothing to give', () => {
    for (const { name, kind, route, input } of operations) {
      if (kind !== 'write') continue
      const { args } = fieldsOf('Mutation')[name] as ReturnType<typeof fieldsOf>[string]
      const places = Array.from(route.matchAll(/\{(\w+)\}/g), ([, place]) => place as string)
      const wanted = [...places, ...Object.keys(input.shape)].map(toCamelCase)
      expect(args.map((arg) => [arg.name, isNonNullType(arg.type)])).toEqual(wanted.length ? [['input', true]] : [])
      if (wanted.length === 0) continue
      const type = schema.getType(args[0]?.type.toString().replace('!', '') ?? '')
      const fields = Object.keys((type as unknown as { getFields(): object }).getFields())
      expect(fields.toSorted(), name).toEqual(wanted.toSorted())
    }
  })
})

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
