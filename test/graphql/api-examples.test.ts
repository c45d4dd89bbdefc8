import { coerceInputValue, type GraphQLInputType, getOperationAST, parse, typeFromAST, validate } from 'graphql'
import { expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import type { ApiExample } from '../../src/console/components/api/api-examples.ts'
import * as features from '../../src/console/pages/features/api-examples.ts'
import * as plans from '../../src/console/pages/plans/api-examples.ts'
import * as subscribers from '../../src/console/pages/subscribers/api-examples.ts'
import * as team from '../../src/console/pages/team/api-examples.ts'
import * as webhook from '../../src/console/pages/webhook/api-examples.ts'
import { schema } from '../../src/graphql/schema.ts'

const acme = 'acme%1'
const grants = new Map([
  ['export', { kind: 'FLAG', allowed: true }],
  ['seats', { kind: 'LIMIT', limit: null }],
  ['region', { kind: 'CONFIG', value: 'eu' }],
] as const)
const decision = { value: { kind: 'LIMIT', limit: 5 }, startsAt: null, expiresAt: null, note: '' } as const

/** Each example with the REST route that it calls. */
const examples: [route: string, example: ApiExample][] = [
  ['POST /org/features', features.createFeatureExample({ key: 'x', name: 'X', kind: 'CONFIG', valueType: 'JSON' })],
  ['PATCH /org/features/{key}', features.updateFeatureExample('x', { name: 'X', description: '' })],
  ['DELETE /org/features/{key}', features.deleteFeatureExample('x')],
  ['GET /org/features/{key}', features.readFeature('x')],
  ['GET /org/features', features.listFeatures],
  ['GET /org/overrides', features.listOverrides('live=true&order=expires')],
  ['DELETE /org/subscribers/{subscriber_id}/overrides/{feature_key}', features.removeOverrideExample(acme, 'seats')],
  ['POST /org/plans', plans.createPlanExample({ key: 'pro', name: 'Pro', kind: 'standard' }, grants)],
  ['PATCH /org/plans/{key}', plans.updatePlanExample('pro', { name: 'Pro' })],
  ['PATCH /org/plans/{key}', plans.saveGrantsExample('pro', grants)],
  ['DELETE /org/plans/{key}', plans.deletePlanExample('pro')],
  ['GET /org/plans/{key}', plans.readPlan('pro')],
  ['GET /org/plans', plans.listPlans],
  ['POST /org/subscribers', subscribers.createSubscriberExample(acme, { name: 'Acme' })],
  ['PATCH /org/subscribers/{subscriber_id}', subscribers.updateSubscriberExample(acme, { name: null })],
  ['DELETE /org/subscribers/{subscriber_id}', subscribers.deleteSubscriberExample(acme)],
  ['POST /org/subscribers/{subscriber_id}/subscriptions', subscribers.movePlanExample(acme, null, 'pro')],
  ['POST /org/subscribers/{subscriber_id}/subscriptions/change', subscribers.movePlanExample(acme, '01', 'pro')],
  [
    'POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel',
    subscribers.movePlanExample(acme, '01', null),
  ],
  [
    'PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}',
    subscribers.putOverrideExample({ subscriberId: acme, feature: 'seats' }, decision),
  ],
  ['GET /org/subscribers', subscribers.listSubscribers({ search: 'a', planId: 'pro' })],
  ['GET /org/subscribers/{subscriber_id}/explanation', subscribers.explainSubscriber(acme)],
  ['POST /org/subscribers/{subscriber_id}/entitlements/check', subscribers.checkFeature(acme, 'seats')],
  ['POST /org/subscribers/{subscriber_id}/tokens', subscribers.createTokenExample(acme)],
  ['PUT /org/webhook', webhook.saveWebhookExample('https://example.org')],
  ['DELETE /org/webhook', webhook.deleteWebhookExample],
  ['POST /org/webhook/rotate', webhook.rotateWebhookExample],
  ['GET /org/webhook/events/{event_id}', webhook.readDeliveryExample('01')],
  ['GET /org/members', team.listMembers],
  ['GET /org/members/{member_id}', team.readMember('01')],
  ['PATCH /org/members/{member_id}', team.updateMemberExample('01', { displayName: 'Ada', role: 'ADMIN' })],
  ['PATCH /org/members/{member_id}', team.disableMemberExample('01')],
  ['DELETE /org/members/{member_id}', team.removeMemberExample('01')],
  ['POST /org/invites', team.inviteExample({ role: 'VIEWER', email: 'ada@example.org' })],
  ['DELETE /org/invites/{invite_id}', team.revokeInviteExample('01')],
  ['GET /org/service-accounts', team.listServiceAccounts],
  ['POST /org/service-accounts', team.createAccountExample({ name: 'CI', role: 'EVALUATOR' })],
  ['GET /org/service-accounts/{service_account_id}', team.readServiceAccount('01')],
  ['PATCH /org/service-accounts/{service_account_id}', team.updateAccountExample('01', { name: 'CI' })],
  ['DELETE /org/service-accounts/{service_account_id}', team.deleteAccountExample('01')],
  [
    'POST /org/service-accounts/{service_account_id}/api-keys',
    team.createKeyExample('01', {
      name: 'production',
      expiresAt: '2036-01-31T09:00:00Z',
      allowedNetworks: ['10.0.0.0/8'],
    }),
  ],
  ['DELETE /org/service-accounts/{service_account_id}/api-keys/{key_id}', team.revokeKeyExample('01', '02')],
]

it.each(examples)(
  '"Use the API" for %s shows a request that both APIs accept',
  (route, { method, path, body, graphql }) => {
    const pattern = new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
    expect(`${method} ${path}`).toMatch(pattern)
    const operation = restRoutes.map((each) => each.operation).find((each) => `${each.method} ${each.route}` === route)
    if (!operation) throw new Error(`There is no ${route}.`)
    if (body !== undefined) expect(() => operation.input.parse(body)).not.toThrow()

    const document = parse(graphql.document)
    expect(validate(schema, document)).toEqual([])
    for (const { variable, type } of getOperationAST(document)?.variableDefinitions ?? []) {
      const value = (graphql.variables as Record<string, unknown>)[variable.name.value]
      coerceInputValue(value, typeFromAST(schema, type as never) as GraphQLInputType, (_path, _value, error) => {
        throw error
      })
    }
  },
)
