import fc from 'fast-check'
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { restRoutes } from '../../../rest/routes.ts'
import { labelsByRole } from '../../../src/access/roles.ts'
import type { Request } from './client.ts'
import { schema } from './schema.ts'

/** Words that are valid somewhere, words that are nearly valid, and characters that are unusual everywhere. */
const word = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('x', 'y', 'flag', 'limit', 'config', 'enum', 'json', 'red', 'pro', 'admin', 'true', '5'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      '\0',
      '\ud800',
      '\u2028',
      "'; --",
      '$1',
      '{}',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '2030-01-01T00:00:00Z',
      '01M7YA4N4HHMK0EZCPXH9KFQVP',
      'http://127.0.0.1/',
      'a@b.example',
    ),
  },
  { weight: 1, arbitrary: fc.nat({ max: 5_000 }).map((length) => 'w'.repeat(length)) },
)

const number = fc.oneof(fc.constantFrom(0, -0, -1, 1.5, 2 ** 53, 1e308, 5), fc.integer())

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 2, arbitrary: number },
  { weight: 2, arbitrary: fc.constantFrom(true, false, null, [], {}) },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
  { weight: 1, arbitrary: fc.nat({ max: 2_000 }).map((depth) => nest(depth)) },
)

function nest(depth: number): unknown {
  let nested: unknown = 1
  for (let level = 0; level < depth; level++) nested = level % 2 ? [nested] : { a: nested }
  return nested
}

const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('x', 'y', 's') },
  { weight: 2, arbitrary: word.map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: fc.constantFrom('%ff', '%', '%00', '%2F', '..', '%2e%2e', ';', '*', ':key', '') },
)

const names = [
  'limit',
  'starting_after',
  'include_archived',
  'include_expired',
  'month',
  'params[key]',
  'params',
  'outcome',
  'method',
  'state',
  '__proto__',
  'x',
]
const query = fc
  .array(fc.tuple(fc.constantFrom(...names), word), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join('&'))
  .map((text) => (text === '' ? '' : `?${text}`))

/** A request's caller: a role, whose key is filled in later, or unknown. */
const caller = fc.constantFrom(...Object.keys(labelsByRole), 'admin', 'admin', 'admin', 'nobody', 'anonymous')

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-encoding': 'gzip' },
      { accept: 'text/html' },
      { accept: 'application/graphql-response+json' },
      { authorization: 'Bearer a.b.c' },
      { cookie: 'ent_user=ses_x; ent_session_x=y' },
      { origin: 'https://evil.example' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '::1, unknown', forwarded: 'for=_x' },
      { 'x-organization-id': '__proto__' },
      { 'user-agent': 'u'.repeat(5_000) },
      { range: 'bytes=0-1', 'if-none-match': '*' },
    ),
  },
)

type GeneratedRequest = Request & { caller: string }

/** Routes for API keys; the attacks on sign-in cover those for accounts. */
const routes = restRoutes.filter(({ operation: { kind } }) => kind !== 'sign_in')

const restRequest: fc.Arbitrary<GeneratedRequest> = fc.constantFrom(...routes).chain(({ operation }) => {
  const fields = [...Object.keys(operation.input.shape), 'unknown', '__proto__']
  const some = fc.array(fc.tuple(fc.constantFrom(...fields), value), { maxLength: 7 })
  return fc
    .record({
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant<string>(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND') },
      ),
      segments: fc.tuple(segment, segment),
      query,
      headers,
      caller,
      body: fc.oneof(
        { weight: 5, arbitrary: some.map((entries) => JSON.stringify(Object.fromEntries(entries))) },
        { weight: 1, arbitrary: value.map((whole) => JSON.stringify(whole)) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
      ),
    })
    .map(({ method, segments: [first, second], query, headers, caller, body }) => {
      const values = [first, second]
      const path = operation.route.replaceAll(/\{\w+\}/g, () => values.shift() ?? 'x') + query
      const hasBody = !['GET', 'HEAD', 'TRACE'].includes(method)
      return { method, path, headers, caller, ...(hasBody && { body }) }
    })
})

/** A literal that is more or less valid for this type. */
function literal(type: GraphQLInputType, depth: number): fc.Arbitrary<string> {
  if (isNonNullType(type)) return literal(type.ofType, depth)
  if (isListType(type))
    return fc.array(literal(type.ofType, depth), { maxLength: 3 }).map((items) => `[${items.join()}]`)
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name), 'NONE')
  if (isInputObjectType(type) && depth > 0) {
    const fields = Object.values(type.getFields()).map(({ name, type }) =>
      literal(type, depth - 1).map((text) => `${name}:${text}`),
    )
    return fc
      .tuple(...fields)
      .chain((all) => fc.shuffledSubarray(all, { minLength: Math.min(1, all.length) }))
      .map((some) => `{${some.join()}}`)
  }
  return value.map((any) => JSON.stringify(any) ?? 'null')
}

function selection(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
  const given = fc
    .tuple(...field.args.map((argument) => literal(argument.type, 3).map((text) => `${argument.name}:${text}`)))
    .map((all) => (all.length === 0 ? '' : `(${all.join()})`))
  const type = getNamedType(field.type)
  if (!isCompositeType(type)) return given.map((text) => field.name + text)
  const inner = isObjectType(type) && depth > 0 ? Object.values(type.getFields()) : []
  if (inner.length === 0) return given.map((text) => `${field.name}${text}{__typename}`)
  const picked = fc.array(
    fc.constantFrom(...inner).chain((each) => selection(each, depth - 1)),
    { minLength: 1, maxLength: 4 },
  )
  return fc.tuple(given, picked).map(([text, fields]) => `${field.name}${text}{${fields.join(' ')}}`)
}

function operation(word: 'query' | 'mutation'): fc.Arbitrary<string> {
  const type = word === 'query' ? schema.getQueryType() : schema.getMutationType()
  const untouched = ['signIn', 'signUp']
  const fields = Object.values(type?.getFields() ?? {}).filter(({ name }) => !untouched.includes(name))
  return fc
    .array(
      fc.constantFrom(...fields).chain((field) => selection(field, 4)),
      { minLength: 1, maxLength: 4 },
    )
    .map((selections) => `${word}{${selections.map((text, index) => `a${index}:${text}`).join(' ')}}`)
}

/** Sometimes removes a piece, doubles it, or replaces it with something unusual. */
const document = fc
  .tuple(fc.oneof(operation('query'), operation('mutation')), fc.nat({ max: 9 }), fc.nat(), fc.nat({ max: 40 }), word)
  .map(([text, chance, at, length, odd]) => {
    const from = at % text.length
    const piece = text.slice(from, from + length)
    if (chance === 0) return text.slice(0, from) + text.slice(from + length)
    if (chance === 1) return text.slice(0, from) + piece + piece + text.slice(from + length)
    if (chance === 2) return text.slice(0, from) + odd + text.slice(from)
    return text
  })

const graphqlRequest: fc.Arbitrary<GeneratedRequest> = fc
  .record({ query: document, variables: fc.option(value, { freq: 3 }), headers, caller })
  .map(({ query, variables, headers, caller }) => ({
    path: '/graphql',
    headers,
    caller,
    body: JSON.stringify({ query, ...(variables !== null && { variables }) }),
  }))

const request = fc.oneof({ weight: 2, arbitrary: restRequest }, { weight: 1, arbitrary: graphqlRequest })

/** Generates this many requests, the same for the same seed. */
export function generate(seed: number, count: number): GeneratedRequest[] {
  return fc.sample(request, { seed, numRuns: count })
}
