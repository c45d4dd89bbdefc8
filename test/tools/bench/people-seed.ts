import type { Client } from 'pg'
import { withoutIndexes } from './without-indexes.ts'

export const organizationId = '01BENCH0000000000000000000'
export const features = 40
export const plans = 6

/** A ULID in SQL, from a time in milliseconds and a number. */
function idOf(ms: string, number: string): string {
  const letters = Array.from({ length: 10 }, (_, index) => {
    return `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (${ms} >> ${5 * (9 - index)} & 31)::int + 1, 1)`
  })
  return `${letters.join(' || ')} || lpad((${number})::text, 16, '0')`
}

/** 90 days, ending now. */
const ms = (number: string, of: number) =>
  `((extract(epoch from now()) * 1000)::bigint - 90 * 86400000::bigint + (${number}) * (90 * 86400000::bigint) / ${of})`

/** One organization with very many subscribers, and a matching amount of everything else. */
export async function seedPeople(client: Client, subscribers: number, entries: number): Promise<void> {
  const run = (sql: string) => client.query(sql.replaceAll('$org', `'${organizationId}'`))
  await run(
    `insert into organization (organization_id, name, created_at, updated_at) values ($org, 'Bench', now(), now())`,
  )
  await run(`insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
    select $org, 'feature-' || n, 'Feature ' || n, 'limit', now() + n * interval '1 ms', now() from generate_series(0, ${features - 1}) n`)
  await run(`insert into plan (organization_id, plan_key, name, created_at, updated_at)
    select $org, 'plan-' || n, 'Plan ' || n, now(), now() from generate_series(0, ${plans - 1}) n`)
  await run(`insert into plan_grant (organization_id, plan_key, feature_key, kind, "limit")
    select $org, 'plan-' || p, 'feature-' || f, 'limit', p * f from generate_series(0, ${plans - 1}) p, generate_series(0, ${features - 1}) f`)
  // The last subscribers have a word in common, which a search in the order of ids finds late.
  const fill = (table: string, sql: string) => withoutIndexes(client, table, () => run(sql))
  await fill(
    'subscriber',
    `insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
    select $org, 'customer-' || lpad(n::text, 7, '0'),
           case when n % 10 > 0 then (array['North','South','East','West','Old','New','Blue','Green','Red','Royal'])[n % 10 + 1]
                || ' ' || substr(md5(n::text), 1, 6) || case when n >= ${subscribers - subscribers / 50} then ' Zulu' else '' end
                || (array[' Ltd',' GmbH',' Inc.',' Company'])[n % 4 + 1] end, now(), now()
      from generate_series(0, ${subscribers - 1}) n`,
  )
  await fill(
    'subscription',
    `insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, status, created_at, canceled_at)
    select $org, ${idOf(ms('n', subscribers), 'n')}, 'customer-' || lpad(n::text, 7, '0'),
           'plan-' || case when n % 100 < 70 then 0 when n % 1000 = 999 then 5 else n % 5 end,
           (case when n % 10 = 9 and n % 1000 < 999 then 'canceled' else 'active' end)::subscription_status, now(),
           case when n % 10 = 9 and n % 1000 < 999 then now() end
      from generate_series(0, ${subscribers - 1}) n`,
  )
  // Every fifth subscriber has an override; half of these are for feature-0.
  await run(`insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", expires_at, expiry_marked, created_at, updated_at)
    select $org, 'customer-' || lpad((n * 5)::text, 7, '0'), 'feature-' || case when n % 2 = 0 then 0 else n % ${features} end,
           ${idOf(ms('n', subscribers), 'n')}, 'limit', n,
           case n % 4 when 0 then null when 1 then now() - n * interval '20 s' else now() + n * interval '20 s' end, n % 4 = 1, now(), now()
      from generate_series(0, ${subscribers / 5 - 1}) n`)
  await seedEvents(client, subscribers)
  await withoutIndexes(client, 'audit_event', () => seedAudit(run, entries))
  await client.query('vacuum analyze')
}

/** As many events as subscribers, over 90 days; one in a thousand failed. */
export async function seedEvents(client: Client, subscribers: number): Promise<void> {
  const sql = `insert into webhook_event (organization_id, event_id, type, body, occurred_at, state, attempts, due_at, finished_at, subscriber_id)
    select $org, ${idOf(ms('n', subscribers), 'n')}, case when n % 5000 = 1 then 'plan.grants.updated' else 'entitlements.stale' end, '{}',
           to_timestamp(${ms('n', subscribers)} / 1000.0),
           (case when n % 1000 = 7 then 'failed' else 'delivered' end)::webhook_event_state, 1, null, to_timestamp(${ms('n', subscribers)} / 1000.0),
           case when n % 5000 = 1 then null else 'customer-' || lpad((n % 50000)::text, 7, '0') end
      from generate_series(0, ${subscribers - 1}) n`
  await withoutIndexes(client, 'webhook_event', () => client.query(sql.replaceAll('$org', `'${organizationId}'`)))
}

/**
 * Of ten entries, four are for overrides, two for subscription changes, and the rest for created objects; a few are of the
 * team.
 */
async function seedAudit(run: (sql: string) => Promise<unknown>, entries: number): Promise<void> {
  const route = `(array['/org/subscribers/{subscriber_id}/overrides/{feature_key}', '/org/subscribers/{subscriber_id}/subscriptions/change',
    '/org/subscribers', '/org/subscribers/{subscriber_id}/subscriptions', '/org/plans/{key}', '/org/members/{member_id}', '/org/webhook'])[kind]`
  await run(`insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service, method, route, params, ip, outcome, rare_outcome, status, details, created_id)
    select $org, id, to_timestamp(at / 1000.0), 'req_' || id, '01MEMBER' || lpad((case when n % 20000 = 5 then 99 else n % 7 end)::text, 18, '0'), 'member_apikey',
           case when kind = 6 then 'identity' else 'api' end,
           (array['PUT', 'POST', 'POST', 'POST', 'PATCH', 'PATCH', 'PUT'])[kind], ${route},
           case kind when 1 then jsonb_build_object('subscriber_id', customer, 'feature_key', 'feature-' || n % ${features})
                     when 3 then '{}' when 5 then jsonb_build_object('key', 'plan-' || n % ${plans})
                     when 6 then jsonb_build_object('member_id', '01MEMBER' || lpad((n % 7)::text, 18, '0')) when 7 then '{}'
                     else jsonb_build_object('subscriber_id', customer) end,
           '203.0.113.7', (case when n % 20000 = 7 then 'no_response' when n % 200 = 3 then 'rejected' else 'responded' end)::audit_outcome,
           (case when n % 20000 = 7 then 'no_response' when n % 200 = 3 then 'rejected' end)::audit_outcome,
           case when n % 20000 = 7 then null when n % 100 = 3 then 409 else 200 end,
           case when n % 100 = 3 or n % 3 = 2 then null when kind = 2 then '{"plan_id":{"from":"plan-1","to":"plan-2"},"canceled_subscription_id":"' || id || '"}' else '{"limit":{"from":1,"to":2}}' end,
           case kind when 2 then ${idOf('at', 'n')} when 3 then customer when 4 then ${idOf('at', 'n')} end
      from (select n, at, ${idOf('at', 'n')} as id, 'customer-' || lpad((case when n % 100 = 0 then 0 else n::bigint * 7919 % ${Math.ceil(entries * 0.18)} end)::text, 7, '0') as customer,
                   case when n % 10000 = 1 then 6 when n % 20000 = 2 then 7 when n % 10 < 4 then 1 when n % 10 < 6 then 2 when n % 10 < 8 then 3
                        when n % 10 = 8 then 4 else 5 end as kind
              from (select n, ${ms('n', entries)} as at from generate_series(0, ${entries - 1}) n) moments) asked`)
  await run(`insert into audit_event_creation select organization_id, created_id, audit_event_id from audit_event
    where organization_id = $org and created_id is not null on conflict do nothing`)
}
