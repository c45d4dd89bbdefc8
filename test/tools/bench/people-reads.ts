import type { PrismaClient } from '../../../src/database/prisma.ts'
import { viaPrisma } from '../../../src/database/sql.ts'
import { loadAuditEvents } from '../../../src/modules/audit/load-audit-events.ts'
import { listAuditEvents } from '../../../src/modules/audit/read-audit-events.ts'
import { readExplanation } from '../../../src/modules/entitlements/read-explanation.ts'
import { readCounts } from '../../../src/modules/organizations/read-counts.ts'
import { loadOverrideCounts } from '../../../src/modules/overrides/count-overrides.ts'
import { listAllOverrides } from '../../../src/modules/overrides/list-all-overrides.ts'
import { loadSubscriberCounts } from '../../../src/modules/plans/count-subscribers.ts'
import { previewPlanUpdate } from '../../../src/modules/plans/preview-plan-update.ts'
import { search } from '../../../src/modules/search/read-search.ts'
import { listSubscribers } from '../../../src/modules/subscribers/read-subscribers.ts'
import { countEvents, listEvents } from '../../../src/modules/webhook/read-events.ts'
import type { Read } from '../../../src/operation/operation.ts'
import { features, organizationId, plans } from './people-seed.ts'

type TimedRead = [name: string, read: () => Promise<unknown>]

/** Ids of rows in the middle of their tables. */
type MiddleIds = { entry: string; event: string; override: string; change: string }

// biome-ignore lint/suspicious/noExplicitAny: a read of any route and input.
type AnyRead = Read<string, any, any>

/** Every read for the console that could become slower as the data grows, with the input that makes it slowest. */
export function readsOf(db: PrismaClient, findMiddleIds: MiddleIds): TimedRead[] {
  const scope = { db, readRows: viaPrisma(db).query, organizationId, now: new Date() }
  const run = (operation: AnyRead, input: object, path: object = {}) =>
    operation.run({ ...scope, role: 'admin', path, input: operation.input.parse(input), ...unused } as never)
  const lists = (name: string, operation: AnyRead, inputs: [what: string, input: object][]) =>
    inputs.map(([what, input]): TimedRead => [`${name}: ${what}`, () => run(operation, input)])
  const list = lists as (name: string, operation: unknown, inputs: [string, object][]) => TimedRead[]
  const grants = Object.fromEntries(
    Array.from({ length: features }, (_, n) => [`feature-${n}`, { kind: 'limit', limit: 123_456 }]),
  )
  return [
    ...list('subscribers', listSubscribers, subscriberLists),
    ...list('search', search, searches(findMiddleIds)),
    ...list('overrides', listAllOverrides, overrideLists(findMiddleIds)),
    ['counts', () => run(readCounts, {})],
    [
      'Plan.subscriberCount: all plans',
      () =>
        loadSubscriberCounts(
          scope,
          Array.from({ length: plans }, (_, n) => `plan-${n}`),
        ),
    ],
    [
      'Feature.overrideCount: all features',
      () =>
        loadOverrideCounts(
          { ...scope, loadBudget: null as never, readRows: null as never },
          Array.from({ length: features }, (_, n) => `feature-${n}`),
        ),
    ],
    ['previewPlanUpdate: every grant of the largest plan', () => run(previewPlanUpdate, { grants }, { key: 'plan-0' })],
    [
      'previewPlanUpdate: every grant of the smallest plan',
      () => run(previewPlanUpdate, { grants }, { key: 'plan-5' }),
    ],
    ['explanation', () => run(readExplanation, {}, { subscriber_id: 'customer-0500000' })],
    ...list('webhookEvents', listEvents, eventLists(findMiddleIds)),
    ['webhookEventCounts', () => run(countEvents, {})],
    ...auditLists(findMiddleIds).map(
      ([what, input]): TimedRead => [
        `auditEvents: ${what}`,
        () => loadAuditEvents(db, scope, listAuditEvents.input.parse(input)),
      ],
    ),
  ]
}

const unused = { limits: {}, vault: {}, baseUrl: '' }
const deep = { starting_after: 'customer-0900000' }

const subscriberLists: [string, object][] = [
  ['the first page', {}],
  ['deep', deep],
  ['search of one letter', { search: 'n' }],
  ['search of one letter, deep', { search: 'n', ...deep }],
  ['search of what every name has', { search: 'ltd' }],
  ['search of what few names have', { search: 'abc12' }],
  ['search of what no name has', { search: 'qqqqq' }],
  ['search of what 20,000 names have, all at the end', { search: 'zulu' }],
  ['search of what 20,000 names have, in a small plan', { search: 'zulu', plan_id: 'plan-5' }],
  ['search of an id', { search: 'customer-0777777' }],
  ['on the largest plan', { plan_id: 'plan-0' }],
  ['on the largest plan, deep', { plan_id: 'plan-0', ...deep }],
  ['on the smallest plan', { plan_id: 'plan-5' }],
  ['without a plan', { without_plan: true }],
  ['without a plan, deep', { without_plan: true, ...deep }],
  ['with a plan', { without_plan: false }],
]

function searches({ entry, override }: MiddleIds): [string, object][] {
  return [
    ['one letter', { text: 'n' }],
    ['two letters', { text: 'no' }],
    ['two letters of nothing', { text: 'qq' }],
    ['what every name has', { text: 'ltd' }],
    ['what 20,000 names have, all at the end', { text: 'zulu' }],
    ['what no name has', { text: 'qqqqq' }],
    ['the start of every id', { text: 'customer' }],
    ['the id of a subscriber', { text: 'customer-0777777' }],
    ['the id of an override', { text: override }],
    ['a request id', { text: `req_${entry}` }],
    ['the end of an id', { text: '0777777' }],
    ['the end of many ids', { text: '777' }],
    ['words that many names have, in another order', { text: 'ltd north' }],
    ['words that no name has', { text: 'qqqqq wwwww' }],
    [
      'a sentence',
      { text: 'Our customer Customer-0777777 (North 00beef Ltd) cannot export since Monday, please look.' },
    ],
    ['2,000 characters', { text: 'North customer-0777777 '.repeat(90).slice(0, 2000) }],
    ['50 ids', { text: Array.from({ length: 50 }, (_, n) => `customer-0${n}1234`).join('\n'), limit: 50 }],
  ]
}

function overrideLists({ override }: MiddleIds): [string, object][] {
  const soon = { expires_before: new Date(Date.now() + 7 * 86_400_000).toISOString() }
  return [
    ['the first page', {}],
    ['deep', { starting_after: override }],
    ['by expiry', { order: 'expires' }],
    ['by expiry, deep', { order: 'expires', starting_after: override }],
    ['live, by expiry', { order: 'expires', live: true }],
    ['expired, by feature', { live: false }],
    ['ending within 7 days, by expiry', { order: 'expires', live: true, ...soon }],
    ['ending within 7 days, by feature', { live: true, ...soon }],
    ['ending in the year 9999, by feature', { expires_after: '9999-01-01T00:00:00Z' }],
    ['of a busy feature', { feature: 'feature-0' }],
    ['of a busy feature, by expiry', { feature: 'feature-0', order: 'expires' }],
    ['of a rare feature, by expiry', { feature: 'feature-39', order: 'expires' }],
    ['of a rare feature, expired', { feature: 'feature-39', live: false }],
    ['of an unknown feature, by expiry', { feature: 'unknown', order: 'expires' }],
    ['of a subscriber', { subscriber_id: 'customer-0500000' }],
    ['of a subscriber, by expiry', { subscriber_id: 'customer-0500000', order: 'expires' }],
  ]
}

function eventLists({ event }: MiddleIds): [string, object][] {
  const old = { occurred_before: new Date(Date.now() - 80 * 86_400_000).toISOString() }
  return [
    ['the first page', {}],
    ['deep', { starting_after: event }],
    ['queued', { state: 'queued' }],
    ['failed', { state: 'failed' }],
    ['of a rare type', { type: 'plan.grants.updated' }],
    ['of a type that never was', { type: 'webhook.test' }],
    ['of a subscriber', { subscriber_id: 'customer-0000077' }],
    ['of a subscriber, failed', { subscriber_id: 'customer-0000077', state: 'failed' }],
    ['of a type, failed', { type: 'plan.grants.updated', state: 'failed' }],
    ['before a moment long ago', old],
    ['of a type, long ago', { type: 'entitlements.stale', ...old }],
  ]
}

function auditLists({ entry, change }: MiddleIds): [string, object][] {
  return [
    ['the newest', {}],
    ['deep', { starting_after: entry }],
    ['changed', { changed: true }],
    ['not changed', { changed: false }],
    ['changed, of the identity service', { changed: true, service: 'identity' }],
    ['of a feature', { object_type: 'feature', object_id: 'feature-1' }],
    ['of a busy plan', { object_type: 'plan', object_id: 'plan-1' }],
    ['of a plan that never was', { object_type: 'plan', object_id: 'unknown' }],
    ['of a subscriber', { object_type: 'subscriber', object_id: 'customer-0007919' }],
    ['of an override', { object_type: 'override', object_id: 'customer-0007919/feature-1' }],
    ['of a subscription', { object_type: 'subscription', object_id: change }],
    ['of a subscription that never was', { object_type: 'subscription', object_id: '01BENCH0000000000000000001' }],
    ['of the webhook', { object_type: 'webhook' }],
    ['of a member', { object_type: 'member', object_id: '01MEMBER000000000000000001' }],
    ['of an API key that never was', { object_type: 'api_key', object_id: '01BENCH0000000000000000001' }],
    ['of an invite that never was', { object_type: 'invite', object_id: '01BENCH0000000000000000001' }],
  ]
}
