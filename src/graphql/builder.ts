import './labels-plugin.ts'
import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import { JSONResolver, SafeIntResolver } from 'graphql-scalars'
import type PrismaTypes from '../database/generated/pothos-types.ts'
import { getDatamodel } from '../database/generated/pothos-types.ts'
import type { GraphqlContext } from './context.ts'

/** What one document may cost: fields, times the rows of the lists that they stand in. */
const bounds = { depth: 12, breadth: 300, complexity: 20_000 }

export const builder = new SchemaBuilder<{
  Context: GraphqlContext
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    /** As text on its way in: the operation says what is wrong with it. */
    DateTime: { Input: string; Output: Date }
    JSON: { Input: unknown; Output: unknown }
    SafeInt: { Input: number; Output: number }
  }
}>({
  plugins: ['labels' as never, ComplexityPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.services.database.prisma,
    dmmf: getDatamodel(),
    onUnusedQuery: process.env['NODE_ENV'] === 'test' ? 'error' : null,
  },
  complexity: { limit: bounds, defaultComplexity: 1, defaultListMultiplier: 10 },
})

builder.addScalarType('JSON', JSONResolver)
builder.addScalarType('SafeInt', SafeIntResolver)
builder.scalarType('DateTime', {
  description: 'A moment in canonical UTC: YYYY-MM-DDTHH:mm:ss.sssZ. Any RFC 3339 timestamp is read.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    if (typeof value !== 'string') throw new TypeError('A DateTime is a string.')
    return value
  },
})

builder.queryType({})
builder.mutationType({})

/** An enum of the schema: the values of the domain under upper-case names. */
export function defineEnum<const Value extends string>(name: string, values: readonly Value[]) {
  return builder.enumType(name, {
    values: Object.fromEntries(values.map((value) => [value.toUpperCase(), { value }])) as Record<
      string,
      { value: Value }
    >,
  })
}
