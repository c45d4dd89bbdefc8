import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../../rest/routes.ts'
import { toChangeRows } from '../../../src/console/components/audit/change-rows.ts'
import {
  type AuditEntry,
  describeAction,
  describeEntry,
  wordings,
} from '../../../src/console/components/audit/describe-entry.ts'
import { findName } from '../../../src/console/components/audit/details.ts'
import { parseObject, toHistorySearch } from '../../../src/console/components/audit/history-of.ts'
import { findTarget } from '../../../src/console/components/audit/object-target.ts'
import { describeOutcome } from '../../../src/console/components/audit/outcome.ts'
import { toText } from '../../../src/console/components/audit/sentence.ts'
import { formatLocal } from '../../../src/console/components/text/format-time.ts'
import { toFilter } from '../../../src/console/pages/audit-log/to-filter.ts'
import type { AnyOperation } from '../../../src/operation/operation.ts'

type EntryFields = Partial<Pick<AuditEntry, 'outcome' | 'status' | 'createdId' | 'details'>> & {
  params?: Record<string, string>
}

function entry(action: string, { params = {}, ...fields }: EntryFields = {}): AuditEntry {
  const [method, route = ''] = action.split(' ')
  return {
    id: '01',
    occurredAt: '2026-11-22T09:00:00.000Z',
    method: method as AuditEntry['method'],
    route,
    params: Object.entries(params).map(([name, value]) => ({ name, value })),
    outcome: 'RESPONDED',
    status: 200,
    createdId: null,
    details: null,
    requestId: 'req_01',
    ip: '127.0.0.1',
    userAgent: null,
    actor: { authType: 'MEMBER_APIKEY', keyPrefix: null, memberId: null, member: null },
    ...fields,
  }
}

const names = new Map([
  ['M1', 'Bob'],
  ['SA1', 'CI'],
])
const sentenceOf = (action: string, fields?: EntryFields) => toText(describeEntry(entry(action, fields), names))

const plan = 'PATCH /org/plans/{key}'
const override = 'PUT /org/subscribers/{subscriber_id}/overrides/{feature_key}'
const ids = { subscriber_id: 'acme', feature_key: 'seats' }
const theme = (value: object) => ({ kind: 'config', value })
const limit = (value: number | null) => ({ kind: 'limit', limit: value })
const onPro = (grants: Record<string, unknown>): EntryFields => ({ params: { key: 'pro' }, details: { grants } })

const imported = (each: object) => ({ lines: 1315, created: 0, updated: 1312, unchanged: 0, failed: 3, each })

const lineOf = (details: object): EntryFields => ({ params: { subscriber_id: 'acme' }, details })

const sentences: [action: string, fields: EntryFields, sentence: string][] = [
  [
    'POST /org/subscribers/import',
    lineOf({ plan_id: { from: 'team', to: 'free' } }),
    'moved acme from plan team to plan free, in an import',
  ],
  [
    'POST /org/subscribers/import',
    lineOf({ plan_id: { from: 'team', to: null } }),
    'canceled the plan team of acme, in an import',
  ],
  [
    'POST /org/subscribers/import',
    lineOf({
      overrides: { seats: { from: { ...limit(5), expires_at: null }, to: { ...limit(99), expires_at: null } } },
    }),
    'raised the override of seats for acme from 5 to 99, in an import',
  ],
  [
    'POST /org/subscribers/import',
    lineOf({ overrides: { seats: { from: { ...limit(5), expires_at: null }, to: null } } }),
    'removed the override of seats for acme, which was 5, in an import',
  ],
  [
    'POST /org/subscribers/import',
    lineOf({ overrides: { theme: { from: theme({ a: 1 }), to: theme({ a: 2 }) } } }),
    'changed the override of theme for acme: a from 1 to 2, in an import',
  ],
  ['POST /org/features', { createdId: 'export' }, 'created feature export'],
  [
    'POST /org/subscribers/import',
    { details: { lines: 9, created: 4, updated: 3, unchanged: 2, failed: 0 } },
    'imported subscribers: 4 created, 3 changed, 2 unchanged, 0 refused',
  ],
  [
    'POST /org/subscribers/import',
    { params: { subscriber_id: 'acme' }, createdId: 'acme' },
    'imported the new subscriber acme',
  ],
  [
    'POST /org/subscribers/import',
    { params: { subscriber_id: 'acme' }, details: { plan_id: { from: null, to: 'pro' } } },
    'moved acme to plan pro, in an import',
  ],
  [
    'POST /org/subscribers/import',
    {
      params: { subscriber_id: 'acme' },
      details: { overrides: { seats: { from: null, to: { ...limit(5), expires_at: null, note: null } } } },
    },
    'overrode limit seats for acme: 5, in an import',
  ],
  [
    'POST /org/subscribers/import',
    {
      params: { subscriber_id: 'acme' },
      details: { name: { from: null, to: 'A' }, plan_id: { from: null, to: 'pro' } },
    },
    'changed subscriber acme in an import',
  ],
  [
    'POST /org/subscribers/import',
    { details: imported({ overrides: { seats: { ...limit(1000), expires_at: null, note: 'Fair' } } }) },
    'overrode limit seats for 1,312 subscribers: 1,000, “Fair”; 3 refused',
  ],
  [
    'POST /org/subscribers/import',
    { details: imported({ overrides: { seats: null } }) },
    'removed the override of seats for 1,312 subscribers; 3 refused',
  ],
  [
    'POST /org/subscribers/import',
    { details: imported({ plan_id: 'pro' }) },
    'moved 1,312 subscribers to plan pro; 3 refused',
  ],
  [
    'POST /org/subscribers/import',
    { details: imported({ plan_id: null }) },
    'canceled the plans of 1,312 subscribers; 3 refused',
  ],
  [
    'POST /org/subscribers/import',
    { details: imported({ too_large: true }) },
    'imported subscribers: 0 created, 1312 changed, 0 unchanged, 3 refused',
  ],
  [
    'PATCH /org/features/{key}',
    { params: { key: 'x' }, details: { name: { from: 'A', to: 'B' } } },
    'renamed feature x from “A” to “B”',
  ],
  [
    'PATCH /org/features/{key}',
    { params: { key: 'x' }, details: { description: { from: '', to: 'B' }, options: { from: ['a'], to: ['b'] } } },
    'changed the description and options of feature x',
  ],
  ['PATCH /org/features/{key}', { params: { key: 'x' } }, 'saved feature x without changes'],
  ['DELETE /org/features/{key}', { params: { key: 'x' } }, 'deleted feature x'],
  [
    'POST /org/plans',
    { createdId: 'pro', details: { key: 'pro', grants: { a: {}, b: {} } } },
    'created plan pro with 2 grants',
  ],
  [plan, onPro({ seats: { from: limit(10), to: limit(25) } }), 'raised limit seats on plan pro from 10 to 25'],
  [
    plan,
    onPro({ seats: { from: limit(null), to: limit(25) } }),
    'lowered limit seats on plan pro from unlimited to 25',
  ],
  [plan, onPro({ sso: { from: null, to: { kind: 'flag' } } }), 'granted flag sso on plan pro'],
  [plan, onPro({ seats: { from: null, to: limit(1000) } }), 'granted limit seats on plan pro: 1,000'],
  [plan, onPro({ seats: { from: limit(7), to: null } }), 'removed limit seats from plan pro, which granted 7'],
  [
    plan,
    onPro({ region: { from: { kind: 'config', value: 'eu' }, to: { kind: 'config', value: { a: 1 } } } }),
    'changed config region on plan pro from "eu" to {…} 1 key',
  ],
  [
    plan,
    onPro({ theme: { from: theme({ accent: 'blue', dense: true }), to: theme({ accent: 'green', dense: true }) } }),
    'changed config theme on plan pro: accent from "blue" to "green"',
  ],
  [
    plan,
    onPro({ theme: { from: theme({ accent: 'blue' }), to: theme({ accent: 'blue', dense: true }) } }),
    'changed config theme on plan pro: added dense true',
  ],
  [
    plan,
    onPro({ theme: { from: theme({ a: 1, b: { c: 2 }, d: 3 }), to: theme({ a: 2, b: { c: 3 } }) } }),
    'changed config theme on plan pro: a, b.c and d',
  ],
  [plan, onPro({ theme: { too_large: true } }), 'changed theme on plan pro, too large to log'],
  [
    plan,
    onPro(Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, { from: null, to: { kind: 'flag' } }]))),
    'changed a, b and 2 more on plan pro',
  ],
  [
    plan,
    {
      params: { key: 'pro' },
      details: { name: { from: 'A', to: 'B' }, grants: { sso: { from: { kind: 'flag' }, to: null } } },
    },
    'renamed plan pro from “A” to “B” and removed flag sso from plan pro',
  ],
  ['DELETE /org/plans/{key}', { params: { key: 'pro' } }, 'deleted plan pro'],
  [
    'POST /org/plans/{key}/archive',
    { params: { key: 'pro' }, details: { archived: { from: false, to: true } } },
    'archived plan pro',
  ],
  ['POST /org/plans/{key}/unarchive', { params: { key: 'pro' } }, 'unarchived plan pro, which was not archived'],
  ['POST /org/subscribers', { createdId: 'acme', details: { name: 'Acme' } }, 'created subscriber acme, “Acme”'],
  [
    'PATCH /org/subscribers/{subscriber_id}',
    { params: { subscriber_id: 'acme' }, details: { name: { from: 'Acme', to: null } } },
    'removed the name “Acme” from subscriber acme',
  ],
  [
    'DELETE /org/subscribers/{subscriber_id}',
    { params: { subscriber_id: 'acme' } },
    'deleted subscriber acme with its subscriptions and overrides',
  ],
  [
    'POST /org/subscribers/{subscriber_id}/subscriptions',
    { params: { subscriber_id: 'acme' }, details: { plan_id: 'pro' } },
    'subscribed acme to plan pro',
  ],
  [
    'POST /org/subscribers/{subscriber_id}/subscriptions/change',
    { params: { subscriber_id: 'acme' }, details: { plan_id: { from: 'pro', to: 'max' } } },
    'moved acme from plan pro to plan max',
  ],
  [
    'POST /org/subscribers/{subscriber_id}/subscriptions/change',
    { params: { subscriber_id: 'acme' }, details: { subscription_id: 'S2' } },
    'renewed the subscription of acme on the same plan',
  ],
  [
    'POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel',
    { params: { subscriber_id: 'acme' }, details: { plan_id: 'pro' } },
    'canceled the subscription of acme to plan pro',
  ],
  [
    plan,
    { params: { key: 'pro' }, details: { name: { from: 'Pro', to: 'Team' }, note: 'ticket 1' } },
    'renamed plan pro from “Pro” to “Team”: “ticket 1”',
  ],
  [
    override,
    { params: ids, createdId: 'O1', details: { override_id: 'O1', kind: 'limit', limit: null, expires_at: null } },
    'overrode limit seats for acme: unlimited',
  ],
  [
    override,
    { params: ids, details: { limit: { from: 1, to: 2 }, expires_at: { from: '2027-01-01T00:00:00Z', to: null } } },
    'raised the override of seats for acme from 1 to 2, with no expiry',
  ],
  [
    override,
    { params: ids, details: { allowed: { from: true, to: false } } },
    'changed the override of seats for acme from on to off',
  ],
  [
    override,
    { params: ids, details: { expires_at: { from: '2027-01-01T00:00:00Z', to: null } } },
    'made the override of seats for acme permanent',
  ],
  [
    override,
    { params: ids, details: { expires_at: { from: '2027-01-01T00:00:00Z', to: '2027-01-15T12:00:00Z' } } },
    `extended the override of seats for acme until ${formatLocal(new Date('2027-01-15T12:00:00Z'))}`,
  ],
  [
    override,
    { params: ids, details: { expires_at: { from: '2026-11-20T00:00:00Z', to: '2027-01-15T12:00:00Z' } } },
    `granted seats for acme again with an override, until ${formatLocal(new Date('2027-01-15T12:00:00Z'))}`,
  ],
  [
    override,
    {
      params: ids,
      details: { limit: { from: 5, to: 25 }, expires_at: { from: '2026-11-20T00:00:00Z', to: null } },
    },
    'granted seats for acme again with an override: 25, with no expiry',
  ],
  [
    override,
    { params: ids, details: { note: { from: null, to: 'ticket 1' } } },
    'changed the note on the override of seats for acme',
  ],
  [
    override,
    {
      params: ids,
      createdId: 'O1',
      details: { override_id: 'O1', kind: 'flag', allowed: true, starts_at: '2027-01-15T12:00:00Z', expires_at: null },
    },
    `overrode flag seats for acme: on, from ${formatLocal(new Date('2027-01-15T12:00:00Z'))}`,
  ],
  [
    override,
    { params: ids, details: { starts_at: { from: null, to: '2027-01-15T12:00:00Z' } } },
    `set the override of seats for acme to start: ${formatLocal(new Date('2027-01-15T12:00:00Z'))}`,
  ],
  [
    override,
    { params: ids, details: { starts_at: { from: '2027-01-15T12:00:00Z', to: null } } },
    'started the override of seats for acme',
  ],
  [override, { params: ids }, 'saved the override of seats for acme without changes'],
  [override.replace('PUT', 'DELETE'), { params: ids }, 'removed the override of seats for acme'],
  [
    'PUT /org/webhook',
    { details: { url: 'https://a.example/', secret_prefix: 'whsec_123456' } },
    'connected the webhook to https://a.example/',
  ],
  [
    'PUT /org/webhook',
    { details: { url: { from: 'https://a/', to: 'https://b/' }, disabled: { from: true, to: false } } },
    'moved the webhook from https://a/ to https://b/ and resumed deliveries',
  ],
  ['DELETE /org/webhook', {}, 'deleted the webhook with its events'],
  ['POST /org/webhook/rotate', { details: { secret_prefix: {} } }, 'rotated the secret of the webhook'],
  ['POST /org/webhook/disable', { details: { disabled: { from: false, to: true } } }, 'paused deliveries'],
  ['POST /org/webhook/enable', {}, 'resumed deliveries, which were not paused'],
  ['POST /org/webhook/test', { details: { event_id: 'E1' } }, 'sent a test event'],
  ['POST /org/webhook/events/resend', { details: { resent: 3 } }, 'sent 3 failed events again'],
  ['POST /org/webhook/events/{event_id}/resend', { params: { event_id: 'E1' } }, 'sent event E1 again'],
  ['POST /org/webhook/events/{event_id}/retry', { params: { event_id: 'E1' } }, 'retried event E1 before it was due'],
  [
    'POST /org/members',
    { createdId: 'M1', details: { member_id: 'M1', role: 'developer' } },
    'added “Bob” as developer',
  ],
  ['PUT /org/group-roles', { details: { group_roles: { from: [], to: [] } } }, 'set the roles of groups'],
  [
    'GET /auth/oidc/callback',
    { params: { member_id: 'M1' }, createdId: 'M1', details: { member_id: 'M1', role: 'developer' } },
    'joined by a group as developer',
  ],
  [
    'GET /auth/oidc/callback',
    { params: { member_id: 'M1' }, details: { role: { from: 'viewer', to: 'admin' } } },
    'signed in, and their groups changed the role of “Bob” from viewer to admin',
  ],
  [
    'PATCH /org/members/{member_id}',
    { params: { member_id: 'M1' }, details: { role: { from: 'viewer', to: 'admin' } } },
    'changed the role of “Bob” from viewer to admin',
  ],
  [
    'PATCH /org/members/{member_id}',
    { params: { member_id: 'M2' }, details: { status: { from: 'active', to: 'disabled' } } },
    'disabled a former member M2',
  ],
  ['DELETE /org/members/{member_id}', { params: { member_id: 'M1' } }, 'removed “Bob” from the team'],
  ['GET /org/invites', {}, 'viewed the invites and their links'],
  ['POST /org/invites', { details: { invite_id: 'I1', role: 'support' } }, 'invited someone as support'],
  ['DELETE /org/invites/{invite_id}', { params: { invite_id: 'I1' } }, 'revoked invite I1'],
  [
    'POST /org/service-accounts',
    { details: { name: 'CI', role: 'evaluator' } },
    'created service account “CI” as evaluator',
  ],
  [
    'PATCH /org/service-accounts/{service_account_id}',
    { params: { service_account_id: 'SA1' }, details: { name: { from: 'A', to: 'CI' } } },
    'renamed service account “CI” from “A” to “CI”',
  ],
  [
    'DELETE /org/service-accounts/{service_account_id}',
    { params: { service_account_id: 'SA1' } },
    'deleted service account “CI” with its keys',
  ],
  [
    'POST /org/service-accounts/{service_account_id}/api-keys',
    { params: { service_account_id: 'SA1' }, details: { key_id: 'K1', key_prefix: 'ent_abc', name: 'prod' } },
    'created key ent_abc… for service account “CI”',
  ],
  [
    'DELETE /org/service-accounts/{service_account_id}/api-keys/{key_id}',
    { params: { service_account_id: 'SA1', key_id: 'K1' } },
    'revoked key K1 of service account “CI”',
  ],
  ['PATCH /org', { details: { name: { from: 'A', to: 'B' } } }, 'renamed the organization from “A” to “B”'],
  ['POST /user/organizations', {}, 'created the organization'],
  ['POST /user/organizations/join', {}, 'joined with an invite'],
  ['DELETE /user/organizations/{organization_id}', {}, 'left the organization'],
  ['POST /user/organizations/{organization_id}/sign-in', {}, 'signed in'],
  ['POST /user/organizations/{organization_id}/sign-out', {}, 'signed out'],
]

/** Whether an organization's log may have an entry of the operation. */
function isInTheLog(operation: AnyOperation): boolean {
  if (operation.kind === 'user_write') return operation.recordedIn === 'user_and_organization'
  if (operation.kind === 'read') return operation.recorded === true
  return operation.kind === 'write' || operation.kind === 'bulk_write'
}

const recorded = restRoutes
  .map(({ operation }) => operation as AnyOperation)
  .filter(isInTheLog)
  .map(({ method, route }) => `${method} ${route}`)

describe('an audit entry as a sentence', () => {
  it.each(sentences)('%s', (action, fields, sentence) => {
    expect(sentenceOf(action, fields)).toBe(sentence)
  })

  it('has a wording, and an example here, for every action that the log records', () => {
    expect(recorded.filter((action) => !wordings[action])).toEqual([])
    expect(recorded.filter((action) => !sentences.some(([example]) => example === action))).toEqual([])
  })

  it('takes the name of a deleted object from the newest entry that contains one', () => {
    const made = { details: { name: 'CI', role: 'evaluator' } }
    const renamed = { details: { name: { from: 'CI', to: 'Nightly' } } }

    expect(findName([{ details: null }, renamed])).toBe('Nightly')
    expect(findName([{ details: null }, made])).toBe('CI')
    expect(findName([{ details: null }])).toBeNull()
  })

  it('says what was attempted if the request was refused', () => {
    const fields = { params: { key: 'pro' }, status: 409 }

    expect(sentenceOf('DELETE /org/plans/{key}', fields)).toBe('tried to delete plan pro')
    expect(describeOutcome(entry('DELETE /org/plans/{key}', fields))).toEqual({ tone: 'bad', text: 'conflict (409)' })
    expect(describeOutcome(entry(plan, { outcome: 'REJECTED', status: 403 })).text).toBe('not allowed (403)')
    expect(describeOutcome(entry(plan, { outcome: 'NO_RESPONSE', status: null })).text).toBe('outcome unknown')
  })

  it('shows the method and path of a request that only a newer server knows', () => {
    expect(sentenceOf('POST /org/things/{thing}', { params: { thing: 'a' } })).toBe('sent POST /org/things/a')
    expect(describeAction('PATCH /org/plans/{key}')).toBe('Change plan …')
  })
})

describe('the values before and after a change', () => {
  it('show each changed grant, with null as "not granted"', () => {
    const rows = toChangeRows(
      entry(plan, onPro({ sso: { from: null, to: { kind: 'flag' } }, big: { too_large: true } })),
    )

    expect(rows).toEqual([
      {
        field: 'sso',
        isKey: true,
        before: { none: 'not granted' },
        after: { shown: { kind: 'FLAG', allowed: true } },
      },
      { field: 'big', isKey: true, after: { shown: 'TOO_LARGE' } },
    ])
  })

  it('show the JSON of a new override as one value, even if it looks like a change', () => {
    const details = { override_id: 'O1', kind: 'config', value: { from: 1, to: 2 }, expires_at: null }

    expect(toChangeRows(entry(override, { details })).slice(2)).toEqual([
      { field: 'value', isKey: false, after: { json: { from: 1, to: 2 } } },
      { field: 'expires at', isKey: false, after: { none: 'never' } },
    ])
  })
})

describe('the address of the audit log', () => {
  it('can name an object whose id contains a colon', () => {
    const of = { type: 'OVERRIDE', id: 'a:b/seats' } as const

    expect(parseObject(toHistorySearch(of).object ?? '')).toEqual(of)
    expect(parseObject('webhook')).toEqual({ type: 'WEBHOOK' })
    expect(parseObject('plan')).toBeNull()
  })

  it('names the object of an entry, taken from the path of its request or the id of the created object', () => {
    expect(findTarget(entry('POST /org/plans', { createdId: 'pro' }))?.of).toEqual({ type: 'PLAN', id: 'pro' })
    expect(findTarget(entry(override, { params: ids }))?.of).toEqual({ type: 'OVERRIDE', id: 'acme/seats' })
    expect(findTarget(entry('PATCH /org'))).toBeNull()
  })

  it('filters for changes only, unless an outcome, an action or everything is requested', () => {
    const lines = false
    expect(toFilter({})).toEqual({ changed: true, lines })
    expect(toFilter({ all: true })).toEqual({ lines })
    expect(toFilter({ outcome: 'REJECTED', object: 'nonsense' })).toEqual({ outcome: 'REJECTED' })
    expect(toFilter({ action: plan })).toEqual({ method: 'PATCH', route: '/org/plans/{key}', lines })
  })

  it('includes the lines of imports if a subscriber, an object or a request is requested', () => {
    const withLines = [{ subscriber: 'acme' }, { object: 'override:acme/seats' }, { request: 'req_1' }]
    expect(withLines.map((search) => toFilter(search).lines)).toEqual([undefined, undefined, undefined])
  })
})
