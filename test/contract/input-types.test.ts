import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { restRoutes } from '../../rest/routes.ts'
import { fieldsOf as readShape } from '../../src/core/field-type.ts'
import { type JsonSchema, jsonSchemaOf } from '../../src/core/input-schema.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { graphqlFieldOf, isWrite, nestedFields } from './graphql-fields.ts'

/** All operations except those of OFREP, which GraphQL does not have. */
const operations = restRoutes.map(({ operation }) => operation).filter(({ route }) => !route.startsWith('/ofrep'))
/** Whether the GraphQL field has one argument `input`: it is a write, or a read with a body. */
const takesInput = (operation: AnyOperation) =>
  isWrite(operation) || (operation.kind === 'read' && operation.method === 'POST')
const writes = operations.filter(takesInput)
const reads = operations.filter((operation) => !takesInput(operation))

/** The names that REST's parameters for pages have in GraphQL, which uses Relay's arguments. */
const pageArguments: Record<string, string> = { limit: 'first', starting_after: 'after' }
/** Parameters that only REST has: GraphQL never waits for changes, and signs nothing. */
const restOnlyParameters = { changes: ['wait'], entitlements: ['max_age'] } as Record<string, string[]>
const filteredLists = [
  'auditEvents',
  'userAuditEvents',
  'allOverrides',
  'webhookEvents',
  'subscribers',
  'serviceAccounts',
]

describe('the input of an operation and its GraphQL types', () => {
  it.each(writes.map((operation) => [operation.name, operation] as const))(
    '%s has the same fields, types and required fields in its input and in GraphQL',
    (_name, operation) => {
      const { args } = graphqlFieldOf(operation)
      const acceptedInputs = { ...pathOf(operation), ...inputOf(operation) }

      if (Object.keys(acceptedInputs).length === 0) return expect(args).toEqual([])
      expect(args.map(({ name, type }) => [name, isNonNullType(type)])).toEqual([['input', true]])
      const type = getNullableType(args[0]?.type)
      expect(findDifferences(isInputObjectType(type) ? typesOf(type.getFields()) : {}, acceptedInputs)).toEqual([])
    },
  )

  it.each(reads.map((operation) => [operation.name, operation] as const))(
    '%s has the same arguments, types and required arguments in its input and in GraphQL',
    (_name, operation) => {
      const { filter, ...args } = typesOf(graphqlFieldOf(operation).args)
      const filterType = filter && getNullableType(filter)
      const { object, ...filters } = isInputObjectType(filterType) ? typesOf(filterType.getFields()) : {}
      // GraphQL names an object in one argument: { type, id } for object_type and object_id.
      if (isInputObjectType(object)) {
        const { type, id } = typesOf(object.getFields())
        Object.assign(filters, { objectType: getNullableType(type), objectId: id })
      }
      // The object that has a nested field replaces the path values, except for the feature of an override.
      const path = nestedFields[operation.name] ? {} : pathOf(operation)
      const { features, ...own } = operation.name === 'override' ? { feature: pathValue } : inputOf(operation)
      // GraphQL has a separate field for the check of several features, so each of the two fields has and requires only
      // its own argument.
      expect(features !== undefined).toBe(operation.name === 'check')

      expect(isInputObjectType(filterType)).toBe(filteredLists.includes(operation.name))
      expect(findDifferences({ ...args, ...filters }, { ...path, ...own })).toEqual([])
    },
  )
})

/** The type of a field's values, in the terms of JSON Schema. */
type AcceptedInput = { schema: JsonSchema; isRequired: boolean }

const pathValue: AcceptedInput = { schema: { type: 'string' }, isRequired: true }

function pathOf({ route }: AnyOperation): Record<string, AcceptedInput> {
  return Object.fromEntries(Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = '']) => [toCamelCase(name), pathValue]))
}

function inputOf({ name: operation, input }: AnyOperation): Record<string, AcceptedInput> {
  const shown = Object.entries(input.shape).filter(([name]) => !restOnlyParameters[operation]?.includes(name))
  // GraphQL has no maps, so a field with a map has a separate schema for GraphQL (`wording`).
  const shape = shown.map(([name, schema]) => {
    const wording = readShape(input.shape).get(name)?.notes.wording
    if (!wording) return [name, schema] as const
    const isOptional = (schema as z.ZodType).safeParse(undefined).success
    return [name, isOptional ? wording.schema.optional() : wording.schema] as const
  })
  return propertiesOf(jsonSchemaOf(z.object(Object.fromEntries(shape))))
}

function propertiesOf({ properties, required = [] }: JsonSchema): Record<string, AcceptedInput> {
  const fields = properties as Record<string, JsonSchema>
  // A search takes a number of hits, but has no pages.
  const isPage = 'starting_after' in fields || 'text' in fields || 'after' in fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      (isPage && pageArguments[name]) || toCamelCase(name),
      { schema, isRequired: (required as string[]).includes(name) },
    ]),
  )
}

function typesOf(
  fields: Record<string, { type: GraphQLInputType }> | readonly { name: string; type: GraphQLInputType }[],
) {
  const named = Array.isArray(fields) ? fields.map((field) => [field.name, field] as const) : Object.entries(fields)
  return Object.fromEntries(named.map(([name, { type }]): [string, GraphQLInputType] => [name, type]))
}

function findDifferences(
  types: Record<string, GraphQLInputType>,
  acceptedInputs: Record<string, AcceptedInput>,
): string[] {
  const names = [...new Set([...Object.keys(types), ...Object.keys(acceptedInputs)])]
  return names.flatMap((name) => {
    const [type, field] = [types[name], acceptedInputs[name]]
    if (!type || !field) return [`${name} is missing in ${type ? 'the operation' : 'GraphQL'}`]
    return findDifferencesOfField(name, type, field)
  })
}

function findDifferencesOfField(name: string, type: GraphQLInputType, { schema, isRequired }: AcceptedInput): string[] {
  const options = (schema.anyOf as JsonSchema[] | undefined) ?? [schema]
  const value = options.find((option) => option.type !== 'null') as JsonSchema
  const isRequiredInGraphql = isRequired && options.length === 1
  if (isNonNullType(type) !== isRequiredInGraphql) return [`${name} ${isRequiredInGraphql ? 'is' : 'is not'} required`]
  return findDifferencesOfValue(name, getNullableType(type), value)
}

function findDifferencesOfValue(name: string, type: GraphQLInputType, schema: JsonSchema): string[] {
  if (isListType(type) && schema.type === 'array') {
    return findDifferencesOfField(`${name}[]`, type.ofType, { schema: schema.items as JsonSchema, isRequired: true })
  }
  if (isInputObjectType(type) && schema.type === 'object') {
    return findDifferences(typesOf(type.getFields()), propertiesOf(schema)).map((each) => `${name}.${each}`)
  }
  if (isEnumType(type) && schema.enum) {
    const values = type.getValues().map((each) => each.value)
    return values.toSorted().join() === (schema.enum as string[]).toSorted().join() ? [] : [`${name} has other values`]
  }
  // The values of GraphQL's enums have no dots, so an enum with dots is a string there.
  const isEnum = (schema.enum as string[] | undefined)?.every((each) => /^\w+$/.test(each)) ?? false
  const isSame = isScalarType(type) && !isEnum && scalarsOf(schema).includes(type.name)
  return isSame ? [] : [`${name} is ${type}, but takes ${JSON.stringify(schema)}`]
}

/** The scalars that may represent a value. */
function scalarsOf({ $ref, type, format, properties }: JsonSchema): string[] {
  if ($ref === '#/$defs/JsonValue' || (type === 'object' && !properties)) return ['JSON']
  if (type === 'string') return format === 'date-time' ? ['DateTime'] : ['ID', 'String']
  if (type === 'integer') return ['Int', 'SafeInt']
  if (type === 'number') return ['Float']
  return type === 'boolean' ? ['Boolean'] : []
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
