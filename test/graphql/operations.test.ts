import { describe, expect, it } from 'vitest'
import { timestamp, ulid } from '../support/matchers.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

const featureFields = 'key name description kind valueType options createdAt updatedAt'
const planFields = 'key name kind archivedAt createdAt updatedAt grants { feature kind limit value }'
const subscriberFields = 'subscriberId name createdAt updatedAt'
const subscriptionFields = 'id subscriberId planId status createdAt canceledAt plan { key }'
const overrideFields = 'id subscriberId feature kind allowed limit value expiresAt createdAt updatedAt'

/** Creates a catalog with a plan, Ann's subscription to it, and her override. */
async function seedCatalog(): Promise<Caller & { subscriptionId: string }> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('sso', { name: 'SSO', kind: 'flag' })
  await setup.feature('seats', { name: 'Seats', kind: 'limit' })
  await setup.feature('theme', { name: 'Theme', kind: 'config', value_type: 'enum', options: ['light', 'dark'] })
  await caller.rest('POST', '/org/plans', {
    ...{ key: 'pro', name: 'Pro', kind: 'paid' },
    grants: { seats: { kind: 'limit', limit: 5 }, sso: { kind: 'flag' } },
  })
  await setup.subscriber('ann', { name: 'Ann' })
  await setup.override('ann', 'seats', { kind: 'limit', limit: 9 })
  const { id: subscriptionId } = await setup.subscribe('ann', 'pro')
  return { ...caller, subscriptionId }
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

/** A field with its arguments and selection, where `$id` stands for the id of Ann's subscription, and the expected answer. */
type Row = [field: string, answer: unknown]

const reads: Row[] = [
  [`features { ${featureFields} }`, [theme, seats, sso]],
  [`feature(key: "theme") { ${featureFields} }`, theme],
  [`plans(includeArchived: true) { ${planFields} }`, [pro]],
  [`plan(key: "pro") { ${planFields} }`, pro],
  [
    `subscribers { nodes { ${subscriberFields} } pageInfo { hasNextPage } }`,
    { nodes: [ann], pageInfo: { hasNextPage: false } },
  ],
  [`subscriber(subscriberId: "ann") { ${subscriberFields} }`, ann],
  [
    'organization { organizationId name createdAt updatedAt }',
    { organizationId: ulid, name: 'Acme', createdAt: timestamp, updatedAt: timestamp },
  ],
  [
    'evalUsage(month: "2020-02") { month used allotment days { date used } }',
    { month: '2020-02', used: 0, allotment: null, days: [] },
  ],
  [
    'check(subscriberId: "ann", feature: "seats") { feature kind allowed limit value source expiresAt }',
    {
      feature: 'seats',
      kind: 'LIMIT',
      allowed: true,
      limit: 9,
      value: null,
      source: 'OVERRIDE',
      expiresAt: null,
    },
  ],
  [
    'entitlements(subscriberId: "ann") { subscriberId plan validUntil entitlements { feature allowed limit source } }',
    {
      subscriberId: 'ann',
      plan: 'pro',
      validUntil: null,
      entitlements: [
        { feature: 'theme', allowed: false, limit: null, source: 'NONE' },
        { feature: 'seats', allowed: true, limit: 9, source: 'OVERRIDE' },
        { feature: 'sso', allowed: true, limit: null, source: 'PLAN' },
      ],
    },
  ],
]

const writes: Row[] = [
  [
    `createFeature(input: { key: "api", name: "API", kind: CONFIG, valueType: JSON }) { ${featureFields} }`,
    { ...theme, key: 'api', name: 'API', valueType: 'JSON', options: null },
  ],
  [
    `updateFeature(input: { key: "sso", name: "Single sign-on", description: "x" }) { ${featureFields} }`,
    { ...sso, name: 'Single sign-on', description: 'x' },
  ],
  ['deleteFeature(input: { key: "theme" })', 'theme'],
  [
    `createPlan(input: { key: "max", name: "Max", grants: [{ feature: "seats", kind: LIMIT, limit: null }] }) { ${planFields} }`,
    {
      ...pro,
      key: 'max',
      name: 'Max',
      kind: 'standard',
      grants: [{ feature: 'seats', kind: 'LIMIT', limit: null, value: null }],
    },
  ],
  [`updatePlan(input: { key: "pro", grants: [] }) { ${planFields} }`, { ...pro, grants: [] }],
  [`archivePlan(input: { key: "pro" }) { ${planFields} }`, { ...pro, archivedAt: timestamp }],
  [`unarchivePlan(input: { key: "pro" }) { ${planFields} }`, pro],
  ['deletePlan(input: { key: "free" })', 'free'],
  [
    `createSubscriber(input: { subscriberId: "bob" }) { ${subscriberFields} }`,
    { ...ann, subscriberId: 'bob', name: null },
  ],
  [`updateSubscriber(input: { subscriberId: "ann", name: null }) { ${subscriberFields} }`, { ...ann, name: null }],
  ['deleteSubscriber(input: { subscriberId: "ann" })', 'ann'],
  [
    `createSubscription(input: { subscriberId: "zoe", planId: "pro" }) { ${subscriptionFields} }`,
    { ...annsPro, subscriberId: 'zoe' },
  ],
  [`changeSubscription(input: { subscriberId: "ann", planId: "pro" }) { ${subscriptionFields} }`, annsPro],
  [
    `cancelSubscription(input: { subscriberId: "ann", subscriptionId: "$id" }) { ${subscriptionFields} }`,
    { ...annsPro, status: 'CANCELED', canceledAt: timestamp },
  ],
  [
    `putOverride(input: { subscriberId: "ann", featureKey: "theme", kind: CONFIG, value: "dark", expiresAt: "2999-01-01T01:00:00+01:00" }) { ${overrideFields} }`,
    {
      ...annsSeats,
      feature: 'theme',
      kind: 'CONFIG',
      limit: null,
      value: 'dark',
      expiresAt: '2999-01-01T00:00:00.000Z',
    },
  ],
  ['deleteOverride(input: { subscriberId: "ann", featureKey: "seats" })', 'seats'],
]

const nameOf = (field: string) => /^\w+/.exec(field)?.[0] as string
const withNames = (rows: Row[]) => rows.map((row) => [nameOf(row[0]), ...row] as const)

describe('a root field returns the answer of its operation', () => {
  it.each(withNames(reads))('%s', async (name, field, answer) => {
    const caller = await seedCatalog()

    const { status, body } = await caller.graphql(`{ ${field} }`)

    expect(body).toEqual({ data: { [name]: answer } })
    expect(status).toBe(200)
  })

  it.each(withNames(writes))('%s', async (name, field, answer) => {
    const caller = await seedCatalog()
    await vendor(caller).plan('free')
    await vendor(caller).subscriber('zoe')

    const { status, body } = await caller.graphql(`mutation { ${field.replace('$id', caller.subscriptionId)} }`)

    expect(body).toEqual({ data: { [name]: answer } })
    expect(status).toBe(200)
  })
})
