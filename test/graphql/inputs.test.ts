import { describe, expect, it } from 'vitest'
import { expectRefusedDocument, expectRefusedField } from '../support/refusal.ts'
import { type Caller, send, sharedService } from '../support/service.ts'

const service = await sharedService()

async function withFeatures(): Promise<Caller> {
  const caller = await service.organization()
  const features = [
    { key: 'sso', name: 'SSO', kind: 'flag', description: 'Sign in once.' },
    { key: 'seats', name: 'Seats', kind: 'limit' },
    { key: 'max_seats', name: 'Max seats', kind: 'limit' },
    { key: 'settings', name: 'Settings', kind: 'config', value_type: 'json' },
    { key: '__proto__', name: 'Proto', kind: 'flag' },
  ]
  for (const feature of features) expect((await caller.rest('POST', '/org/features', feature)).status).toBe(201)
  await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann', name: 'Ann' })
  return caller
}

const fieldsOf = (answer: { body: { errors: { extensions: { code: string; details: { fields: unknown } } }[] } }) => {
  expect(answer.body.errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
  return answer.body.errors[0]?.extensions.details.fields
}

describe('absent and null', () => {
  const rename = 'mutation ($input: UpdateSubscriberInput!) { updateSubscriber(input: $input) { name } }'

  it('differ: an absent field keeps its value, and null clears it', async () => {
    const caller = await withFeatures()

    const absent = await caller.graphql(rename, { input: { subscriberId: 'ann' } })
    const cleared = await caller.graphql(rename, { input: { subscriberId: 'ann', name: null } })

    expect(absent.body.data.updateSubscriber.name).toBe('Ann')
    expect(cleared.body.data.updateSubscriber.name).toBeNull()
  })

  it('differ: a variable without a value is an absent field', async () => {
    const caller = await withFeatures()

    const { body } = await caller.graphql(
      `mutation ($name: String, $description: String) {
        updateFeature(input: { key: "sso", name: $name, description: $description }) { name description }
      }`,
      { description: '' },
    )

    expect(body.data.updateFeature).toEqual({ name: 'SSO', description: '' })
  })

  it.each([
    ['updateFeature', '{ key: "sso", name: null }', 'name'],
    ['updateFeature', '{ key: "sso", options: null }', 'options'],
    ['createFeature', '{ key: "x", name: "x", kind: FLAG, valueType: null }', 'valueType'],
    ['createPlan', '{ key: "x", name: "x", grants: null }', 'grants'],
    ['createPlan', '{ key: "x", name: "x", kind: null }', 'kind'],
    ['putOverride', '{ subscriberId: "ann", featureKey: "sso", kind: FLAG, allowed: null }', 'allowed'],
    ['putOverride', '{ subscriberId: "ann", featureKey: "settings", kind: CONFIG, value: null }', 'value'],
    ['createPlan', '{ key: "x", name: "x", grants: [{ feature: "settings", kind: CONFIG }] }', 'grants.settings.value'],
    ['createPlan', '{ key: "x", name: "x", grants: [{ feature: "seats", kind: LIMIT }] }', 'grants.seats.limit'],
  ])('are refused where they have no meaning: %s %s', async (mutation, input, path) => {
    const caller = await withFeatures()

    const answer = await caller.graphql(`mutation { ${mutation}(input: ${input}) { __typename } }`)

    expect(fieldsOf(answer)).toEqual([{ path, message: expect.any(String) }])
  })

  it.each([
    [
      'mutation ($off: Boolean = true) { createPlan(input: { key: "a", name: "A" }) { key @skip(if: $off) } }',
      'off',
      '',
    ],
    [
      `mutation ($key: ID = "old") {
        createPlan(input: { key: "a", name: "A" }) { key } archivePlan(input: { key: $key }) { key }
      }`,
      'key',
      'key',
    ],
    [
      `mutation ($key: ID = "old") {
        createPlan(input: { key: "a", name: "A" }) { key }
        updateSubscriber(input: { subscriberId: "acme" }) { override(feature: $key) { id } }
      }`,
      'key',
      'feature',
    ],
  ])('differ for a variable with a default: null is refused, and nothing runs: %s', async (document, name, path) => {
    const caller = await service.organization()

    const { body } = await caller.graphql(document, { [name]: null })

    expect(body).not.toHaveProperty('data')
    expect(body.errors.map(({ extensions }: { extensions: { details: object } }) => extensions.details)).toEqual([
      { fields: [{ path, message: expect.stringMatching(/must not be null/) }] },
    ])
    expect((await caller.rest('GET', '/org/plans')).body.plans).toEqual([])
  })

  it('differ, but null is allowed for a variable if only another operation requires a value', async () => {
    const caller = await service.organization()
    const query = `query a($key: ID = "old") { plan(key: $key) { key } }
      query b($key: ID = "old") { subscribers(filter: { planId: $key }) { __typename } }`

    const { body } = await send(
      `${service.url}/graphql`,
      'POST',
      { query, operationName: 'b', variables: { key: null } },
      { 'x-api-key': caller.key },
    )

    expect(body).toEqual({ data: { subscribers: { __typename: 'SubscriberConnection' } } })
  })

  it('differ: null means no expiry or an unlimited limit, but an absent limit is refused', async () => {
    const caller = await withFeatures()
    const put = 'mutation ($input: PutOverrideInput!) { putOverride(input: $input) { limit expiresAt } }'
    const input = { subscriberId: 'ann', featureKey: 'seats', kind: 'LIMIT' }

    const unlimited = await caller.graphql(put, { input: { ...input, limit: null, expiresAt: null } })
    const missing = await caller.graphql(put, { input })

    expect(unlimited.body.data.putOverride).toEqual({ limit: null, expiresAt: null })
    expect(fieldsOf(missing)).toEqual([{ path: 'limit', message: expect.stringMatching(/^limit is required/) }])
  })
})

describe('the paths of a 422', () => {
  it('are in camel case, and names given by the vendor stay unchanged', async () => {
    const caller = await withFeatures()

    const answer = await caller.graphql(`mutation { createPlan(input: { key: "Pro", name: "", grants: [
      { feature: "max_seats", kind: LIMIT, limit: -1 }, { feature: "sso", kind: FLAG, limit: null }
    ] }) { key } }`)

    expect(fieldsOf(answer)).toEqual([
      { path: 'key', message: expect.stringMatching(/^key must be/) },
      { path: 'name', message: 'name must be a string of 1 to 255 characters.' },
      { path: 'grants.max_seats.limit', message: expect.stringMatching(/^grants.max_seats.limit must be an integer/) },
      {
        path: 'grants.sso.limit',
        message: 'grants.sso.limit is not allowed for kind FLAG: a grant of a flag is {"kind":"FLAG"}.',
      },
    ])
  })

  it('name a grant of an unknown feature, and a grant of another kind than its feature', async () => {
    const caller = await withFeatures()

    const answer = await caller.graphql(`mutation { createPlan(input: { key: "pro", name: "Pro", grants: [
      { feature: "no_such", kind: FLAG }, { feature: "max_seats", kind: FLAG }
    ] }) { key } }`)

    expect(fieldsOf(answer)).toEqual([
      { path: 'grants.no_such', message: expect.any(String) },
      { path: 'grants.max_seats.kind', message: expect.any(String) },
    ])
  })

  it('name a feature that is granted twice, and the refusal is recorded like any other', async () => {
    const caller = await withFeatures()
    const twice = `mutation { createPlan(input: { key: "pro", name: "Pro", grants: [
      { feature: "sso", kind: FLAG }, { feature: "sso", kind: FLAG }
    ] }) { key } }`

    const answer = await caller.graphql(twice)

    expect(fieldsOf(answer)).toEqual([{ path: 'grants.sso', message: 'grants.sso is given twice.' }])
    expect(await auditOf(caller, answer)).toEqual([
      { method: 'POST', route: '/org/plans', outcome: 'responded', status: 422, params: {} },
    ])
    const viewer = await service.member(caller.organizationId, 'viewer')
    expect((await viewer.graphql(twice)).body.errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('input values', () => {
  const put = `mutation ($value: JSON) {
    putOverride(input: { subscriberId: "ann", featureKey: "settings", kind: CONFIG, value: $value }) { value }
  }`
  const values = [
    { a: [1, 'two', null, { b: false }], empty: {}, list: [] },
    JSON.parse('{"__proto__": {"constructor": 1}, "toString": "x"}'),
    Number.MAX_SAFE_INTEGER,
    -0.5e-7,
    'text',
    [],
  ]

  it.each(values)('are returned unchanged if they are JSON in a variable: %j', async (value) => {
    const caller = await withFeatures()

    const { body } = await caller.graphql(put, { value })

    expect(JSON.stringify(body.data.putOverride.value)).toBe(JSON.stringify(value))
  })

  it.each([
    [
      '{ a: [1, "two", null, { b: false }], empty: {}, list: [] }',
      '{"a":[1,"two",null,{"b":false}],"empty":{},"list":[]}',
    ],
    ['{ __proto__: { constructor: 1 }, toString: "x" }', '{"__proto__":{"constructor":1},"toString":"x"}'],
    ['9007199254740991', '9007199254740991'],
    ['-0', '0'],
    ['[1.5, -3e2]', '[1.5,-300]'],
    ['"""block"""', '"block"'],
  ])('are returned unchanged if they are a literal: %s', async (literal, json) => {
    const caller = await withFeatures()

    const { body } = await caller.graphql(put.replace('($value: JSON)', '').replace('$value', literal))

    expect(JSON.stringify(body.data.putOverride.value)).toBe(json)
    const stored = await caller.rest('GET', '/org/subscribers/ann/overrides/settings')
    expect(JSON.stringify(stored.body.value)).toBe(json)
  })

  it('keep the value of a variable within a literal', async () => {
    const caller = await withFeatures()

    const { body } = await caller.graphql(put.replace('value: $value', 'value: { list: [$value] }'), {
      value: { x: 1 },
    })

    expect(body.data.putOverride.value).toEqual({ list: [{ x: 1 }] })
  })

  it.each(['9007199254740993', '-9007199254740993', '1e400', '"\\u0000"', '"\\ud800"', '[{ a: 1e999 }]'])(
    'are refused if they cannot be stored exactly: %s',
    async (literal) => {
      const caller = await withFeatures()

      const answer = await caller.graphql(put.replace('($value: JSON)', '').replace('$value', literal))

      const isSyntax = literal === '"\\ud800"'
      if (isSyntax) expectRefusedDocument(answer)
      else expect(fieldsOf(answer)).toEqual([{ path: 'value', message: expect.any(String) }])
    },
  )

  it.each(['FOO', '[1, FOO, 2]', '{ region: EU }', '{ a: [{ b: FOO }] }'])(
    'are refused if they contain a name without quotes, which is not JSON: %s',
    async (literal) => {
      const caller = await withFeatures()

      const answer = await caller.graphql(put.replace('($value: JSON)', '').replace('$value', literal))

      expectRefusedDocument(answer, expect.stringMatching(/FOO|EU/))
      expect((await caller.rest('GET', '/org/subscribers/ann/overrides/settings')).status).toBe(404)
    },
  )

  it('are refused if a variable has 20,000 levels of JSON', async () => {
    const caller = await withFeatures()
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)

    const answer = await send(
      `${service.url}/graphql`,
      'POST',
      `{"query":${JSON.stringify(put)},"variables":{"value":${deep}}}`,
      {
        'x-api-key': caller.key,
      },
    )

    expect(fieldsOf(answer)).toEqual([
      { path: 'value', message: 'value is nested too deeply: at most 32 levels are allowed.' },
    ])
  })

  it.each(['limit', 'kind', 'allowed', 'expiresAt', 'featureKey'])(
    'are refused if %s has 20,000 levels',
    async (field) => {
      const caller = await withFeatures()
      const deep = '['.repeat(20_000) + ']'.repeat(20_000)
      const query = 'mutation ($input: PutOverrideInput!) { putOverride(input: $input) { id } }'

      const answer = await send(
        `${service.url}/graphql`,
        'POST',
        `{"query":${JSON.stringify(query)},"variables":{"input":{"${field}":${deep}}}}`,
        { 'x-api-key': caller.key },
      )

      expect(answer.body).not.toHaveProperty('data')
      expect(fieldsOf(answer)).toContainEqual({
        path: field === 'featureKey' ? field : 'kind',
        message: expect.any(String),
      })
    },
  )

  it.each([2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, 0])(
    'may be the limit %d, which is returned unchanged',
    async (limit) => {
      const caller = await withFeatures()

      const { body } = await caller.graphql(
        `mutation ($limit: SafeInt) {
        createPlan(input: { key: "pro", name: "Pro", grants: [{ feature: "seats", kind: LIMIT, limit: $limit }] }) { grants { limit } }
        putOverride(input: { subscriberId: "ann", featureKey: "seats", kind: LIMIT, limit: ${limit} }) { limit }
      }`,
        { limit },
      )

      expect(body).toEqual({ data: { createPlan: { grants: [{ limit }] }, putOverride: { limit } } })
      const check = await caller.graphql('{ check(subscriberId: "ann", feature: "seats") { limit } }')
      expect(check.body.data.check.limit).toBe(limit)
    },
  )

  it.each(['9007199254740992', '1.5', '"5"'])('may not be the limit %s', async (limit) => {
    const caller = await withFeatures()

    const answer = await caller.graphql(
      `mutation { putOverride(input: { subscriberId: "ann", featureKey: "seats", kind: LIMIT, limit: ${limit} }) { id } }`,
    )
    expectRefusedDocument(answer, expect.stringMatching(/^limit must be/), 'limit')
  })

  it('may contain a grant of the feature __proto__', async () => {
    const caller = await withFeatures()

    const { body } = await caller.graphql(`mutation {
      createPlan(input: { key: "pro", name: "Pro", grants: [{ feature: "__proto__", kind: FLAG }] }) { grants { feature kind } }
    }`)

    expect(body.data.createPlan.grants).toEqual([{ feature: '__proto__', kind: 'FLAG' }])
  })

  it('may be enum values only in upper case', async () => {
    const caller = await withFeatures()

    for (const kind of ['flag', '"FLAG"', 'Flag']) {
      const answer = await caller.graphql(
        `mutation { createFeature(input: { key: "x", name: "x", kind: ${kind} }) { key } }`,
      )
      expectRefusedDocument(answer, expect.stringMatching(/^kind must be one of .*FLAG/), 'kind')
    }
  })

  it('are reported by their length, and not quoted, if text is sent for a number', async () => {
    const caller = await service.organization()
    const document =
      '($first: Int) { subscriber(subscriberId: "ann") { subscriptions(first: $first) { nodes { status } } } }'

    const answer = await caller.graphql(`query ${document}`, { first: '\ud800'.repeat(16_000) })

    expectRefusedDocument(answer, 'first is not valid: Int cannot represent a string of 16000 characters.', 'first')
  })

  it('may be any RFC 3339 timestamp, and a wrong one is refused at its field', async () => {
    const caller = await withFeatures()
    const put = (expiresAt: string) =>
      caller.graphql(
        `mutation ($at: DateTime) {
          putOverride(input: { subscriberId: "ann", featureKey: "sso", kind: FLAG, allowed: true, expiresAt: $at }) { expiresAt }
        }`,
        { at: expiresAt },
      )

    const right = await put('2999-06-01T12:00:00.123456+05:30')
    const wrong = await put('2999-02-30T00:00:00Z')

    expect(right.body.data.putOverride.expiresAt).toBe('2999-06-01T06:30:00.123Z')
    expect(fieldsOf(wrong)).toEqual([{ path: 'expiresAt', message: expect.stringMatching(/^expiresAt must be/) }])
  })
})

/** The audit log's entries of the request. */
async function auditOf({ organizationId }: Caller, { headers }: { headers: Headers }) {
  return service.database.prisma.auditEvent.findMany({
    where: { organizationId, requestId: headers.get('x-request-id') as string },
    orderBy: { id: 'asc' },
    select: { method: true, route: true, outcome: true, status: true, params: true },
  })
}

describe('the writes of one request', () => {
  it('run in order, and each is refused and recorded by itself, under one request id', async () => {
    const caller = await withFeatures()

    const answer = await caller.graphql(`mutation {
      one: createPlan(input: { key: "pro", name: "Pro" }) { key }
      two: createPlan(input: { key: "pro", name: "Again" }) { key }
      three: updatePlan(input: { key: "pro", name: "Professional" }) { name }
      four: putOverride(input: { subscriberId: "ann", featureKey: "sso", kind: FLAG, allowed: false }) { allowed }
      five: deletePlan(input: { key: "nope" })
    }`)

    expect(answer.body.data).toEqual({
      one: { key: 'pro' },
      two: null,
      three: { name: 'Professional' },
      four: { allowed: false },
      five: null,
    })
    expect(answer.body.errors).toMatchObject([
      { path: ['two'], extensions: { code: 'CONFLICT', details: { field: 'key', value: 'pro' } } },
      { path: ['five'], extensions: { code: 'NOT_FOUND', details: { resource: 'plan', id: 'nope' } } },
    ])
    expect(await auditOf(caller, answer)).toEqual([
      { method: 'POST', route: '/org/plans', outcome: 'responded', status: 201, params: {} },
      { method: 'POST', route: '/org/plans', outcome: 'responded', status: 409, params: {} },
      { method: 'PATCH', route: '/org/plans/{key}', outcome: 'responded', status: 200, params: { key: 'pro' } },
      {
        method: 'PUT',
        route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
        outcome: 'responded',
        status: 200,
        params: { subscriber_id: 'ann', feature_key: 'sso' },
      },
      { method: 'DELETE', route: '/org/plans/{key}', outcome: 'responded', status: 404, params: { key: 'nope' } },
    ])
  })

  it('are recorded as rejected if the role does not allow them', async () => {
    const caller = await service.organization('viewer')

    const answer = await caller.graphql('mutation { deleteFeature(input: { key: "sso" }) }')

    expectRefusedField(answer, 'deleteFeature', 'FORBIDDEN', { required_labels: ['features:write'] })
    expect(await auditOf(caller, answer)).toEqual([
      { method: 'DELETE', route: '/org/features/{key}', outcome: 'rejected', status: 403, params: { key: 'sso' } },
    ])
  })

  it.each(['\u0000', 'a\u0000b', '\ud800', '../plans', ' ', 'x'.repeat(20_000), '{key}'])(
    'are 404 for the impossible id %j, and are recorded',
    async (id) => {
      const caller = await withFeatures()

      const answer = await caller.graphql(
        `mutation ($id: ID!) {
          deleteFeature(input: { key: $id })
          archivePlan(input: { key: $id }) { key }
          deleteSubscriber(input: { subscriberId: $id })
          cancelSubscription(input: { subscriberId: "ann", subscriptionId: $id }) { id }
          deleteOverride(input: { subscriberId: "ann", featureKey: $id })
        }`,
        { id },
      )

      expect(
        answer.body.errors.map((each: { extensions: { code: string; details: object } }) => each.extensions.details),
      ).toEqual(
        ['feature', 'plan', 'subscriber', 'subscription', 'override'].map((resource) => ({
          resource,
          id: id.replaceAll('\u0000', '\ufffd').toWellFormed(),
        })),
      )
      expect((await auditOf(caller, answer)).map(({ status }) => status)).toEqual(Array(5).fill(404))
    },
  )

  it('are not recorded when GraphQL refuses the document, or when a read is refused', async () => {
    const caller = await service.organization('evaluator')

    const answers = [
      await caller.graphql('mutation { deleteFeature(input: { key: "sso" }) { key } }'),
      await caller.graphql('{ features { key } }'),
    ]

    for (const answer of answers) {
      expect(answer.body.errors).toHaveLength(1)
      expect(await auditOf(caller, answer)).toEqual([])
    }
  })
})
