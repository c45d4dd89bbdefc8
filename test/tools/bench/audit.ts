/**
 * node test/tools/bench/audit.ts [--entries 10000000] [--plans]
 *
 * Fills an audit log in a temporary database on the server of TEST_DATABASE_URL. For each filter, runs "explain" on the
 * service's query for one page, and shows the time, the database pages read, and the index. Exits with code 1 if a filter
 * that has an index scans the whole log.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../../../src/database/migrate.ts'
import { type AuditFilter, auditFilterInput } from '../../../src/modules/audit/audit-filter.ts'
import { auditEventsQuery } from '../../../src/modules/audit/load-audit-events.ts'
import { administer } from '../../support/administer.ts'

const { values: options } = parseArgs({
  options: { entries: { type: 'string', default: '10000000' }, plans: { type: 'boolean', default: false } },
})
const entries = Number(options.entries)
const server = process.env.TEST_DATABASE_URL
if (!server) throw new Error('Say in TEST_DATABASE_URL on which PostgreSQL to fill a log.')

const organizationId = '01BENCH0000000000000000000'
const member = (number: number) => `01MEMBER${String(number).padStart(18, '0')}`
/** The present, at the end of the three years. */
const endMs = Date.UTC(2027, 0, 1)
const spanMs = 3 * 365 * 24 * 3_600_000
const at = (share: number) => new Date(endMs - spanMs * (1 - share)).toISOString()

const filters: [name: string, filter: Record<string, unknown>][] = [
  ['the newest', {}],
  ['a cursor in the middle', { starting_after: idAt(0.5) }],
  ['a busy member', { actor_member_id: member(1) }],
  ['a member with 40 entries', { actor_member_id: member(99) }],
  ['a member without entries', { actor_member_id: member(77) }],
  ['responded', { outcome: 'responded' }],
  ['rejected', { outcome: 'rejected' }],
  ['pending', { outcome: 'pending' }],
  ['no_response', { outcome: 'no_response' }],
  ['PUT', { method: 'PUT' }],
  ['GET (20)', { method: 'GET' }],
  ['a busy route', { route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}' }],
  ['a rare route (20)', { route: '/org/invites' }],
  ['an unknown route', { route: '/org/unknown' }],
  ['a subscriber', { params: { subscriber_id: 'customer-4711' } }],
  ['a busy subscriber (1 %)', { params: { subscriber_id: 'customer-0' } }],
  ['a subscriber and a feature', { params: { subscriber_id: 'customer-0', feature_key: 'feature-7' } }],
  ['a plan', { params: { key: 'plan-3' } }],
  ['a path value that is nowhere', { params: { unknown: 'x' } }],
  ['api', { service: 'api' }],
  ['identity', { service: 'identity' }],
  ['no lines of imports', { lines: false }],
  ['a request', { request_id: `req_${idAt(0.25)}` }],
  ['what made an id', { created_id: 'made-5000' }],
  ['after', { occurred_after: at(0.9999) }],
  ['before', { occurred_before: at(0.1) }],
  ['a day two years ago', { occurred_after: at(1 / 3), occurred_before: at(1 / 3 + 1 / 1095) }],
  ['a busy member, rejected', { actor_member_id: member(1), outcome: 'rejected' }],
  ['a busy member on a rare route', { actor_member_id: member(1), route: '/org/invites' }],
  ['a rare member, PUT', { actor_member_id: member(99), method: 'PUT' }],
  ['a subscriber, rejected', { params: { subscriber_id: 'customer-0' }, outcome: 'rejected' }],
  ['a busy route long ago', { route: '/org/subscribers', occurred_before: at(0.2) }],
  ['identity, POST, long ago', { service: 'identity', method: 'POST', occurred_before: at(0.01) }],
]

const name = `audit_bench_${process.pid}`
await administer(server, `create database ${name}`)
const url = new URL(server)
url.pathname = `/${name}`
try {
  await migrate({ url: url.href })
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await fill(client)
    await explainAll(client)
  } finally {
    await client.end()
  }
} finally {
  await administer(server, `drop database ${name} with (force)`)
}

async function fill(client: pg.Client): Promise<void> {
  const started = performance.now()
  const batch = 250_000
  for (let first = 0; first < entries; first += batch) {
    await client.query(
      `insert into audit_event
         (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, key_prefix, service, method,
          route, params, ip, user_agent, outcome, rare_outcome, status, details, created_id)
       select $1, ${ulidSql('ms', 'n')}, to_timestamp(ms / 1000.0), 'req_' || ${ulidSql('ms', 'n')},
              '01MEMBER' || lpad((case when n % ($3 / 40) = 0 then 99 when n % 10 < 7 then 1 else n % 20 end)::text, 18, '0'),
              'member_apikey', 'ent_AbCdEfGh', case when kind in (5, 6, 7) then 'identity' else 'api' end,
              (array['PUT', 'POST', 'POST', 'PATCH', 'DELETE', 'GET', 'POST', 'PATCH'])[kind + 1],
              (array['/org/subscribers/{subscriber_id}/overrides/{feature_key}',
                     '/org/subscribers/{subscriber_id}/subscriptions', '/org/subscribers', '/org/plans/{key}',
                     '/org/subscribers/{subscriber_id}/overrides/{feature_key}', '/org/invites', '/org/members',
                     '/org/members/{member_id}'])[kind + 1],
              case when kind in (0, 4) then jsonb_build_object('subscriber_id', customer, 'feature_key', 'feature-' || n % 50)
                   when kind = 1 then jsonb_build_object('subscriber_id', customer)
                   when kind = 3 then jsonb_build_object('key', 'plan-' || n % 30)
                   when kind = 7 then jsonb_build_object('member_id', '01MEMBER' || lpad((n % 20)::text, 18, '0'))
                   else '{}' end,
              '203.0.113.7', 'node',
              (case when n % ($3 / 5) = 7 then 'pending' when n % ($3 / 2) = 8 then 'no_response'
                    when n % 200 = 9 then 'rejected' else 'responded' end)::audit_outcome,
              (case when n % ($3 / 5) = 7 then null when n % ($3 / 2) = 8 then 'no_response'
                    when n % 200 = 9 then 'rejected' end)::audit_outcome,
              200, '{"limit":{"from":1,"to":2}}', case when kind in (1, 2, 6) then 'made-' || n end
         from (select n, $4::bigint + n * $5::bigint / $3 as ms,
                      case when n % ($3 / 20) = 3 then 5 when n % 1000 = 1 then 6 when n % 1000 = 2 then 7
                           when n % 10 < 5 then 0 when n % 10 < 7 then 1 when n % 10 = 7 then 2 when n % 10 = 8 then 3
                           else 4 end as kind,
                      'customer-' || case when n % 100 = 0 then 0 else n * 7919 % 100000 end as customer
                 from generate_series($2::bigint, least($2 + ${batch}, $3) - 1) n) as request`,
      [organizationId, first, entries, endMs - spanMs, spanMs],
    )
  }
  await client.query(`insert into audit_event_unchained
    select organization_id, audit_event_id from audit_event where outcome = 'pending'`)
  await client.query(`insert into audit_event_creation
    select organization_id, created_id, audit_event_id from audit_event where created_id is not null`)
  await client.query('vacuum analyze')
  const { rows } = await client.query(
    `select pg_size_pretty(pg_table_size('audit_event')) as rows, pg_size_pretty(pg_indexes_size('audit_event')) as indexes`,
  )
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${entries} entries in ${seconds} s: ${rows[0].rows}, and ${rows[0].indexes} of indexes`)
}

type Node = { 'Node Type': string; 'Index Name'?: string; Filter?: string; Plans?: Node[] } & Record<string, unknown>

async function explainAll(client: pg.Client): Promise<void> {
  for (const [name, raw] of filters) {
    const filter: AuditFilter = auditFilterInput.parse(raw)
    const { text, values } = auditEventsQuery({ organizationId }, filter)
    // The first run reads uncached data from disk.
    await client.query(text, values)
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values)
    const explained = rows[0]['QUERY PLAN'][0]
    const plan: Node = explained.Plan
    const buffers = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
    const scans = nodesOf(plan).filter((node) => node['Node Type'].includes('Scan'))
    const by = scans.map((node) => `${node['Node Type']} ${node['Index Name'] ?? ''}`.trim()).join(', ')
    const ms = Number(explained['Execution Time']).toFixed(2)
    console.log(`${ms.padStart(9)} ms ${String(buffers).padStart(7)} pages  ${name}: ${by || plan['Node Type']}`)
    const isAlone = Object.keys(raw).length <= 1
    if (isAlone && (scans.some((node) => node['Node Type'] === 'Seq Scan') || buffers > 1_000)) process.exitCode = 1
    if (options.plans) {
      const lines = await client.query(`explain (analyze, buffers) ${text}`, values)
      console.log(lines.rows.map((row) => `            ${row['QUERY PLAN']}`).join('\n'))
    }
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** A ULID in SQL, from a time in milliseconds and a number whose digits replace the random part. */
function ulidSql(ms: string, number: string): string {
  const letters = Array.from({ length: 10 }, (_, index) => {
    return `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (${ms} >> ${5 * (9 - index)} & 31)::int + 1, 1)`
  })
  return `${letters.join(' || ')} || lpad(${number}::text, 16, '0')`
}

/** The id of the entry at this fraction of the three years. */
function idAt(share: number): string {
  const number = Math.floor(entries * share)
  let ms = endMs - spanMs + Math.floor((number * spanMs) / entries)
  let time = ''
  for (let index = 0; index < 10; index++) {
    time = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.charAt(ms % 32) + time
    ms = Math.floor(ms / 32)
  }
  return time + String(number).padStart(16, '0')
}
