import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, expectSameRefusal } from '../support/refusal.ts'
import { type Caller, send, sharedService } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService()

let admin: Caller
let viewer: Caller
/** Callers whose evals are refused, because the rate or the allotment of their organization is 0. */
let limitedCaller: Caller
let exhaustedCaller: Caller
let canceledId: string

beforeAll(async () => {
  admin = await service.organization()
  viewer = await service.member(admin.organizationId, 'viewer')
  const setup = vendor(admin)
  await setup.feature('color', colors)
  await setup.feature('sso')
  await setup.plan('pro', { color: { kind: 'config', value: 'red' } })
  await setup.plan('old')
  await setup.archive('old')
  for (const id of ['acme', 'idle']) await setup.subscriber(id)
  canceledId = (await setup.subscribe('acme', 'pro')).id
  await admin.rest('POST', `/org/subscribers/acme/subscriptions/${canceledId}/cancel`)
  await setup.subscribe('acme', 'pro')
  limitedCaller = await withLimits({ rateLimit: 0 })
  exhaustedCaller = await withLimits({ allotment: 0n })
})

async function withLimits(limits: { rateLimit?: number; allotment?: bigint }): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  const { organizationId } = caller
  await service.database.prisma.evalCounter.update({ where: { organizationId }, data: limits })
  return caller
}

type Case = [code: string, rest: [method: string, path: string, body?: unknown], document: string, who?: () => Caller]

const subscriber = '/org/subscribers/acme'
const override = `${subscriber}/overrides`
const put = 'mutation { putOverride(input: { subscriberId: "acme", featureKey:'

const cases: Case[] = [
  ['NOT_FOUND', ['GET', '/org/features/nope'], '{ feature(key: "nope") { key } }'],
  ['NOT_FOUND', ['GET', '/org/plans/No%20pe'], '{ plan(key: "No pe") { key } }'],
  ['NOT_FOUND', ['GET', '/org/subscribers/nope'], '{ subscriber(subscriberId: "nope") { name } }'],
  ['NOT_FOUND', ['GET', `${override}/sso`], '{ subscriber(subscriberId: "acme") { override(feature: "sso") { id } } }'],
  ['NOT_FOUND', ['GET', '/org/subscribers/nope/entitlements'], '{ entitlements(subscriberId: "nope") { plan } }'],
  ['NOT_FOUND', ['DELETE', '/org/features/nope'], 'mutation { deleteFeature(input: { key: "nope" }) }'],
  ['NOT_FOUND', ['POST', '/org/plans/nope/archive'], 'mutation { archivePlan(input: { key: "nope" }) { key } }'],
  ['NOT_FOUND', ['POST', '/org/plans/nope/unarchive'], 'mutation { unarchivePlan(input: { key: "nope" }) { key } }'],
  [
    'NOT_FOUND',
    ['PATCH', '/org/subscribers/nope', { name: 'N' }],
    'mutation { updateSubscriber(input: { subscriberId: "nope", name: "N" }) { name } }',
  ],
  ['NOT_FOUND', ['DELETE', '/org/subscribers/nope'], 'mutation { deleteSubscriber(input: { subscriberId: "nope" }) }'],
  [
    'NOT_FOUND',
    ['DELETE', `${override}/sso`],
    'mutation { deleteOverride(input: { subscriberId: "acme", featureKey: "sso" }) }',
  ],
  [
    'NOT_FOUND',
    ['POST', `${subscriber}/subscriptions`, { plan_id: 'nope' }],
    'mutation { createSubscription(input: { subscriberId: "acme", planId: "nope" }) { id } }',
  ],
  [
    'NOT_FOUND',
    ['POST', `${subscriber}/subscriptions/x/cancel`],
    'mutation { cancelSubscription(input: { subscriberId: "acme", subscriptionId: "x" }) { id } }',
  ],
  [
    'CONFLICT',
    ['POST', '/org/features', { key: 'sso', name: 'S', kind: 'flag' }],
    'mutation { createFeature(input: { key: "sso", name: "S", kind: FLAG }) { key } }',
  ],
  [
    'CONFLICT',
    ['POST', '/org/plans', { key: 'pro', name: 'P' }],
    'mutation { createPlan(input: { key: "pro", name: "P" }) { key } }',
  ],
  [
    'CONFLICT',
    ['POST', '/org/subscribers', { subscriber_id: 'acme' }],
    'mutation { createSubscriber(input: { subscriberId: "acme" }) { name } }',
  ],
  [
    'CONFLICT',
    ['POST', `${subscriber}/subscriptions`, { plan_id: 'pro' }],
    'mutation { createSubscription(input: { subscriberId: "acme", planId: "pro" }) { id } }',
  ],
  [
    'CONFLICT',
    ['POST', '/org/subscribers/idle/subscriptions/change', { plan_id: 'pro' }],
    'mutation { changeSubscription(input: { subscriberId: "idle", planId: "pro" }) { id } }',
  ],
  [
    'CONFLICT',
    ['POST', `${subscriber}/subscriptions/CANCELED/cancel`],
    'mutation { cancelSubscription(input: { subscriberId: "acme", subscriptionId: "CANCELED" }) { id } }',
  ],
  ['CONFLICT', ['DELETE', '/org/plans/pro'], 'mutation { deletePlan(input: { key: "pro" }) }'],
  ['CONFLICT', ['DELETE', '/org/features/color'], 'mutation { deleteFeature(input: { key: "color" }) }'],
  [
    'CONFLICT',
    ['PATCH', '/org/plans/pro', { expected_updated_at: '2020-01-01T00:00:00Z' }],
    'mutation { updatePlan(input: { key: "pro", expectedUpdatedAt: "2020-01-01T00:00:00Z" }) { key } }',
  ],
  [
    'CONFLICT',
    ['PATCH', '/org/members/ADMIN', { role: 'viewer' }],
    'mutation { updateMember(input: { memberId: "ADMIN", role: VIEWER }) { role } }',
  ],
  [
    'CONFLICT',
    ['GET', `${subscriber}/entitlements`],
    '{ entitlements(subscriberId: "acme") { plan } }',
    () => exhaustedCaller,
  ],
  [
    'OPTION_IN_USE',
    ['PATCH', '/org/features/color', { options: ['blue'] }],
    'mutation { updateFeature(input: { key: "color", options: ["blue"] }) { key } }',
  ],
  [
    'PLAN_ARCHIVED',
    ['POST', `${subscriber}/subscriptions/change`, { plan_id: 'old' }],
    'mutation { changeSubscription(input: { subscriberId: "acme", planId: "old" }) { id } }',
  ],
  [
    'RATE_LIMITED',
    ['POST', `${subscriber}/entitlements/check`, { feature: 'sso' }],
    '{ check(subscriberId: "acme", feature: "sso") { allowed } }',
    () => limitedCaller,
  ],
  ['FORBIDDEN', ['DELETE', '/org/features/sso'], 'mutation { deleteFeature(input: { key: "sso" }) }', () => viewer],
  ['FORBIDDEN', ['PUT', `${override}/sso`, {}], `${put} "sso", kind: FLAG }) { id } }`, () => viewer],
  [
    'VALIDATION_ERROR',
    ['POST', `${subscriber}/entitlements/check`, { feature: 'nope' }],
    '{ check(subscriberId: "acme", feature: "nope") { allowed } }',
  ],
  [
    'VALIDATION_ERROR',
    ['POST', `${subscriber}/entitlements/check`, { features: ['sso', 'nope', 'No pe'] }],
    '{ checks(subscriberId: "acme", features: ["sso", "nope", "No pe"]) { allowed } }',
  ],
  [
    'VALIDATION_ERROR',
    ['POST', `${subscriber}/entitlements/check`, { features: ['sso', 'sso'] }],
    '{ checks(subscriberId: "acme", features: ["sso", "sso"]) { allowed } }',
  ],
  [
    'VALIDATION_ERROR',
    ['POST', `${subscriber}/entitlements/check`, { features: [] }],
    '{ checks(subscriberId: "acme", features: []) { allowed } }',
  ],
  [
    'VALIDATION_ERROR',
    ['POST', '/org/features', { key: 'A b', name: '', kind: 'config' }],
    'mutation { createFeature(input: { key: "A b", name: "", kind: CONFIG }) { key } }',
  ],
  [
    'VALIDATION_ERROR',
    ['POST', '/org/features', { key: 'a', name: 'A', kind: 'config' }],
    'mutation { createFeature(input: { key: "a", name: "A", kind: CONFIG }) { key } }',
  ],
  [
    'VALIDATION_ERROR',
    ['PATCH', '/org/features/color', { options: ['a', 'a'], description: null }],
    'mutation { updateFeature(input: { key: "color", options: ["a", "a"], description: null }) { key } }',
  ],
  [
    'VALIDATION_ERROR',
    ['POST', '/org/subscribers', { subscriber_id: 'a b' }],
    'mutation { createSubscriber(input: { subscriberId: "a b" }) { name } }',
  ],
  [
    'VALIDATION_ERROR',
    ['PATCH', '/org/plans/pro', { grants: { nope: { kind: 'flag' }, sso: { kind: 'limit', limit: 1 } } }],
    'mutation { updatePlan(input: { key: "pro", grants: [{ feature: "nope", kind: FLAG }, { feature: "sso", kind: LIMIT, limit: 1 }] }) { key } }',
  ],
  [
    'VALIDATION_ERROR',
    ['PATCH', '/org/plans/pro', { grants: { color: { kind: 'config' } } }],
    'mutation { updatePlan(input: { key: "pro", grants: [{ feature: "color", kind: CONFIG }] }) { key } }',
  ],
  [
    'VALIDATION_ERROR',
    ['PATCH', '/org/plans/pro', { expected_updated_at: 'yesterday' }],
    'mutation { updatePlan(input: { key: "pro", expectedUpdatedAt: "yesterday" }) { key } }',
  ],
  [
    'VALIDATION_ERROR',
    ['PUT', '/org/webhook', { url: 'ftp://x' }],
    'mutation { putWebhook(input: { url: "ftp://x" }) { secret } }',
  ],
  ['VALIDATION_ERROR', ['PUT', `${override}/sso`, { kind: 'flag' }], `${put} "sso", kind: FLAG }) { id } }`],
  [
    'VALIDATION_ERROR',
    ['PUT', `${override}/sso`, { kind: 'limit', limit: null }],
    `${put} "sso", kind: LIMIT, limit: null }) { id } }`,
  ],
  [
    'VALIDATION_ERROR',
    ['PUT', `${override}/color`, { kind: 'config', value: 'pink' }],
    `${put} "color", kind: CONFIG, value: "pink" }) { id } }`,
  ],
  [
    'VALIDATION_ERROR',
    ['PUT', `${override}/sso`, { kind: 'flag', allowed: true, expires_at: 'soon' }],
    `${put} "sso", kind: FLAG, allowed: true, expiresAt: "soon" }) { id } }`,
  ],
  ['VALIDATION_ERROR', ['GET', '/org/eval-usage?month=nov'], '{ evalUsage(month: "nov") { used } }'],
]

describe('both APIs refuse in the same way', () => {
  it.each(cases)('with %s: %j', async (code, [method, path, body], document, who = () => admin) => {
    const fillIn = (text: string) => text.replace('CANCELED', canceledId).replace('ADMIN', admin.memberId)
    const [rest, graphql] = await Promise.all([who().rest(method, fillIn(path), body), who().graphql(fillIn(document))])

    expect(rest.body.error.code).toBe(code)
    expectSameRefusal(graphql, rest)
  })

  it('with UNAUTHORIZED: no key, or a wrong key', async () => {
    for (const headers of [{}, { 'x-api-key': 'ent_nonsense' }] as Record<string, string>[]) {
      const rest = await send(`${service.url}/org/features`, 'GET', undefined, headers)
      const graphql = await send(`${service.url}/graphql`, 'POST', { query: '{ features { key } }' }, headers)
      expectRefusal(rest, 'UNAUTHORIZED', null)
      expectSameRefusal(graphql, rest)
    }
  })
})
