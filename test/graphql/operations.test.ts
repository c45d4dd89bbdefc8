import { describe, expect, it } from 'vitest'
import { type Caller, startService } from '../support/service.ts'
import { expectRefusal, expectSameRefusal } from './refusal.ts'

const service = await startService()
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ulid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)

const featureFields = 'key name description kind valueType options createdAt updatedAt'
const planFields = 'key name kind archivedAt createdAt updatedAt grants { feature kind limit value }'
const subscriberFields = 'subscriberId name createdAt updatedAt'
const subscriptionFields = 'id subscriberId planId status createdAt canceledAt plan { key }'
const overrideFields = 'id subscriberId feature kind allowed limit value expiresAt createdAt updatedAt'

/** A catalog, a plan, Ann's subscription to it, and her override. */
async function seeded(): Promise<Caller & { subscriptionId: string }> {
  const caller = await service.organization()
  const writes: [string, string, unknown?][] = [
    ['POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' }],
    ['POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' }],
    [
      'POST',
      '/org/features',
      { key: 'theme', name: 'Theme', kind: 'config', value_type: 'enum', options: ['light', 'dark'] },
    ],
    [
      'POST',
      '/org/plans',
      { key: 'pro', name: 'Pro', kind: 'paid', grants: { seats: { kind: 'limit', limit: 5 }, sso: { kind: 'flag' } } },
    ],
    ['POST', '/org/subscribers', { subscriber_id: 'ann', name: 'Ann' }],
    ['PUT', '/org/subscribers/ann/overrides/seats', { kind: 'limit', limit: 9 }],
  ]
  for (const [method, path, body] of writes) {
    expect((await caller.rest(method, path, body)).status).toBeLessThan(300)
  }
  const { body } = await caller.rest('POST', '/org/subscribers/ann/subscriptions', { plan_id: 'pro' })
  return { ...caller, subscriptionId: body.id }
}

const sso = {
  key: 'sso',
  name: 'SSO',
  description: '',
  kind: 'FLAG',
  valueType: null,
  options: null,
  createdAt: timestamp,
  updatedAt: timestamp,
}
const seats = { ...sso, key: 'seats', name: 'Seats', kind: 'LIMIT' }
const theme = { ...sso, key: 'theme', name: 'Theme', kind: 'CONFIG', valueType: 'ENUM', options: ['light', 'dark'] }
const pro = {
  key: 'pro',
  name: 'Pro',
  kind: 'paid',
  archivedAt: null,
  createdAt: timestamp,
  updatedAt: timestamp,
  grants: [
    { feature: 'seats', kind: 'LIMIT', limit: 5, value: null },
    { feature: 'sso', kind: 'FLAG', limit: null, value: null },
  ],
}
const ann = { subscriberId: 'ann', name: 'Ann', createdAt: timestamp, updatedAt: timestamp }
const annsPro = {
  id: ulid,
  subscriberId: 'ann',
  planId: 'pro',
  status: 'ACTIVE',
  createdAt: timestamp,
  canceledAt: null,
  plan: { key: 'pro' },
}
const annsSeats = {
  id: ulid,
  subscriberId: 'ann',
  feature: 'seats',
  kind: 'LIMIT',
  allowed: null,
  limit: 9,
  value: null,
  expiresAt: null,
  createdAt: timestamp,
  updatedAt: timestamp,
}

type Row = {
  /** A field of the schema with its arguments and selection; `$id` stands for the id of Ann's subscription. */
  field: string
  answer: unknown
  refused: { field: string; rest: [method: string, path: string, body?: unknown]; names?: Record<string, string> }
}

const missing = (route: string): [string, string] => ['GET', `/org${route}`]

const reads: Row[] = [
  {
    field: `features { ${featureFields} }`,
    answer: [theme, seats, sso],
    refused: { field: 'feature(key: "No") { key }', rest: missing('/features/No') },
  },
  {
    field: `feature(key: "theme") { ${featureFields} }`,
    answer: theme,
    refused: { field: 'feature(key: "nope") { key }', rest: missing('/features/nope') },
  },
  {
    field: `plans(includeArchived: true) { ${planFields} }`,
    answer: [pro],
    refused: { field: 'plan(key: "No Such") { key }', rest: missing('/plans/No%20Such') },
  },
  {
    field: `plan(key: "pro") { ${planFields} }`,
    answer: pro,
    refused: { field: 'plan(key: "nope") { key }', rest: missing('/plans/nope') },
  },
  {
    field: `subscribers { nodes { ${subscriberFields} } pageInfo { hasNextPage } }`,
    answer: { nodes: [ann], pageInfo: { hasNextPage: false } },
    refused: {
      field: 'subscribers(first: 0) { nodes { name } }',
      rest: ['GET', '/org/subscribers?limit=0'],
      names: { limit: 'first' },
    },
  },
  {
    field: `subscriber(subscriberId: "ann") { ${subscriberFields} }`,
    answer: ann,
    refused: { field: 'subscriber(subscriberId: "bob") { name }', rest: missing('/subscribers/bob') },
  },
  {
    field: 'organization { organizationId name createdAt updatedAt }',
    answer: { organizationId: ulid, name: 'Acme', createdAt: timestamp, updatedAt: timestamp },
    refused: {
      field: 'evalUsage(month: "2026-13") { used }',
      rest: ['GET', '/org/eval-usage?month=2026-13'],
    },
  },
  {
    field: 'evalUsage(month: "2020-02") { month used allotment days { date used } }',
    answer: { month: '2020-02', used: 0, allotment: null, days: [] },
    refused: { field: 'evalUsage(month: "") { used }', rest: ['GET', '/org/eval-usage?month=x'] },
  },
  {
    field: 'check(subscriberId: "ann", feature: "seats") { feature kind allowed limit value source expiresAt }',
    answer: {
      feature: 'seats',
      kind: 'LIMIT',
      allowed: true,
      limit: 9,
      value: null,
      source: 'OVERRIDE',
      expiresAt: null,
    },
    refused: {
      field: 'check(subscriberId: "ann", feature: "nope") { allowed }',
      rest: ['POST', '/org/subscribers/ann/entitlements/check', { feature: 'nope' }],
    },
  },
  {
    field:
      'entitlements(subscriberId: "ann") { subscriberId plan validUntil entitlements { feature allowed limit source } }',
    answer: {
      subscriberId: 'ann',
      plan: 'pro',
      validUntil: null,
      entitlements: [
        { feature: 'theme', allowed: false, limit: null, source: 'NONE' },
        { feature: 'seats', allowed: true, limit: 9, source: 'OVERRIDE' },
        { feature: 'sso', allowed: true, limit: null, source: 'PLAN' },
      ],
    },
    refused: { field: 'entitlements(subscriberId: "bob") { plan }', rest: missing('/subscribers/bob/entitlements') },
  },
]

const writes: Row[] = [
  {
    field: `createFeature(input: { key: "api", name: "API", kind: CONFIG, valueType: JSON }) { ${featureFields} }`,
    answer: { ...theme, key: 'api', name: 'API', valueType: 'JSON', options: null },
    refused: {
      field: 'createFeature(input: { key: "sso", name: "again", kind: FLAG }) { key }',
      rest: ['POST', '/org/features', { key: 'sso', name: 'again', kind: 'flag' }],
    },
  },
  {
    field: `updateFeature(input: { key: "sso", name: "Single sign-on", description: "x" }) { ${featureFields} }`,
    answer: { ...sso, name: 'Single sign-on', description: 'x' },
    refused: {
      field: 'updateFeature(input: { key: "sso", name: "", options: ["a"] }) { key }',
      rest: ['PATCH', '/org/features/sso', { name: '', options: ['a'] }],
    },
  },
  {
    field: 'deleteFeature(input: { key: "theme" })',
    answer: 'theme',
    refused: { field: 'deleteFeature(input: { key: "seats" })', rest: ['DELETE', '/org/features/seats'] },
  },
  {
    field: `createPlan(input: { key: "max", name: "Max", grants: [{ feature: "seats", kind: LIMIT, limit: null }] }) { ${planFields} }`,
    answer: {
      ...pro,
      key: 'max',
      name: 'Max',
      kind: 'standard',
      grants: [{ feature: 'seats', kind: 'LIMIT', limit: null, value: null }],
    },
    refused: {
      field: 'createPlan(input: { key: "max", name: "Max", grants: [{ feature: "seats", kind: FLAG }] }) { key }',
      rest: ['POST', '/org/plans', { key: 'max', name: 'Max', grants: { seats: { kind: 'flag' } } }],
    },
  },
  {
    field: `updatePlan(input: { key: "pro", grants: [] }) { ${planFields} }`,
    answer: { ...pro, grants: [] },
    refused: {
      field: 'updatePlan(input: { key: "pro", expectedUpdatedAt: "yesterday" }) { key }',
      rest: ['PATCH', '/org/plans/pro', { expected_updated_at: 'yesterday' }],
      names: { expected_updated_at: 'expectedUpdatedAt' },
    },
  },
  {
    field: `archivePlan(input: { key: "pro" }) { ${planFields} }`,
    answer: { ...pro, archivedAt: timestamp },
    refused: { field: 'archivePlan(input: { key: "nope" }) { key }', rest: ['POST', '/org/plans/nope/archive'] },
  },
  {
    field: `unarchivePlan(input: { key: "pro" }) { ${planFields} }`,
    answer: pro,
    refused: { field: 'unarchivePlan(input: { key: "nope" }) { key }', rest: ['POST', '/org/plans/nope/unarchive'] },
  },
  {
    field: 'deletePlan(input: { key: "free" })',
    answer: 'free',
    refused: { field: 'deletePlan(input: { key: "pro" })', rest: ['DELETE', '/org/plans/pro'] },
  },
  {
    field: `createSubscriber(input: { subscriberId: "bob" }) { ${subscriberFields} }`,
    answer: { ...ann, subscriberId: 'bob', name: null },
    refused: {
      field: 'createSubscriber(input: { subscriberId: "a b" }) { name }',
      rest: ['POST', '/org/subscribers', { subscriber_id: 'a b' }],
      names: { subscriber_id: 'subscriberId' },
    },
  },
  {
    field: `updateSubscriber(input: { subscriberId: "ann", name: null }) { ${subscriberFields} }`,
    answer: { ...ann, name: null },
    refused: {
      field: 'updateSubscriber(input: { subscriberId: "bob", name: "Bob" }) { name }',
      rest: ['PATCH', '/org/subscribers/bob', { name: 'Bob' }],
    },
  },
  {
    field: 'deleteSubscriber(input: { subscriberId: "ann" })',
    answer: 'ann',
    refused: { field: 'deleteSubscriber(input: { subscriberId: "bob" })', rest: ['DELETE', '/org/subscribers/bob'] },
  },
  {
    field: `createSubscription(input: { subscriberId: "zoe", planId: "pro" }) { ${subscriptionFields} }`,
    answer: { ...annsPro, subscriberId: 'zoe' },
    refused: {
      field: 'createSubscription(input: { subscriberId: "ann", planId: "pro" }) { id }',
      rest: ['POST', '/org/subscribers/ann/subscriptions', { plan_id: 'pro' }],
    },
  },
  {
    field: `changeSubscription(input: { subscriberId: "ann", planId: "pro" }) { ${subscriptionFields} }`,
    answer: annsPro,
    refused: {
      field: 'changeSubscription(input: { subscriberId: "ann", planId: "old" }) { id }',
      rest: ['POST', '/org/subscribers/ann/subscriptions/change', { plan_id: 'old' }],
    },
  },
  {
    field: `cancelSubscription(input: { subscriberId: "ann", subscriptionId: "$id" }) { ${subscriptionFields} }`,
    answer: { ...annsPro, status: 'CANCELED', canceledAt: timestamp },
    refused: {
      field: 'cancelSubscription(input: { subscriberId: "ann", subscriptionId: "x" }) { id }',
      rest: ['POST', '/org/subscribers/ann/subscriptions/x/cancel'],
    },
  },
  {
    field: `putOverride(input: { subscriberId: "ann", featureKey: "theme", kind: CONFIG, value: "dark", expiresAt: "2999-01-01T01:00:00+01:00" }) { ${overrideFields} }`,
    answer: {
      ...annsSeats,
      feature: 'theme',
      kind: 'CONFIG',
      limit: null,
      value: 'dark',
      expiresAt: '2999-01-01T00:00:00.000Z',
    },
    refused: {
      field: 'putOverride(input: { subscriberId: "ann", featureKey: "seats", kind: LIMIT, expiresAt: "x" }) { id }',
      rest: ['PUT', '/org/subscribers/ann/overrides/seats', { kind: 'limit', expires_at: 'x' }],
      names: { expires_at: 'expiresAt' },
    },
  },
  {
    field: 'deleteOverride(input: { subscriberId: "ann", featureKey: "seats" })',
    answer: 'seats',
    refused: {
      field: 'deleteOverride(input: { subscriberId: "ann", featureKey: "sso" })',
      rest: ['DELETE', '/org/subscribers/ann/overrides/sso'],
    },
  },
]

const nameOf = (field: string) => /^\w+/.exec(field)?.[0] as string

/** What some of the writes need in addition to the seed data. */
async function prepare(caller: Caller): Promise<void> {
  await caller.rest('POST', '/org/plans', { key: 'free', name: 'Free' })
  await caller.rest('POST', '/org/plans', { key: 'old', name: 'Old' })
  await caller.rest('POST', '/org/plans/old/archive')
  await caller.rest('POST', '/org/subscribers', { subscriber_id: 'zoe' })
}

describe.each([
  ['query', reads],
  ['mutation', writes],
] as const)('each field of %s:', (kind, rows) => {
  it.each(rows.map((row) => [nameOf(row.field), row] as const))(
    "%s gives the operation's answer",
    async (name, row) => {
      const caller = await seeded()
      if (kind === 'mutation') await prepare(caller)

      const { status, body } = await caller.graphql(`${kind} { ${row.field.replace('$id', caller.subscriptionId)} }`)

      expect(body).toEqual({ data: { [name]: row.answer } })
      expect(status).toBe(200)
    },
  )

  it.each(rows.map(({ refused }) => [nameOf(refused.field), refused] as const))(
    '%s is refused as in REST',
    async (name, { field, rest, names }) => {
      const caller = await seeded()
      if (kind === 'mutation') await prepare(caller)

      const answer = await caller.graphql(`${kind} { ${field.replace('$id', caller.subscriptionId)} }`)

      expectSameRefusal(answer, name, await caller.rest(...rest), names)
      expect(answer.body.data).toEqual({ [name]: null })
    },
  )

  const evals = ['check', 'entitlements']
  const labeled = rows.map((row) => [nameOf(row.field), row] as const).filter(([name]) => !evals.includes(name))
  it.each(labeled)('%s requires its labels', async (name, { field }) => {
    const caller = await service.organization('evaluator')

    const answer = await caller.graphql(`${kind} { ${field} }`)

    expectRefusal(answer, name, {
      code: 'FORBIDDEN',
      status: 403,
      message: 'Your role does not allow this. Ask an admin of the organization.',
      details: { required_labels: [expect.stringMatching(kind === 'mutation' ? /:write$/ : /:read$/)] },
    })
  })

  it.each(rows.map((row) => [nameOf(row.field), row] as const))('%s requires a key', async (name, { field }) => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `${kind} { ${field} }` }),
    })

    const answer = { status: response.status, headers: response.headers, body: await response.json() }
    expect(answer.status).toBe(200)
    expectRefusal(answer, name, {
      code: 'UNAUTHORIZED',
      status: 401,
      message: 'Send a valid API key in the X-API-Key header.',
      details: null,
    })
  })
})
