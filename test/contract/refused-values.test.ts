import { getNamedType, getNullableType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import type { FieldError } from '../../src/core/errors.ts'
import type { Field, Fields } from '../../src/core/field-type.ts'
import { toCamelCase } from '../../src/core/names.ts'
import { nameOf, pathNamesOf } from '../../src/graphql/names.ts'
import { readLog } from '../support/audit.ts'
import { inOneSpelling } from '../support/refusal.ts'
import { type Answer, type Caller, send, sharedService } from '../support/service.ts'
import { graphqlFieldOf } from './graphql-fields.ts'

/*
 * Where GraphQL would refuse a value by its type, the operation refuses it with its own message: the same as over REST, except
 * for the names of fields and of the values of enums.
 */

const service = await sharedService()
let admin: Caller

beforeAll(async () => {
  admin = await service.organization()
})

const writes = restRoutes.filter(
  ({ operation: { kind, name, input } }) => kind === 'write' && input.fields.size > 0 && name !== 'importSubscribers',
)

const wrongValues: Record<string, unknown> = {
  'a number': 1.5,
  'a boolean': true,
  'a text': 'no such value',
  'an object': { a: 1 },
  'a list': [[1]],
  null: null,
}

describe.each(writes.map((route) => [route.operation.name, route] as const))(
  'the write %s in GraphQL',
  (name, { operation }) => {
    const { method, route } = operation
    const { args, type } = graphqlFieldOf(operation)
    const shown = isObjectType(getNamedType(type)) ? ' { __typename }' : ''
    const document = `mutation ($input: ${getNullableType(args[0]?.type)}!) { ${name}(input: $input)${shown} }`
    const path = Object.fromEntries(pathNamesOf(operation.route).map((name) => [toCamelCase(name), 'nobody']))
    const url = route.replaceAll(/\{\w+\}/g, 'nobody')

    it.each(Object.keys(wrongValues))('refuses %s for each of its fields in the same way as REST', async (kind) => {
      for (const [field, { notes, type }] of operation.input.fields) {
        // GraphQL accepts a single item where a list is expected.
        if (notes.wording || (type.kind === 'list' && kind === 'a text')) continue
        const rest = await admin.rest(method, url, { [field]: wrongValues[kind] })
        if (rest.status !== 422) continue
        const definition = operation.input.fields.get(field) as Field
        const graphql = await admin.graphql(document, {
          input: { ...path, [nameOf(field, definition)]: wrongValues[kind] },
        })
        expectSame(graphql, rest, operation.input.fields, field)
      }
    })
  },
)

/** test/contract/graphql-names.test.ts checks the spelling of names. */
function expectSame(graphql: Answer, rest: Answer, fields: Fields, field: string): void {
  const names = new Map([...fields].map(([name, each]) => [name, nameOf(name, each)]))
  const reword = (text: string) => text.replace(/\w+/g, (word) => names.get(word) ?? word)
  const normalize = ({ path, message }: FieldError) => ({ path, message: inOneSpelling(message) })
  const { errors } = graphql.body
  expect(errors, field).toHaveLength(1)
  expect(errors[0].extensions.details.fields.map(normalize), field).toEqual(
    rest.body.error.details.fields.map(({ path, message }: FieldError) =>
      normalize({ path: reword(path), message: reword(message) }),
    ),
  )
}

describe('a GraphQL document with a value that does not fit its type', () => {
  const malformed = 'mutation { createFeature(input: { key: 7.5, kind: NOPE, nmae: "x" }) { key } }'
  const firstErrorOf = async (document: string, caller = admin) => {
    const { body } = await caller.graphql(document)
    expect(body).not.toHaveProperty('data')
    const { message, extensions, path } = body.errors[0]
    return { path, code: extensions.code, message, fields: extensions.details?.fields }
  }

  it('is refused with a detail for each wrong field, with the operation’s own message', async () => {
    expect(await firstErrorOf(malformed)).toEqual({
      path: ['createFeature'],
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^key must be /),
      fields: [
        { path: 'key', message: expect.stringMatching(/^key must be /) },
        { path: 'kind', message: 'kind must be one of FLAG, LIMIT, CONFIG.' },
        { path: 'nmae', message: 'Unknown field "nmae". Did you mean "name"?' },
      ],
    })
  })

  it.each([
    ['{ subscribers(first: "x") { nodes { name } } }', 'first', /^first must be /],
    ['{ subscribers(first: 2.5) { nodes { name } } }', 'first', /^first must be /],
    ['{ subscribers(filter: { planId: 7.5 }) { nodes { name } } }', 'planId', /^planId must be /],
    ['{ subscribers(frist: 2) { nodes { name } } }', 'frist', /^Unknown argument "frist". Did you mean "first"\?$/],
    ['{ plan { key } }', 'key', /^key is required/],
    ['mutation { archivePlan { key } }', 'key', /^key is required/],
    ['mutation { createPlan(input: { name: "x" }) { key } }', 'key', /^key is required: /],
    ['mutation { updatePlan(input: { name: "x" }) { key } }', 'key', /^key is required/],
    [
      'mutation { createFeature(input: { key: "x", name: "x", kind: "FLAG" }) { key } }',
      'kind',
      /without quotation marks/,
    ],
    ['{ features { history(first: "x") { nodes { field } } } }', 'first', /^first is not valid: Int cannot represent/],
    ['{ plan(key: 5.5) { key } }', 'key', /^key is not valid: ID cannot represent/],
    [
      'mutation { updatePlan(input: { key: "pro", archivedAt: null }) { key } }',
      'archivedAt',
      /^archivedAt cannot be set here: use archivePlan or unarchivePlan\.$/,
    ],
    ['mutation { updatePlan(input: { kye: "pro" }) { key } }', 'kye', /Did you mean "key"\?$/],
    ['mutation { archivePlan(key: "pro") { key } }', 'key', /Send it as a field of "input"\.$/],
    ['mutation { updatePlan(input: { key: "pro", archived: true }) { key } }', 'archived', /use archivePlan/],
    ['mutation { updateFeature(input: { key: "x", kind: FLAG }) { key } }', 'kind', /^kind cannot be changed: /],
    [
      'mutation { updateFeature(input: { key: "x", valueType: JSON }) { key } }',
      'valueType',
      /^valueType cannot be changed: /,
    ],
    [
      '{ previewCatalog(changes: []) { refusals { code } } }',
      'changes',
      /^Unknown argument "changes"\. Send it as a field of "input"\.$/,
    ],
    [
      '{ subscribers(search: "x") { nodes { name } } }',
      'search',
      /^Unknown argument "search"\. Send it as a field of "filter"\.$/,
    ],
  ])('such as %s is refused at the field %s', async (document, path, message) => {
    const { code, fields } = await firstErrorOf(document)

    expect(code).toBe('VALIDATION_ERROR')
    expect(fields).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('is 401 with an invalid key, even if the document has other faults', async () => {
    const invalidKey = { 'x-api-key': 'ent_nobody' }
    for (const query of ['{', '{ nope }', malformed]) {
      const { body } = await send(`${service.url}/graphql`, 'POST', { query }, invalidKey)
      expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
        'UNAUTHORIZED',
      ])
    }
  })

  it('is 401 without credentials, and a recorded 403 without the required label', async () => {
    const organization = await service.organization()
    const viewer = await service.member(organization.organizationId, 'viewer')

    const unknown = await send(`${service.url}/graphql`, 'POST', { query: malformed })
    expect(unknown.body.errors[0].extensions.code).toBe('UNAUTHORIZED')
    expect((await firstErrorOf(malformed, viewer)).code).toBe('FORBIDDEN')

    const [entry] = await readLog(organization)
    expect(entry).toMatchObject({ outcome: 'rejected', status: 403, route: '/org/features', method: 'POST' })
  })

  it("does not run any field, and checks the caller's role for each field", async () => {
    const organization = await service.organization()
    const evaluator = await service.member(organization.organizationId, 'viewer')
    const both = `mutation { a: createPlan(input: { key: "one", name: "One" }) { key } b: createPlan(input: { key: 1.5 }) { key } }`

    const refused = await organization.graphql(both)
    const forbidden = await evaluator.graphql(both)

    expect(refused.body.errors).toHaveLength(1)
    expect(refused.body.errors[0].path).toEqual(['b'])
    expect(forbidden.body.errors.map(({ path }: { path: string[] }) => path)).toEqual([['a'], ['b']])
    expect((await organization.rest('GET', '/org/plans')).body.plans).toEqual([])
  })
})
