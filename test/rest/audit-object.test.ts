import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const path = '/org/audit-events'

let caller: Caller
let ids: { first: string; second: string; account: string; key: string; invite: string }

/** Creates, changes and removes objects of every type; some of the requests are refused. */
beforeAll(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  const rest = caller.rest
  await setup.feature('sso')
  await setup.feature('api')
  await rest('PATCH', '/org/features/sso', { name: 'SSO' })
  await rest('PATCH', '/org/features/sso', { name: 'SSO' })
  await rest('POST', '/org/features', { key: 'sso', name: 'again', kind: 'flag' })
  for (const plan of ['pro', 'max', 'sso']) await setup.plan(plan)
  await setup.archive('sso')
  await rest('DELETE', '/org/plans/sso')
  for (const subscriber of ['acme', 'sso']) await setup.subscriber(subscriber)
  const flag = { kind: 'flag', allowed: true }
  await setup.override('acme', 'sso', flag)
  await setup.override('acme', 'api', flag)
  await setup.override('acme', 'sso', flag)
  await rest('DELETE', '/org/subscribers/acme/overrides/sso')
  const { id: first } = await setup.subscribe('acme', 'pro')
  const second = (await rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'max' })).body.id
  await rest('POST', `/org/subscribers/acme/subscriptions/${second}/cancel`)
  await rest('PATCH', '/org/subscribers/acme', { name: 'Acme' })
  await rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  await rest('POST', '/org/webhook/test')
  await rest('DELETE', '/org/webhook')
  const invite = (await rest('POST', '/org/invites', { role: 'viewer' })).body.invite_id
  await rest('DELETE', `/org/invites/${invite}`)
  const account = (await rest('POST', '/org/service-accounts', { name: 'CI', role: 'viewer' })).body.service_account_id
  const key = (await rest('POST', `/org/service-accounts/${account}/api-keys`, { name: 'k' })).body.key_id
  await rest('DELETE', `/org/service-accounts/${account}/api-keys/${key}`)
  await rest('PATCH', `/org/members/${caller.memberId}`, { display_name: 'Root' })
  ids = { first, second, account, key, invite }
})

type Entry = {
  id: string
  method: string
  route: string
  status: number
  params: Record<string, string>
  created_id: string | null
}
const toSummary = ({ method, route }: Entry) => `${method} ${route.replace('/org/', '')}`
const entriesOf = async (type: string, id?: string) => {
  const query = new URLSearchParams({ object_type: type, ...(id !== undefined && { object_id: id }) })
  return (await vendor(caller).get(`${path}?${query}`)).audit_events.map(toSummary)
}

describe('the entries of an object', () => {
  it.each([
    ['feature', () => 'sso', ['PATCH features/{key}', 'POST features']],
    ['plan', () => 'sso', ['DELETE plans/{key}', 'POST plans/{key}/archive', 'POST plans']],
    ['subscriber', () => 'acme', ['PATCH subscribers/{subscriber_id}', 'POST subscribers']],
    [
      'subscription',
      () => ids.first,
      ['POST subscribers/{subscriber_id}/subscriptions/change', 'POST subscribers/{subscriber_id}/subscriptions'],
    ],
    [
      'subscription',
      () => ids.second,
      [
        'POST subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel',
        'POST subscribers/{subscriber_id}/subscriptions/change',
      ],
    ],
    ['webhook', () => undefined, ['DELETE webhook', 'PUT webhook']],
    ['member', () => caller.memberId, ['PATCH members/{member_id}']],
    ['invite', () => ids.invite, ['DELETE invites/{invite_id}', 'POST invites']],
    ['service_account', () => ids.account, ['POST service-accounts']],
    [
      'api_key',
      () => ids.key,
      [
        'DELETE service-accounts/{service_account_id}/api-keys/{key_id}',
        'POST service-accounts/{service_account_id}/api-keys',
      ],
    ],
    [
      'override',
      () => 'acme/sso',
      ['DELETE', 'PUT'].map((method) => `${method} subscribers/{subscriber_id}/overrides/{feature_key}`),
    ],
    ['override', () => 'acme/none', []],
    ['override', () => 'acme', []],
  ] as [string, () => string | undefined, string[]][])(
    'are those of writes that created, changed or removed the %s',
    async (type, id, expected) => {
      expect(await entriesOf(type, id())).toEqual(expected)
    },
  )

  it('include, if with_parts=true, everything about a subscriber, or about a service account and its keys', async () => {
    const all: Entry[] = (await vendor(caller).get(`${path}?limit=100`)).audit_events
    const aboutOf = async (query: string) => (await vendor(caller).get(`${path}?${query}&with_parts=true`)).audit_events
    const subscriber = 'object_type=subscriber&object_id=acme'
    const isAbout = ({ params, created_id }: Entry) => params.subscriber_id === 'acme' || created_id === 'acme'

    const about = await aboutOf(subscriber)

    expect(about).toEqual(all.filter(isAbout))
    expect(about.at(-1)).toMatchObject({ route: '/org/subscribers' })
    expect(await aboutOf(`${subscriber}&changed=true`)).toHaveLength(about.length - 1)
    expect((await aboutOf(`object_type=service_account&object_id=${ids.account}`)).map(toSummary)).toEqual([
      'DELETE service-accounts/{service_account_id}/api-keys/{key_id}',
      'POST service-accounts/{service_account_id}/api-keys',
      'POST service-accounts',
    ])
    expectInvalid(await caller.rest('GET', `${path}?with_parts=true`), ['object_type', /required with with_parts/])
    const filter = { object: { type: 'SUBSCRIBER', id: 'acme' }, withParts: true }
    const { body } = await caller.graphql(
      'query ($filter: AuditEventFilter) { auditEvents(filter: $filter, first: 100) { nodes { id } } }',
      { filter },
    )
    expect(body.data.auditEvents.nodes).toEqual(about.map(({ id }: Entry) => ({ id })))
  })

  it('are the same in GraphQL, where one argument names the object', async () => {
    const query = `query ($filter: AuditEventFilter) { auditEvents(filter: $filter) { nodes { method route } } }`
    const ask = async (object: object) =>
      (await caller.graphql(query, { filter: { object } })).body.data.auditEvents.nodes.map(toSummary)

    expect(await ask({ type: 'FEATURE', id: 'sso' })).toEqual(await entriesOf('feature', 'sso'))
    expect(await ask({ type: 'WEBHOOK', id: '' })).toEqual(await entriesOf('webhook'))
  })

  it('can be requested only with a type and an id', async () => {
    expectInvalid(await caller.rest('GET', `${path}?object_id=sso`), ['object_type', /required with object_id/])
    expectInvalid(await caller.rest('GET', `${path}?object_type=plan`), ['object_id', /required with object_type/])
    expectInvalid(await caller.rest('GET', `${path}?object_type=thing&object_id=x`), ['object_type', /one of feature/])
  })
})

describe('the filter `changed`', () => {
  it('separates the entries of writes that changed something from all other entries', async () => {
    const changed = await vendor(caller).get(`${path}?changed=true&limit=100`)
    const others = await vendor(caller).get(`${path}?changed=false&limit=100`)
    const all = await vendor(caller).get(`${path}?limit=100`)

    expect(others.audit_events.map(({ method, route, status }: Entry) => `${status} ${method} ${route}`)).toEqual([
      '200 PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}',
      '409 POST /org/features',
      '200 PATCH /org/features/{key}',
    ])
    const both: Entry[] = [...changed.audit_events, ...others.audit_events]
    expect(both.toSorted((a, b) => (a.id < b.id ? 1 : -1))).toEqual(all.audit_events)
  })
})

describe('one entry', () => {
  it('is the same as in the list, in both APIs', async () => {
    const [entry] = (await vendor(caller).get(path)).audit_events

    expect(await vendor(caller).get(`${path}/${entry.id}`)).toEqual(entry)
    const { body } = await caller.graphql(`{ auditEvent(id: "${entry.id}") { id requestId } }`)
    expect(body.data.auditEvent).toEqual({ id: entry.id, requestId: entry.request_id })
  })

  it('is 404 when unknown, malformed or of another organization', async () => {
    const [{ id: mine }] = (await vendor(caller).get(path)).audit_events
    const other = await service.organization()

    expectRefusal(await other.rest('GET', `${path}/${mine}`), 'NOT_FOUND', { resource: 'audit_event', id: mine })
    for (const id of [newId(), 'nothing']) {
      expectRefusal(await caller.rest('GET', `${path}/${id}`), 'NOT_FOUND', { resource: 'audit_event', id })
    }
  })
})

describe('the acting member', () => {
  it('is named in the log and on a subscription, and has lastSeenAt in the list of members', async () => {
    const { body } = await caller.graphql(`{
      auditEvents(first: 2) { nodes { actor { member { memberId displayName isServiceAccount removed } } } }
      subscriber(subscriberId: "acme") { subscriptions { nodes { createdBy { memberId displayName } } } }
      members { nodes { memberId lastSeenAt } }
    }`)

    const member = { memberId: caller.memberId, displayName: 'Root', isServiceAccount: true, removed: false }
    expect(body.errors).toBeUndefined()
    expect(body.data.auditEvents.nodes).toEqual([{ actor: { member } }, { actor: { member } }])
    const createdBy = { memberId: caller.memberId, displayName: 'Root' }
    expect(body.data.subscriber.subscriptions.nodes).toEqual([{ createdBy }, { createdBy }])
    const seen = body.data.members.nodes.find((each: { memberId: string }) => each.memberId === caller.memberId)
    expect([null, expect.stringMatching(/^\d{4}/)]).toContainEqual(seen.lastSeenAt)
  })
})

describe('the roles', () => {
  it('are listed with their labels, in both APIs', async () => {
    const { roles } = await vendor(caller).get('/org/roles')

    expect(roles.map(({ role }: { role: string }) => role)).toEqual([
      'admin',
      'developer',
      'support',
      'viewer',
      'evaluator',
    ])
    expect(roles.at(-1)).toEqual({ role: 'evaluator', labels: ['entitlements:read'] })
    const { body } = await caller.graphql('{ roles { role labels } }')
    expect(body.data.roles.at(-1)).toEqual({ role: 'EVALUATOR', labels: ['entitlements:read'] })
  })
})
