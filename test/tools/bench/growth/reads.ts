/** Compares reads for people. Deep pages are in the middle or near the end. */
import { request } from '../exchanges.ts'
import { features } from '../people-seed.ts'
import type { GrowthDatabases, Scale, Sizes } from './database.ts'
import { withClient } from './database.ts'
import type { Line } from './line.ts'
import { compareTimes, expectingStatus, type TimeOptions } from './times.ts'

/** Reads for people that take less than this are fast enough, as in the bench of such reads. */
const readLimit: TimeOptions = { atMostMs: 100 }

/** The limit for reads whose time grows with their matches up to a bound: counts, which stop at 10,000, and search hits. */
const boundedLimit: TimeOptions = { ...readLimit, atMostTimes: 10 }

/** Ids of rows in each database, by their use. */
type SampleIdsByScale = Record<Scale, SampleIds>
type SampleIds = { subscriber: string; lastTenth: string; entry: string; event: string; change: string }

export async function findSampleIds({ urls }: GrowthDatabases, sizes: Record<Scale, Sizes>): Promise<SampleIdsByScale> {
  const findIn = (scale: Scale) =>
    withClient(urls[scale], async (client): Promise<SampleIds> => {
      const { subscribers, entries } = sizes[scale]
      const idOf = async (sql: string) => (await client.query(sql)).rows[0].id as string
      const customer = (share: number) => `customer-${String(Math.floor(subscribers * share)).padStart(7, '0')}`
      return {
        subscriber: customer(0.5),
        lastTenth: customer(0.9),
        entry: await idOf(`select audit_event_id as id from audit_event order by 1 offset ${entries >> 1} limit 1`),
        event: await idOf(`select event_id as id from webhook_event order by 1 offset ${subscribers >> 1} limit 1`),
        change: await idOf(
          `select created_id as id from audit_event where route like '%/change' order by audit_event_id limit 1`,
        ),
      }
    })
  return { small: await findIn('small'), large: await findIn('large') }
}

type ReadOptions = { ports: Record<Scale, number>; key: string; landmarks: SampleIdsByScale }

/** The same request for both databases. */
type TimedRequest = [what: string, requestOf: (landmark: SampleIds) => string, options?: TimeOptions]

async function* compareAll({ ports, landmarks }: ReadOptions, requests: TimedRequest[]): AsyncGenerator<Line> {
  for (const [what, requestOf, options = readLimit] of requests) {
    const side = (scale: Scale) => ({ port: ports[scale], next: () => expectingStatus(requestOf(landmarks[scale])) })
    yield await compareTimes(what, side('small'), side('large'), options)
  }
}

export async function* compareReads(options: ReadOptions): AsyncGenerator<Line> {
  const get = (path: string) => request('GET', path, options.key)
  const subscribers = (query: string) => get(`/org/subscribers?${query}`)
  const events = (query: string) => get(`/org/webhook/events?${query}`)
  const long = new Date(Date.now() - 80 * 86_400_000).toISOString()
  const grants = Object.fromEntries(
    Array.from({ length: features }, (_, n) => [`feature-${n}`, { kind: 'limit', limit: 123_456 }]),
  )
  const counts = JSON.stringify({ query: '{ plans { key subscriberCount { value isExact } } }' })
  const spaced = { ...readLimit, pauseMs: 120 }
  yield* compareAll(options, [
    ['subscribers: the first page', () => subscribers('limit=20')],
    ['subscribers: behind nine tenths', ({ lastTenth }) => subscribers(`starting_after=${lastTenth}`)],
    ['subscribers: search of what many names have', () => subscribers('search=ltd')],
    ['subscribers: search of what few names have', () => subscribers('search=abc12')],
    ['subscribers: search of what no name has', () => subscribers('search=qqqqq')],
    ['subscribers: search of names at the end', () => subscribers('search=zulu'), boundedLimit],
    ['subscribers: search of an id', ({ subscriber }) => subscribers(`search=${subscriber}`)],
    [
      'subscribers: of a plan, behind nine tenths',
      ({ lastTenth }) => subscribers(`plan_id=plan-0&starting_after=${lastTenth}`),
    ],
    ['explanation', ({ subscriber }) => get(`/org/subscribers/${subscriber}/explanation`), spaced],
    ['counts of the organization', () => get('/org/counts'), boundedLimit],
    ['counts of all plans', () => request('POST', '/graphql', options.key, counts)],
    [
      'preview: every grant of a plan',
      () => request('POST', '/org/plans/plan-0/preview', options.key, JSON.stringify({ grants })),
    ],
    [
      'preview: one grant of a plan',
      () =>
        request(
          'POST',
          '/org/plans/plan-0/preview',
          options.key,
          JSON.stringify({ grants: { ...grantsOf(0), 'feature-1': { kind: 'limit', limit: 123_456 } } }),
        ),
    ],
    ['events: the first page', () => events('limit=20')],
    ['events: behind half', ({ event }) => events(`starting_after=${event}`)],
    ['events: failed', () => events('state=failed')],
    ['events: of a subscriber', () => events('subscriber_id=customer-0000077')],
    ['events: before a moment long ago', () => events(`occurred_before=${long}`)],
    ['events: of a type, before a moment long ago', () => events(`type=entitlements.stale&occurred_before=${long}`)],
  ])
}

/** The grants of a plan of the seed. */
function grantsOf(plan: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: features }, (_, n) => [`feature-${n}`, { kind: 'limit', limit: plan * n }]),
  )
}

/** For each filter of the audit log, reads the first page and one in the middle. */
export async function* compareAuditLog(options: ReadOptions): AsyncGenerator<Line> {
  const requests = auditFilters().flatMap(([what, query]): TimedRequest[] => [
    [what, (landmark) => auditRequest(options.key, query(landmark))],
    [
      `${what}, from the middle on`,
      (landmark) => auditRequest(options.key, [...query(landmark), ['starting_after', landmark.entry]]),
    ],
  ])
  yield* compareAll(options, requests)
}

type Query = [name: string, value: string][]

function auditRequest(key: string, query: Query): string {
  return request('GET', `/org/audit-events?${new URLSearchParams(query)}`, key)
}

const member = (number: number) => `01MEMBER${String(number).padStart(18, '0')}`

function auditFilters(): [what: string, query: (landmark: SampleIds) => Query][] {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const by = (what: string, ...query: Query): [string, () => Query] => [what, () => query]
  const ofObject = (type: string, id: string) => by(`of an object: ${type}`, ['object_type', type], ['object_id', id])
  return [
    by('all'),
    by('a busy member', ['actor_member_id', member(1)]),
    by('a rare member', ['actor_member_id', member(99)]),
    by('responded', ['outcome', 'responded']),
    by('rejected', ['outcome', 'rejected']),
    by('no response', ['outcome', 'no_response']),
    by('pending: nothing', ['outcome', 'pending']),
    by('a busy method', ['method', 'PUT']),
    by('a method that is nowhere', ['method', 'GET']),
    by('a busy route', ['route', '/org/subscribers/{subscriber_id}/overrides/{feature_key}']),
    by('a rare route', ['route', '/org/webhook']),
    by('a route that is nowhere', ['route', '/org/unknown']),
    by('service api', ['service', 'api']),
    by('service identity', ['service', 'identity']),
    by('path value: a subscriber', ['params[subscriber_id]', 'customer-0007919']),
    by('path value: a busy subscriber', ['params[subscriber_id]', 'customer-0000000']),
    by(
      'path values: a busy subscriber and a feature',
      ['params[subscriber_id]', 'customer-0000000'],
      ['params[feature_key]', 'feature-0'],
    ),
    by('path value: a plan', ['params[key]', 'plan-3']),
    ['a request', ({ entry }) => [['request_id', `req_${entry}`]]],
    ['what made an id', ({ change }) => [['created_id', change]]],
    by('after, in the last hour', ['occurred_after', ago(1 / 24)]),
    by('before, 80 days ago', ['occurred_before', ago(80)]),
    by('a day 60 days ago', ['occurred_after', ago(60)], ['occurred_before', ago(59)]),
    by('changed', ['changed', 'true']),
    by('not changed', ['changed', 'false']),
    by('changed, service identity', ['changed', 'true'], ['service', 'identity']),
    ofObject('feature', 'feature-1'),
    ofObject('plan', 'plan-1'),
    ofObject('subscriber', 'customer-0007919'),
    ofObject('override', 'customer-0007919/feature-1'),
    [
      'of a subscription',
      ({ change }) => [
        ['object_type', 'subscription'],
        ['object_id', change],
      ],
    ],
    by('of an object: webhook', ['object_type', 'webhook']),
    ofObject('member', member(1)),
    ofObject('invite', member(1)),
    ofObject('service_account', member(1)),
    ofObject('api_key', member(1)),
    by('a busy member, rejected', ['actor_member_id', member(1)], ['outcome', 'rejected']),
    by('a busy route, before, 80 days ago', ['route', '/org/subscribers'], ['occurred_before', ago(80)]),
  ]
}
