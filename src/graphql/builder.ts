import './budget-plugin.ts'
import './refusable-plugin.ts'
import SchemaBuilder, { type EnumRef } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import { SafeIntResolver } from 'graphql-scalars'
import type { EnumType } from '../core/field-type.ts'
import type PrismaTypes from '../database/generated/pothos-types.ts'
import { getDatamodel } from '../database/generated/pothos-types.ts'
import type { OmittedOf } from '../database/prisma.ts'
import type { GraphqlContext } from './context.ts'
import { jsonScalar } from './json-scalar.ts'
import { toEnumValue } from './names.ts'

/** The models of Pothos without the columns that our Prisma client omits. */
type Models = {
  [Model in keyof PrismaTypes]: Omit<PrismaTypes[Model], 'Shape'> & {
    Shape: Omit<PrismaTypes[Model]['Shape'], OmittedOf<PrismaTypes[Model]['Name']>>
  }
}

type SchemaShape = {
  Context: GraphqlContext
  PrismaTypes: Models
  DefaultFieldNullability: false
  Scalars: {
    /** Input stays text, so that the operation reports its errors. */
    DateTime: { Input: string; Output: Date }
    ID: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
    SafeInt: { Input: number; Output: number }
  }
}

/** The assumed number of rows in a list without pages, for the estimated cost of a document. */
const assumedListRows = 10

export const builder = new SchemaBuilder<SchemaShape>({
  plugins: ['budget', 'refusable', ComplexityPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.db(), dmmf: getDatamodel() },
  complexity: { defaultComplexity: 1, defaultListMultiplier: assumedListRows },
})

builder.addScalarType('JSON', jsonScalar)
builder.addScalarType('SafeInt', SafeIntResolver)
builder.scalarType('DateTime', {
  description: 'A time in canonical UTC: YYYY-MM-DDTHH:mm:ss.sssZ. As input, any RFC 3339 timestamp.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    if (typeof value !== 'string') throw new TypeError('A DateTime is a string.')
    return value
  },
})

builder.queryType({
  description:
    'All reads. A refused field is null, and has an error whose extensions hold the code, request id, ' +
    'details and HTTP status that the REST route would return.',
})
builder.mutationType({
  description:
    'All writes. The writes of one request run one after another. Each write is recorded in the audit log, and may ' +
    'be refused without affecting the others.',
})

const enums = new Map<string, EnumRef<typeof builder.$inferSchemaTypes, string>>()

/**
 * Returns an enum type of the schema: the domain's values under upper-case names. Enums with the same name are the same enum.
 */
export function enumOf({ name, meanings, description }: EnumType) {
  const type =
    enums.get(name) ??
    builder.enumType(name, {
      description,
      values: Object.fromEntries(
        Object.entries(meanings).map(([value, meaning]) => [toEnumValue(value), { value, description: meaning }]),
      ),
    })
  enums.set(name, type)
  return type
}
