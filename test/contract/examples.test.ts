import { expect, it } from 'vitest'
import { successStatusOf } from '../../rest/openapi/describe-operation.ts'
import type { Example } from '../../rest/openapi/examples.ts'
import { restRoutes } from '../../rest/routes.ts'
import { newId } from '../../src/core/ids.ts'
import { eventBodies } from '../../src/events/event-body.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { limitOf } from '../support/limit-of.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { withSampleValues } from '../support/sample-values.ts'
import { send, startService } from '../support/service.ts'

const owner = await (await startService()).organization()
const service = await startService({
  ...trustedLoopback,
  OIDC_ISSUER: 'http://localhost:9',
  OIDC_CLIENT_ID: 'entitlements',
  OIDC_CLIENT_SECRET: 'a secret of the examples',
  OIDC_NAME: 'Example login',
  OIDC_GROUP_ORGANIZATIONS: owner.organizationId,
})
const address = newAddress()

const operations = new Map(restRoutes.map(({ operation }) => [operation.name, operation]))
const examples: Record<string, Example> = {}

type RequestParts = { parameters?: Record<string, string>; body?: unknown }

/** Sends a request, which must succeed. The first request of an operation becomes its example. */
async function sendExample(
  name: string,
  headers: Record<string, string>,
  { parameters = {}, body }: RequestParts = {},
) {
  const operation = operations.get(name) as AnyOperation
  const { method, route } = operation
  const pathNames = new Set(Array.from(route.matchAll(/\{(\w+)\}/g), ([, name]) => name))
  const inQuery = Object.entries(parameters).filter(([parameter]) => !pathNames.has(parameter))
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : ''
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? '')) + query

  const answer = await send(service.url + path, method, body, { ...address, ...headers })

  expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(successStatusOf(operation))
  examples[name] ??= { path, parameters, body, status: answer.status, answer: answer.body }
  return answer.body
}

it("the service's answers equal the examples of the OpenAPI document; after a change, run this file with `--update`", {
  timeout: limitOf(60_000),
}, async () => {
  const { key, organizationId } = owner
  const asAdmin = { 'x-api-key': key }
  const admin = (name: string, sent?: RequestParts) => sendExample(name, asAdmin, sent)

  await admin('createFeature', { body: { key: 'sso', name: 'Single sign-on', kind: 'flag' } })
  const region = { key: 'region', name: 'Region', kind: 'config', value_type: 'enum', options: ['eu', 'us'] }
  await admin('createFeature', { body: region })
  await admin('createFeature', { body: { key: 'seats', name: 'Seats', kind: 'limit' } })
  await admin('updateFeature', { parameters: { key: 'region' }, body: { options: ['eu', 'us', 'ap'] } })
  await admin('feature', { parameters: { key: 'region' } })
  await admin('features')

  const grants = { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 10 }, region: { kind: 'config', value: 'eu' } }
  await admin('createPlan', { body: { key: 'starter', name: 'Starter', grants: { seats: grants.seats } } })
  await admin('createPlan', { body: { key: 'pro', name: 'Pro', grants } })
  await admin('updatePlan', { parameters: { key: 'starter' }, body: { name: 'Starter (monthly)' } })
  await admin('previewPlanUpdate', { parameters: { key: 'starter' }, body: { grants: { sso: { kind: 'flag' } } } })
  await admin('previewCatalog', {
    body: {
      changes: [
        { operation: 'update_feature', key: 'seats', input: { name: 'Places' } },
        { operation: 'delete_feature', key: 'seats' },
      ],
    },
  })
  await admin('plan', { parameters: { key: 'pro' } })
  await admin('plans')
  await admin('archivePlan', { parameters: { key: 'starter' } })
  await admin('unarchivePlan', { parameters: { key: 'starter' } })

  const acme = { subscriber_id: 'acme' }
  await admin('createSubscriber', { body: { subscriber_id: 'acme', name: 'Acme' } })
  const line = {
    subscriber_id: 'globex',
    name: 'Globex',
    plan_id: 'pro',
    overrides: { seats: { kind: 'limit', limit: 40 } },
  }
  await admin('importSubscribers', { body: `${JSON.stringify(line)}\n` })
  await admin('updateSubscriber', { parameters: acme, body: { name: 'Acme Inc.' } })
  await admin('subscriber', { parameters: acme })
  await admin('subscribers', { parameters: { search: 'acme', limit: '2' } })
  await admin('delivery', { parameters: acme })
  await admin('search', { parameters: { text: 'ac', limit: '5' } })
  await admin('createSubscription', { parameters: acme, body: { plan_id: 'starter' } })
  const { id: subscription } = await admin('changeSubscription', { parameters: acme, body: { plan_id: 'pro' } })
  await admin('subscriptions', { parameters: acme })

  const seats = { ...acme, feature_key: 'seats' }
  const override = { kind: 'limit', limit: 25, expires_at: '2036-01-31T09:00:00Z' }
  await admin('putOverride', { parameters: seats, body: override })
  await admin('override', { parameters: seats })
  await admin('allOverrides', { parameters: { order: 'expires', live: 'true' } })
  await admin('explanation', { parameters: acme })
  const histories = [
    await admin('subscriberHistory', { parameters: { ...acme, limit: '1' } }),
    await admin('planHistory', { parameters: { key: 'starter', limit: '1' } }),
    await admin('featureHistory', { parameters: { key: 'region', limit: '1' } }),
  ]
  await admin('overrides', { parameters: acme })
  await admin('check', { parameters: acme, body: { feature: 'seats' } })
  await admin('entitlements', { parameters: acme })
  await admin('entitlementsOf', { body: { subscriber_ids: ['acme', 'initech'] } })
  await admin('createSubscriberToken', { parameters: acme, body: { expires_in: 900 } })
  const context = { targetingKey: 'acme' }
  await admin('evaluateFlag', { parameters: { key: 'seats' }, body: { context } })
  await admin('evaluateFlags', { body: { context } })
  await admin('evalUsage')
  // The counts of this test's evals are written only seconds later, so the examples show counts of January.
  const january = { from: '2026-01-01', to: '2026-01-31' }
  await service.database.pool.query(
    `insert into feature_usage_day values ($1, 'seats', '2026-01-02', 1200, 34, '[["acme", 34]]')`,
    [organizationId],
  )
  await admin('evalUsageByFeature', { parameters: january })
  await admin('denials', { parameters: { key: 'seats', ...january } })
  const now = await send(`${service.url}/org/changes`, 'GET', undefined, asAdmin)
  const { cursor } = now.body
  await admin('putOverride', { parameters: seats, body: { ...override, limit: 26 } })
  await admin('followers')
  const changed = await admin('changes', { parameters: { after: cursor, wait: '20' } })

  await admin('putWebhook', { body: { url: 'https://hooks.example.org/entitlements' } })
  await admin('webhook')
  await admin('rotateWebhook')
  const { id: eventId } = await admin('sendTestEvent')
  await admin('webhookEvents', { parameters: { state: 'queued' } })
  await admin('webhookEventCounts')
  await admin('webhookEvent', { parameters: { event_id: eventId } })
  await admin('retryEvent', { parameters: { event_id: eventId } })
  await admin('disableWebhook')
  await admin('enableWebhook')
  await admin('putOverride', { parameters: seats, body: { ...override, limit: 30 } })
  await admin('updatePlan', { parameters: { key: 'pro' }, body: { grants: { ...grants, sso: undefined } } })
  for (const type of eventBodies.keys()) {
    const { events } = await admin('webhookEvents', { parameters: { type } })
    const { body } = await admin('webhookEvent', { parameters: { event_id: events[0].id } })
    // The requests that a receiver gets. Their path is that of the endpoint's address.
    examples[type] = { path: '/entitlements', parameters: {}, body: JSON.parse(body), status: 204 }
  }
  await service.database.prisma.webhookEvent.update({
    where: { organizationId_id: { organizationId, id: eventId } },
    data: { state: 'delivered', attempts: 1, dueAt: null, finishedAt: new Date() },
  })
  await admin('resendEvent', { parameters: { event_id: eventId } })
  await admin('resendEvents', { body: { state: 'failed', occurred_after: '2026-11-01T00:00:00Z' } })
  await admin('deleteWebhook')

  await admin('deleteOverride', { parameters: seats })
  await admin('cancelSubscription', { parameters: { ...acme, subscription_id: subscription } })
  await admin('deleteSubscriber', { parameters: acme })
  await admin('createPlan', { body: { key: 'trial', name: 'Trial', grants } })
  await admin('deletePlan', { parameters: { key: 'trial' } })
  await admin('createFeature', { body: { key: 'exports', name: 'Exports', kind: 'flag' } })
  await admin('deleteFeature', { parameters: { key: 'exports' } })

  await admin('organization')
  await admin('counts')
  await sendExample('service', {})
  await admin('updateOrganization', { body: { name: 'Acme Software' } })
  const { service_account_id } = await admin('createServiceAccount', { body: { name: 'Billing', role: 'developer' } })
  await admin('serviceAccount', { parameters: { service_account_id } })
  await admin('serviceAccounts')
  await admin('updateServiceAccount', { parameters: { service_account_id }, body: { name: 'Billing sync' } })
  const { key_id } = await admin('createApiKey', {
    parameters: { service_account_id },
    body: { name: 'Production', expires_at: '2036-01-31T09:00:00Z', allowed_networks: ['203.0.113.0/24'] },
  })
  await admin('apiKeys', { parameters: { service_account_id } })
  await admin('deleteApiKey', { parameters: { service_account_id, key_id } })
  await admin('deleteServiceAccount', { parameters: { service_account_id } })

  const email = `${organizationId.toLowerCase()}@example.org`
  const password = 'correct horse battery'
  await sendExample('signUp', {}, { body: { email, password, display_name: 'Ada' } })
  const { token, user_id } = await sendExample('signIn', {}, { body: { email, password } })
  const person = (name: string, sent?: RequestParts) => sendExample(name, { authorization: `Bearer ${token}` }, sent)
  await person('user')
  await person('updateUser', { body: { display_name: 'Ada Lovelace' } })

  const { member_id } = await admin('createMember', { body: { user_id, role: 'viewer' } })
  await admin('member', { parameters: { member_id } })
  await admin('members')
  await admin('updateMember', { parameters: { member_id }, body: { role: 'support' } })
  await admin('deleteMember', { parameters: { member_id } })
  const { link } = await admin('createInvite', { body: { role: 'developer', email: 'ada@example.org' } })
  await person('joinOrganization', { body: { invite: link.split('#')[1] } })
  const { invite_id } = await admin('createInvite', { body: { role: 'developer', email: 'ada@example.org' } })
  await admin('invites')
  await admin('deleteInvite', { parameters: { invite_id } })

  const here = { organization_id: organizationId }
  await person('organizations')
  await person('signInToOrganization', { parameters: here })
  const { sessions } = await person('sessions')
  await person('endSession', { parameters: { id: sessions[0].id } })
  await person('endOtherSessions')
  await person('signOutOfOrganization', { parameters: here })
  await person('leaveOrganization', { parameters: here })
  await person('createOrganization', { body: { name: 'Lovelace Ltd' } })
  await person('userAuditEvents', { parameters: { limit: '1' } })
  await admin('roles')
  const groupRoles = [
    { group: 'engineering', role: 'developer' },
    { group: 'it-admins', role: 'admin' },
  ]
  await admin('setGroupRoles', { body: { group_roles: groupRoles } })
  await admin('groupRoles')
  const { audit_events } = await admin('auditEvents', { parameters: { 'params[key]': 'starter', method: 'PATCH' } })
  const { signature } = await admin('auditHead')
  await admin('auditEvent', { parameters: { id: audit_events[0].id } })
  await person('changePassword', { body: { current_password: password, new_password: 'a longer horse battery' } })
  await sendExample('deleteUser', { authorization: `Bearer ${await signUpAnother()}` })

  expect([...operations.keys()].filter((name) => !examples[name])).toEqual([])
  const items = histories.flatMap(({ history: [{ id, group }] }, n) => [
    [id, `MTc5NTE2NTIwMDAwMC4wc2VhdH${n}`] as const,
    [group, `MTc5NTE2NTIwMDAwMC${n}`] as const,
  ])
  const samples = [
    ...items,
    [email, 'ada@example.org'],
    [signature, `${'Sample'.repeat(14)}AA`],
    [cursor, 'OWY4NmQwODE4ODRjN2Q2NS5tOHkyazcwMC54OHUuLg'],
    [changed.cursor, 'OWY4NmQwODE4ODRjN2Q2NS5tOHkyazd4Yy54OHYuLg'],
    [address['x-forwarded-for'] as string, '203.0.113.7'],
    [service.url, 'https://entitlements.example.org'],
  ] as [string, string][]
  const text = withSampleValues(JSON.stringify(examples, null, 2), samples)
  await expect(`${text}\n`).toMatchFileSnapshot('../../rest/openapi/examples.json')
  // The requests are sent one after another, which takes 6 s on an idle machine.
})

/** The token of a person who is in no organization. */
async function signUpAnother(): Promise<string> {
  const body = { email: `${newId()}@example.org`, password: 'correct horse battery', display_name: 'Grace' }
  const answer = await send(`${service.url}/user/sign-up`, 'POST', body, newAddress())
  return answer.body.token
}
