import { describe, expect, it, vi } from 'vitest'
import { loopSlices } from '../../src/fairness/loop-slices.ts'
import { expectRefusedDocument } from '../support/refusal.ts'
import { send, sharedService, startService } from '../support/service.ts'
import { hostileDocuments } from '../tools/bench/hostile-documents.ts'

const service = await sharedService()
const productionService = await startService({ NODE_ENV: 'production' })

const createFeature = 'mutation ($input: CreateFeatureInput!) { createFeature(input: $input) { key } }'
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 1]))

describe('the service survives the worst documents and variables:', () => {
  it.each(hostileDocuments)('$name', async ({ body }) => {
    const caller = await service.organization()

    const answer = await send(`${service.url}/graphql`, 'POST', body, { 'x-api-key': caller.key })

    // Bodies of very many values are refused before they are parsed.
    expect([200, 413]).toContain(answer.status)
    expect(JSON.stringify(answer.body).length).toBeLessThan(4 * 1_048_576)
    for (const { extensions } of answer.body.errors ?? []) expect(extensions.status).toBeLessThan(500)
    const { organizationId } = caller
    expect(await service.database.prisma.feature.count({ where: { organizationId } })).toBe(0)
  })

  it('lets other requests run between 25 fields that read the same large variable', async () => {
    const caller = await service.organization()
    const nextSlice = vi.spyOn(loopSlices, 'next')
    const fields = Array.from({ length: 25 }, (_, n) => `a${n}: previewCatalog(input: $input) { __typename }`)
    const changes = Array.from({ length: 12_000 }, (_, n) => ({ operation: 'CREATE_PLAN', key: `k${n}`, input: {} }))

    const { body } = await caller.graphql(`query ($input: PreviewCatalogInput!) { ${fields.join(' ')} }`, {
      input: { changes },
    })

    expect(body.errors).toHaveLength(25)
    expect(nextSlice).toHaveBeenCalledWith(caller.organizationId)
    nextSlice.mockRestore()
  })
})

describe('variables', () => {
  it.each([
    ['10,001 fields in one object', fields(10_001), /more than 10000 fields in one object/],
    ['50,001 values', { list: Array.from({ length: 50_001 }, () => 1) }, /more than 50000 values/],
  ])('with %s are refused before they are validated', async (_what, input, message) => {
    const caller = await service.organization()

    expectRefusedDocument(await caller.graphql(createFeature, { input }), expect.stringMatching(message))
  })

  it('with more than 25,000 levels are refused before they are validated', async () => {
    const caller = await service.organization()
    const deep = `${'['.repeat(25_001)}${']'.repeat(25_001)}`
    const body = `{"query":${JSON.stringify(createFeature)},"variables":{"input":${deep}}}`

    const answer = await send(`${service.url}/graphql`, 'POST', body, { 'x-api-key': caller.key })

    expectRefusedDocument(answer, expect.stringMatching(/more than 25000 levels/))
  })

  it('are refused with at most a hundred errors', async () => {
    const caller = await service.organization()

    const { body } = await caller.graphql(createFeature, { input: fields(1_000) })

    expect(body.errors).toHaveLength(1)
    expect(body.errors[0].extensions.details.fields).toHaveLength(100)
  })
})

it('suggestions for a misspelled field are left out beside a long text, with which they would take too long', async () => {
  const caller = await service.organization()
  const messageFor = async (length: number) => {
    const { body } = await caller.graphql(`{ featurs feature(key: "${'a'.repeat(length)}") { key } }`)
    return body.errors[0].message
  }

  expect(await messageFor(255)).toContain('Did you mean')
  expect(await messageFor(1_000)).toBe('Cannot query field "featurs" on type "Query".')
})

describe('fragments', () => {
  it.each([
    ['through another fragment', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['through a field', '{ plans { ...A } } fragment A on Plan { grants { ...B } } fragment B on Grant { ...B }'],
    ['unused', '{ features { key } } fragment A on Query { ...A }'],
  ])('that spread themselves are refused: %s', async (_how, query) => {
    const caller = await service.organization()

    expectRefusedDocument(await caller.graphql(query), expect.stringMatching(/must not spread itself/))
  })
})

describe('in production', () => {
  const ask = (query: string, headers = {}, variables = {}) =>
    send(`${productionService.url}/graphql`, 'POST', { query, variables }, headers)

  it.each([
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Plan") { name } }',
    'query { ...A } fragment A on Query { ... { s: __schema { queryType { name } } } }',
    '{ nope __schema { queryType { name } } }',
  ])('anonymous clients cannot read the schema: %s', async (query) => {
    const { body } = await ask(query)

    expect(body).toEqual({
      errors: [
        {
          message: expect.stringMatching(/known callers/),
          extensions: {
            type: 'invalid_request_error',
            code: 'UNAUTHORIZED',
            requestId: expect.any(String),
            details: null,
            status: 401,
          },
        },
      ],
    })
  })

  it('anonymous clients get no suggestions for misspelled fields', async () => {
    const { body } = await ask('{ featurs { key } }')

    expect(body.errors[0].message).toBe('Cannot query field "featurs" on type "Query".')
  })

  it('anonymous clients get no suggestions for wrong values in variables', async () => {
    const caller = await productionService.organization()
    const query = 'mutation ($input: CreateFeatureInput!) { createFeature(input: $input) { key } }'
    const variables = { input: { key: 'a', name: 'A', kind: 'FLAK' } }
    const messageFor = async (headers?: Record<string, string>) =>
      (await ask(query, headers, variables)).body.errors[0].message

    expect(await messageFor()).not.toContain('FLAG')
    expect(await messageFor({ 'x-api-key': caller.key })).toBe('kind must be one of FLAG, LIMIT, CONFIG.')
  })

  it('a GET, even from a browser, is 404 and says that GraphQL requires POST', async () => {
    for (const accept of ['application/json', 'text/html']) {
      const { status, body } = await send(`${productionService.url}/graphql?query={__typename}`, 'GET', undefined, {
        accept,
      })

      expect(status).toBe(404)
      expect(body.error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('by POST') })
    }
  })

  it('authenticated callers may introspect, and anonymous clients may query __typename', async () => {
    const caller = await productionService.organization()
    const query = '{ __schema { queryType { name } } }'

    expect((await ask(query, { 'x-api-key': caller.key })).body).toEqual({
      data: { __schema: { queryType: { name: 'Query' } } },
    })
    expect((await ask('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } })
    expect((await ask(query, { 'x-api-key': 'ent_wrong' })).body.errors[0].extensions.code).toBe('UNAUTHORIZED')
  })
})
