import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { browserOperations, resources } from '../../../../src/modules/operations.ts'
import type { Request } from '../client.ts'
import { schema } from '../schema.ts'
import type { CallerKind } from './callers.ts'
import { longest, type Position, withText } from './position.ts'

const operations = [...resources.flatMap(({ operations }) => operations), ...browserOperations]
const kinds = new Map(operations.map(({ name, kind }) => [name, kind]))

type Step = { field: GraphQLField<unknown, unknown>; values: Record<string, unknown> }

/** A value that is valid by the type's fields. */
function sample(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sample(type.ofType)
  if (isListType(type)) return [sample(type.ofType)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) return samples(Object.values(type.getFields()).filter(isRequiredInputField))
  return { Boolean: true, Int: 1, SafeInt: 1, Float: 1, JSON: {}, DateTime: '2030-01-01T00:00:00Z' }[type.name] ?? 'x'
}

function samples(fields: readonly (GraphQLArgument | GraphQLInputField)[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, type }) => [name, sample(type)]))
}

/** The paths to all text in an argument. */
function textsIn(type: GraphQLInputType, depth = 6): (string | number)[][] {
  if (depth === 0) return []
  if (isNonNullType(type)) return textsIn(type.ofType, depth)
  if (isListType(type)) return textsIn(type.ofType, depth - 1).map((path) => [0, ...path])
  if (!isInputObjectType(type)) return [[]]
  return Object.values(type.getFields()).flatMap(({ name, type }) =>
    textsIn(type, depth - 1).map((path) => [name, ...path]),
  )
}

/** All fields with arguments, each once, with the path of fields to it. */
function fieldsWithArguments(): { word: string; steps: Step[] }[] {
  const found: { word: string; steps: Step[] }[] = []
  const seen = new Set<string>()
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() }
  let next = Object.entries(roots).map(([word, type]) => ({ word, type, steps: [] as Step[] }))
  while (next.length > 0) {
    const current = next
    next = []
    for (const { word, type, steps } of current) {
      if (!type || seen.has(type.name)) continue
      seen.add(type.name)
      for (const field of Object.values(type.getFields())) {
        const path = [...steps, { field, values: samples(field.args.filter(isRequiredArgument)) }]
        if (field.args.length > 0) found.push({ word, steps: path })
        const inner = getNamedType(field.type)
        if (isObjectType(inner)) next.push({ word, type: inner, steps: path })
      }
    }
  }
  return found
}

function toLiteral(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return toLiteral(value, type.ofType)
  if (isListType(type) && Array.isArray(value)) return `[${value.map((item) => toLiteral(item, type.ofType)).join()}]`
  if (isEnumType(type) && type.getValue(value as string)) return String(value)
  if (isInputObjectType(type) && typeof value === 'object') {
    const fields = type.getFields()
    const written = Object.entries(value as object).map(
      ([name, inner]) => `${name}:${toLiteral(inner, fields[name]?.type as GraphQLInputType)}`,
    )
    return `{${written.join()}}`
  }
  return typeof value === 'object' ? '{}' : JSON.stringify(value)
}

/** The number of documents so far, which makes each document differ, so that none is in the server's cache. */
let documents = 0

function toRequest(query: string, variables?: unknown): Request {
  return {
    path: '/graphql',
    body: { query: `#${documents++}\n${query}`, ...(variables !== undefined && { variables }) },
  }
}

/** The document that selects the last field, with the text in one of its arguments. */
function toDocument(steps: readonly Step[], { name: last, written }: { name: string; written: string }): string {
  return steps.reduceRight((inner, { field, values }, index) => {
    const literals = field.args
      .filter(({ name }) => name in values)
      .map(({ name, type }) => [name, toLiteral(values[name], type)])
    const all = { ...Object.fromEntries(literals), ...(index === steps.length - 1 && { [last]: written }) }
    const given = Object.entries(all).map(([name, text]) => `${name}:${text}`)
    const isBranch = isCompositeType(getNamedType(field.type))
    return `${field.name}${given.length > 0 ? `(${given.join()})` : ''}${isBranch ? `{${inner || '__typename'}}` : ''}`
  }, '')
}

const asIs = (text: string) => text
/** The text for a block string between triple quotes; null if it contains quotes or backslashes. */
const inBlock = (text: string) => (/"|\\/.test(text) ? null : text)

/** Every argument and input field, as a variable and in the document, and documents that contain nothing else. */
export function graphqlPositions(): Position[] {
  const whole = (['admin', 'anonymous'] as const).flatMap((caller) => [
    ...['', '{ x', '{ feature(key: "x") { key } } #', 'query '].map(
      (begin): Position => ({
        name: `GraphQL, document ${begin}`,
        caller,
        lengths: [longest],
        encode: asIs,
        request: (text) => toRequest(begin + text),
      }),
    ),
    ...['operationName', 'variables', 'extensions', 'x'].map(
      (name): Position => ({
        name: `GraphQL, ${name} of the request`,
        caller,
        lengths: [longest],
        encode: asIs,
        request: (text) => ({ path: '/graphql', body: { query: '{ features { key } }', [name]: text } }),
      }),
    ),
    {
      name: 'GraphQL, name of a variable',
      caller,
      lengths: [longest],
      encode: asIs,
      request: (text) => toRequest('{ features { key } }', { [text]: text }),
    } satisfies Position,
  ])
  return [...whole, ...fieldsWithArguments().flatMap(positionsOf)]
}

function positionsOf({ word, steps }: { word: string; steps: Step[] }): Position[] {
  const { field, values } = steps.at(-1) as Step
  const kind = kinds.get(steps[0]?.field.name ?? '') ?? ''
  const known: CallerKind[] = kind.startsWith('user_') ? ['person'] : /sign_in|open_read/.test(kind) ? [] : ['admin']
  return field.args.flatMap(({ name, type }) =>
    textsIn(type).flatMap((path) => {
      const at = `GraphQL, ${steps.map(({ field }) => field.name).join('.')}(${[name, ...path].join('.')})`
      const given = (text: string) => withText(values[name], path, text)
      const literal = (text: string) => toLiteral(given(text), type)
      const document = (written: string) => toDocument(steps, { name, written })
      const forms: Pick<Position, 'name' | 'encode' | 'request'>[] = [
        {
          name: 'variable',
          encode: asIs,
          request: (text) => toRequest(`${word} ($x: ${type}) {${document('$x')}}`, { x: given(text) }),
        },
        { name: 'literal', encode: asIs, request: (text) => toRequest(`${word} {${document(literal(text))}}`) },
        {
          name: 'block',
          encode: inBlock,
          request: (text) => toRequest(`${word} {${document(literal('¤').replace('"¤"', () => `"""${text}"""`))}}`),
        },
      ]
      return [...known, 'anonymous' as const].flatMap((caller) =>
        forms.map((form) => ({ ...form, name: `${at}, ${form.name}`, caller, lengths: [250, longest] })),
      )
    }),
  )
}
