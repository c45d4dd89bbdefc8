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

type DescribedPart = { description?: string | null | undefined }

/** Every description that a client's tools show, by its coordinate in the schema. */
const described: [string, DescribedPart][] = Object.values(schema.getTypeMap())
  .filter((type) => !isIntrospectionType(type))
  .flatMap(partsOf)

function partsOf(type: GraphQLNamedType): [string, DescribedPart][] {
  const own: [string, DescribedPart] = [type.name, type]
  if (isEnumType(type)) return [own, ...type.getValues().map((value) => toEntry(`${type.name}.${value.name}`, value))]
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [own]
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const path = `${type.name}.${field.name}`
    const args: readonly (DescribedPart & { name: string })[] = 'args' in field ? field.args : []
    return [toEntry(path, field), ...args.map((arg) => toEntry(`${path}(${arg.name}:)`, arg))]
  })
  return [own, ...fields]
}

function toEntry(path: string, part: DescribedPart): [string, DescribedPart] {
  return [path, part]
}

describe('the GraphQL schema', () => {
  it('describes every type, field, argument and enum value', () => {
    const without = described.filter(([, { description }]) => !description).map(([path]) => path)

    expect(described.length).toBeGreaterThan(800)
    expect(without).toEqual([])
  })

  it('has descriptions that are sentences', () => {
    const odd = described.filter(([, { description }]) => !/^[A-Z1-9`][\s\S]*\.$/.test(description ?? ''))

    expect(odd.map(([path, { description }]) => `${path}: ${description}`)).toEqual([])
  })
})
