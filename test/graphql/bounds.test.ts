import { getIntrospectionQuery } from 'graphql'
import { describe, expect, it } from 'vitest'
import { expectRefusedDocument } from '../support/refusal.ts'
import { type Answer, type Caller, send, startService } from '../support/service.ts'

const service = await startService({ BODY_LIMIT_BYTES: '2000000' })

const times = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n)).join(' ')
const nested = (levels: number, field: string, leaf: string) =>
  `${`${field} { `.repeat(levels)}${leaf}${' }'.repeat(levels)}`

/** Expects a refusal without any effect: no feature was created and no write recorded. */
async function expectNothingRan(caller: Caller, answer: Answer, message?: unknown): Promise<void> {
  expectRefusedDocument(answer, message)
  const { organizationId } = caller
  expect(await service.database.prisma.feature.count({ where: { organizationId } })).toBe(0)
  expect(await service.database.prisma.auditEvent.count({ where: { organizationId } })).toBe(0)
}

const create = (n: number) => `f${n}: createFeature(input: { key: "f${n}", name: "F", kind: FLAG }) { key }`

describe('the checks of a document', () => {
  it.each<[string, string, string | RegExp]>([
    ['5,000 aliases', `{ ${times(5000, (n) => `a${n}: __typename`)} }`, /more than 4000 tokens/],
    ['101 aliases', `{ subscribers { nodes { ${times(101, (n) => `a${n}: name`)} } } }`, /more than 100 aliases/],
    ['10,000 braces', `{ ${nested(10_000, 'a', 'b')} }`, /more than 200 levels of brackets/],
    ['1,200 levels', `{ ${nested(1_200, 'a', 'b')} }`, /more than 200 levels of brackets/],
    ['16 levels', `{ ${nested(15, 'a', 'b')} }`, /more than 15 levels/],
    [
      '10,000 brackets in a value',
      `{ feature(key: ${'['.repeat(10_000)}${']'.repeat(10_000)}) { key } }`,
      /more than 200 levels of brackets/,
    ],
    [
      '1,900 brackets in a value',
      `{ feature(key: ${'['.repeat(1_900)}${']'.repeat(1_900)}) { key } }`,
      /more than 200 levels of brackets/,
    ],
    [
      '101 brackets in a value',
      `{ feature(key: ${'['.repeat(101)}${']'.repeat(101)}) { key } }`,
      /more than 100 levels in a value/,
    ],
    [
      '1,000 brackets in a type',
      `query ($a: ${'['.repeat(1_000)}ID${']'.repeat(1_000)}) { feature(key: $a) { key } }`,
      /more than 200 levels of brackets/,
    ],
    ['300,000 tokens', `{ ${'a '.repeat(300_000)} }`, /more than 4000 tokens/],
    ['the same field 3,000 times', `{ features { ${'key '.repeat(3_000)} } }`, /more than 500 fields/],
    [
      'the same field 101 times with arguments',
      `{ subscribers { nodes { ${times(101, (n) => `subscriptions(first: ${n + 1}) { nodes { id } }`)} } } }`,
      /more than 100 fields of one name with arguments/,
    ],
    ['201 spreads', `{ ${times(201, (n) => `...A${n}`)} }`, /more than 200 fragment spreads/],
    [
      'levels hidden in fragments',
      `query { subscribers { ...F0 } } ${times(16, (n) => `fragment F${n} on A { a { ...F${n + 1} } }`)} fragment F16 on A { a }`,
      /more than 15 levels/,
    ],
    [
      'a fragment within itself',
      'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A features { key } }',
      /itself/,
    ],
    ['a fragment within itself, nested', '{ plans { ...A } } fragment A on Plan { grants { feature } ...A }', /itself/],
    [
      'fragments that double each time',
      `{ subscribers { nodes { ...F0 } } } ${times(30, (n) => `fragment F${n} on Subscriber { ...F${n + 1} a${n}: activeSubscription { id } ...F${n + 1} }`)} fragment F30 on Subscriber { overrides { id } }`,
      /cost/,
    ],
    [
      'a hundred rows in each of a hundred rows',
      '{ subscribers(first: 100) { nodes { subscriptions(first: 100) { nodes { id plan { grants { feature } } } } } } }',
      /cost/,
    ],
    [
      'a hundred rows in each of a hundred rows, by edges',
      '{ subscribers(first: 100) { edges { node { subscriptions(first: 100) { edges { node { id status planId createdAt canceledAt } } } } } } }',
      /cost/,
    ],
    ['26 root fields', `{ ${times(26, (n) => `a${n}: features { key }`)} }`, /more than 25 root fields/],
    ['26 mutations', `mutation { ${times(26, create)} }`, /more than 25 root fields/],
    [
      '26 mutations in fragments',
      `mutation { ...A ... on Mutation { ${times(13, create)} } } fragment A on Mutation { ${times(13, (n) => create(n + 13))} }`,
      /more than 25 root fields/,
    ],
    [
      'circular introspection',
      `{ __schema { types { ${nested(5, 'fields { type', 'name').replaceAll('}', '} }').slice(0, -2)} } } }`,
      /.*/,
    ],
    ['an unknown field', 'mutation { createFeature(input: { key: "a", name: "a", kind: FLAG }) { nope } }', /nope/],
    ['a document with a syntax error', `mutation { ${create(0)} } }`, /Syntax Error/],
    ['a document without an operation', 'fragment A on Query { features { key } }', /.*/],
    ['an empty document', '', /Syntax Error/],
    ['a GraphQL subscription', 'subscription { features { key } }', /.*/],
    ['a GraphQL subscription to the type Subscription', 'subscription { id }', /.*/],
    ['a definition of types', 'type A { b: Int }', /.*/],
  ])('refuse %s, and run nothing', async (_what, document, message) => {
    const caller = await service.organization()

    const answer = await caller.graphql(document)

    await expectNothingRan(caller, answer, expect.stringMatching(message))
    expect(answer.status).toBe(200)
  })

  it('use the value of a variable as the number of rows of a page', async () => {
    const caller = await service.organization()
    const query = `query ($first: Int) { subscribers(first: $first) { nodes {
      subscriptions(first: $first) { nodes { id status planId createdAt canceledAt } } } } }`

    expect((await caller.graphql(query, { first: 50 })).body).toEqual({ data: { subscribers: { nodes: [] } } })
    await expectNothingRan(caller, await caller.graphql(query, { first: 100 }), expect.stringMatching(/cost/))
    expect((await caller.graphql(query, { first: -100 })).body.errors[0].extensions.details.fields[0].path).toBe(
      'first',
    )
  })

  it('report at most ten errors', async () => {
    const caller = await service.organization()

    const { body } = await caller.graphql(
      `{ ${times(200, (n) => `nope${n}`)
        .split(' ')
        .slice(0, 20)
        .join(' ')} }`,
    )

    expect(body.errors.length).toBeLessThanOrEqual(10)
  })

  it('truncate a message that would quote a long value', async () => {
    const caller = await service.organization()

    const { body } = await caller.graphql('query ($first: Int) { subscribers(first: $first) { nodes { name } } }', {
      first: 'x'.repeat(1_000_000),
    })

    expect(JSON.stringify(body).length).toBeLessThan(5_000)
  })

  it('refuse a wrong operation name, and a missing one if there are several operations', async () => {
    const caller = await service.organization()
    const query = 'query A { features { key } } query B { plans { key } }'
    const post = (operationName?: unknown) =>
      send(`${service.url}/graphql`, 'POST', { query, operationName }, { 'x-api-key': caller.key })

    expect((await post('B')).body).toEqual({ data: { plans: [] } })
    expectRefusedDocument(await post('C'), expect.stringMatching(/operation/))
    expectRefusedDocument(await post(), expect.stringMatching(/operation/i))
    expectRefusedDocument(await post(1), 'operationName must be a string.', 'operationName')
  })
})

describe('a document within the limits', () => {
  it('may have 25 root fields', async () => {
    const caller = await service.organization()

    const { body } = await caller.graphql(`mutation { ${times(25, create)} }`)

    expect(Object.keys(body.data)).toHaveLength(25)
    expect(body.errors).toBeUndefined()
  })

  it('may introspect the schema, as GraphiQL and code generators do', async () => {
    const caller = await service.organization()

    for (const query of [
      getIntrospectionQuery(),
      getIntrospectionQuery({
        inputValueDeprecation: true,
        schemaDescription: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        oneOf: true,
      }),
    ]) {
      const { body } = await caller.graphql(query)
      expect(body.errors).toBeUndefined()
      expect(body.data.__schema.queryType).toMatchObject({ name: 'Query' })
    }
  })

  it('is answered while other documents are refused', async () => {
    const caller = await service.organization()
    const hostile = [
      `{ ${times(5000, (n) => `a${n}: __typename`)} }`,
      nested(10_000, 'a', 'b'),
      `{ ${'a '.repeat(300_000)} }`,
    ]

    const refused = Array.from({ length: 15 }, (_, n) => caller.graphql(hostile[n % 3] as string))
    const answers = await Promise.all([caller.graphql('{ features { key } }'), caller.rest('GET', '/org/features')])

    expect(answers.map(({ body }) => body)).toEqual([{ data: { features: [] } }, { features: [] }])
    for (const answer of await Promise.all(refused)) expectRefusedDocument(answer)
  })
})

describe('a request that is not a GraphQL query', () => {
  const post = (body: string, headers: Record<string, string>) => send(`${service.url}/graphql`, 'POST', body, headers)
  const json = { 'content-type': 'application/json' }
  const error = (answer: Answer, rest: object) => ({
    errors: [
      {
        message: expect.any(String),
        extensions: {
          type: 'invalid_request_error',
          requestId: answer.headers.get('x-request-id'),
          details: null,
          ...rest,
        },
      },
    ],
  })

  it.each<[string, string, Record<string, string>, string, number]>([
    ['broken JSON', '{"query":', json, 'INVALID_JSON', 400],
    [
      'a form',
      'query=%7Bfeatures%7Bkey%7D%7D',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'UNSUPPORTED_MEDIA_TYPE',
      415,
    ],
    [
      'application/graphql',
      '{ features { key } }',
      { 'content-type': 'application/graphql' },
      'UNSUPPORTED_MEDIA_TYPE',
      415,
    ],
    [
      'multipart',
      '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"{ features { key } }"}\r\n--x--',
      { 'content-type': 'multipart/form-data; boundary=x' },
      'UNSUPPORTED_MEDIA_TYPE',
      415,
    ],
    ['a body over the limit', JSON.stringify({ query: ' '.repeat(2_000_000) }), json, 'BODY_TOO_LARGE', 413],
  ])('is refused with a status of its own: %s', async (_what, body, headers, code, status) => {
    const answer = await post(body, headers)

    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(error(answer, { code, status }))
  })

  const unreadable: [string, string, string, number][] = [
    ['broken JSON', '{"query":', 'application/json', 400],
    ['text', '{ features { key } }', 'text/plain', 415],
    ['a body over the limit', JSON.stringify({ query: ' '.repeat(2_000_000) }), 'application/json', 413],
  ]

  describe.each(unreadable)('with a body that cannot be read (%s)', (_what, body, contentType, status) => {
    const sent = (headers: Record<string, string>) => post(body, { 'content-type': contentType, ...headers })

    it.each<[string, Record<string, string>]>([
      ['an invalid key', { 'x-api-key': 'ent_wrong' }],
      ['an invalid token', { authorization: 'Bearer wrong' }],
      ['a key and a token', { 'x-api-key': 'ent_wrong', authorization: 'Bearer wrong' }],
    ])('is refused with 401 because of %s', async (_credentials, headers) => {
      const answer = await sent(headers)

      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey, Bearer')
      expect(answer.body).toEqual(error(answer, { code: 'UNAUTHORIZED', status: 401 }))
    })

    it('is refused because of the body if the key is valid', async () => {
      const { key } = await service.organization()

      expect((await sent({ 'x-api-key': key })).status).toBe(status)
    })
  })

  it.each<[string, string, string]>([
    ['an array of requests', '[{"query":"{ features { key } }"}]', ''],
    ['a string', '"{ features { key } }"', ''],
    ['no body', '', ''],
    ['a body without a query', '{}', 'query'],
    ['a query that is not a string', '{"query":["{ features { key } }"]}', 'query'],
    ['the hash of a query alone', '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}', 'query'],
    ['variables that are not an object', '{"query":"{ features { key } }","variables":[]}', 'variables'],
  ])('is refused with 422: %s', async (_what, body, path) => {
    const answer = await post(body, json)

    expect(answer.status).toBe(422)
    expectRefusedDocument(answer, expect.any(String), path)
  })

  it('is not run if the query is in the URL', async () => {
    const caller = await service.organization()
    const query = encodeURIComponent('{ features { key } }')

    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await send(`${service.url}/graphql?query=${query}`, 'GET', undefined, {
        accept,
        'x-api-key': caller.key,
      })
      expect(answer.status).toBe(404)
      expect(answer.body.error).toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('by POST'),
        details: null,
      })
    }
    const posted = await send(`${service.url}/graphql?query=${query}`, 'POST', {}, { 'x-api-key': caller.key })
    expectRefusedDocument(posted, expect.any(String), 'query')
  })

  it('is 404 with the methods PUT, DELETE and PATCH', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await send(`${service.url}/graphql`, method, { query: '{ features { key } }' })
      expect(answer.status).toBe(404)
      expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: null })
    }
  })
})

describe('the status of an answer', () => {
  const ask = (query: string, accept: string) => send(`${service.url}/graphql`, 'POST', { query }, { accept })
  const response = 'application/graphql-response+json'

  it.each([
    ['{ nope }', 'application/json', 200],
    ['{ nope }', '*/*', 200],
    ['{ nope }', response, 422],
    ['{', `${response}, application/json;q=0.9`, 422],
    ['{ features { key } }', 'application/json', 200],
    ['{ features { key } }', response, 200],
  ])('to %s with Accept: %s is %d', async (query, accept, status) => {
    const answer = await ask(query, accept)

    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe(
      `${accept.includes(response) ? response : 'application/json'}; charset=utf-8`,
    )
    expect(answer.headers.get('x-request-id')).toBe(answer.body.errors[0].extensions.requestId)
  })
})
