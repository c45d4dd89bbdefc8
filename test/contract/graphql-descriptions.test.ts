import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'

type Described = { description?: string | null | undefined }

/** Everything that a client's tools show, by its coordinate in the schema. */
const described: [string, Described][] = Object.values(schema.getTypeMap())
  .filter((type) => !isIntrospectionType(type))
  .flatMap(partsOf)

function partsOf(type: GraphQLNamedType): [string, Described][] {
  const own: [string, Described] = [type.name, type]
  if (isEnumType(type)) return [own, ...type.getValues().map((value) => at(`${type.name}.${value.name}`, value))]
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [own]
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const place = `${type.name}.${field.name}`
    const args: readonly (Described & { name: string })[] = 'args' in field ? field.args : []
    return [at(place, field), ...args.map((arg) => at(`${place}(${arg.name}:)`, arg))]
  })
  return [own, ...fields]
}

function at(place: string, part: Described): [string, Described] {
  return [place, part]
}

describe('the GraphQL schema', () => {
  it('describes every type, field, argument and enum value', () => {
    const without = described.filter(([, { description }]) => !description).map(([place]) => place)

    expect(described.length).toBeGreaterThan(800)
    expect(without).toEqual([])
  })

  it('describes them in sentences', () => {
    const odd = described.filter(([, { description }]) => !/^[A-Z1-9`][\s\S]*\.$/.test(description ?? ''))

    expect(odd.map(([place, { description }]) => `${place}: ${description}`)).toEqual([])
  })
})
