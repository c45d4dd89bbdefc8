import { toSnakeCase } from '../../src/core/names.ts'
import { featureFields } from '../../src/modules/features/feature.ts'
import { overrideFields } from '../../src/modules/overrides/override.ts'
import { planFields } from '../../src/modules/plans/plan.ts'
import { serviceAccountFields } from '../../src/modules/service-accounts/service-account.ts'
import { subscriberFields } from '../../src/modules/subscribers/subscriber.ts'
import { subscribeFields } from '../../src/modules/subscriptions/subscription.ts'

/** The kinds of stored data that `npm run org:usage` lists. */
const storedKinds = ['audit', 'events', 'subscribers', 'overrides', 'catalog', 'other'] as const

export type StoredKind = (typeof storedKinds)[number]

/** How the bytes of a table's rows are counted, in the order of an index that begins with the organization. */
export type CountedTable = {
  kind: StoredKind
  table: string
  /** SQL: the order of the rows, an id as text that sorts in this order, and the condition for rows after an id. */
  order: string
  id: string
  after: string
  /** The approximate size of a row on disk with its index entries, without the texts below; measured in docs/scaling.md. */
  rowBytes: number
  /** Columns of any length, with the number of times that each is stored, in the row and in indexes. */
  texts: Readonly<Record<string, number>>
  /** SQL: the bytes that belong to a row but are in another table. */
  bytesElsewhere?: string
}

type CountedTableFields = Omit<CountedTable, 'id' | 'order' | 'after'>

function tableById(id: string, fields: CountedTableFields): CountedTable {
  return { ...fields, id, order: id, after: `${id} > requested.after` }
}

/** A table with two identifying columns. Joins them with a space, which sorts before every character of ids and keys. */
function tableByTwoColumns(first: string, second: string, fields: CountedTableFields): CountedTable {
  const after = `(${first}, ${second}) > (split_part(requested.after, ' ', 1), split_part(requested.after, ' ', 2))`
  return { ...fields, id: `${first} || ' ' || ${second}`, order: `${first}, ${second}`, after }
}

/** A table whose rows are identified by two columns and a time. */
function tableByColumnsAndTime(first: string, second: string, time: string, fields: CountedTableFields): CountedTable {
  const order = `${first}, ${second}, ${time}`
  const [one, two, three] = [1, 2, 3].map((part) => `split_part(requested.after, ' ', ${part})`)
  const after = `(${order}) > (${one}, ${two}, to_timestamp(coalesce(nullif(${three}, ''), '0')::float8 / 1000))`
  const ms = `lpad((extract(epoch from ${time}) * 1000)::bigint::text, 16, '0')`
  return { ...fields, id: `${first} || ' ' || ${second} || ' ' || ${ms}`, order, after }
}

/** The columns that callers write, each stored once. Leaves out times, whose size is part of `rowBytes`. */
function columnsStoredOnce({ toNewRow }: { toNewRow(input: object): object }): Record<string, number> {
  const columns = Object.keys(toNewRow({})).map(toSnakeCase)
  return Object.fromEntries(columns.filter((name) => !name.endsWith('_at')).map((name) => [name, 1]))
}

/** SQL: the bytes of an event's attempts. */
const attemptBytes = `coalesce((
  select sum(350 + coalesce(pg_column_size(error), 0) + coalesce(pg_column_size(answer), 0) + coalesce(pg_column_size(headers), 0))
    from webhook_attempt attempt
   where attempt.organization_id = requested.organization_id and attempt.event_id = webhook_event.event_id), 0)`

/** Entries are only added, so each is counted once, together with its rows in `audit_event_creation` and `audit_link`. */
export const auditEntryTable = tableById('audit_event_id', {
  kind: 'audit',
  table: 'audit_event',
  rowBytes: 1350,
  texts: { params: 2, user_agent: 1, details: 1, created_id: 5 },
})

/** All other tables: their rows are counted again each time. */
export const countedTables: readonly CountedTable[] = [
  tableById('event_id', {
    kind: 'events',
    table: 'webhook_event',
    rowBytes: 600,
    texts: { body: 1, subscriber_id: 2 },
    bytesElsewhere: attemptBytes,
  }),
  {
    kind: 'events',
    table: 'change',
    order: 'transaction_id, change_id',
    id: `lpad(transaction_id::text, 19, '0') || ' ' || change_id`,
    after: `(transaction_id, change_id) >
      (coalesce(nullif(split_part(requested.after, ' ', 1), ''), '0')::bigint, split_part(requested.after, ' ', 2))`,
    rowBytes: 220,
    texts: { body: 1 },
  },
  tableById('subscriber_id', {
    kind: 'subscribers',
    table: 'subscriber',
    rowBytes: 230,
    texts: { ...columnsStoredOnce(subscriberFields), subscriber_id: 3, name: 5 },
  }),
  tableById('subscription_id', {
    kind: 'subscribers',
    table: 'subscription',
    rowBytes: 390,
    texts: { ...columnsStoredOnce(subscribeFields), subscriber_id: 4, plan_key: 3 },
  }),
  tableById('override_id', {
    kind: 'overrides',
    table: 'override',
    rowBytes: 820,
    texts: { ...columnsStoredOnce(overrideFields), subscriber_id: 6, feature_key: 5, value: 1 },
  }),
  tableByColumnsAndTime('subscriber_id', 'feature_key', 'valid_to', {
    kind: 'overrides',
    table: 'override_version',
    rowBytes: 410,
    texts: { ...columnsStoredOnce(overrideFields), subscriber_id: 4, feature_key: 4, value: 1 },
  }),
  tableById('feature_key', {
    kind: 'catalog',
    table: 'feature',
    rowBytes: 160,
    texts: { ...columnsStoredOnce(featureFields), feature_key: 3, options: 1 },
  }),
  tableById('plan_key', {
    kind: 'catalog',
    table: 'plan',
    rowBytes: 130,
    texts: { ...columnsStoredOnce(planFields), plan_key: 3 },
  }),
  tableByTwoColumns('plan_key', 'feature_key', {
    kind: 'catalog',
    table: 'plan_grant',
    rowBytes: 160,
    texts: { plan_key: 3, feature_key: 3, value: 1 },
  }),
  tableByColumnsAndTime('plan_key', 'feature_key', 'valid_from', {
    kind: 'catalog',
    table: 'plan_grant_version',
    rowBytes: 330,
    texts: { plan_key: 5, feature_key: 5, value: 1, note: 1, end_note: 1 },
  }),
  tableById('feature_key', { kind: 'catalog', table: 'former_feature', rowBytes: 170, texts: { feature_key: 2 } }),
  tableById('member_id', { kind: 'other', table: 'member', rowBytes: 390, texts: { display_name: 1 } }),
  tableById('member_id', { kind: 'other', table: 'former_member', rowBytes: 160, texts: { display_name: 1 } }),
  tableById('service_account_id', {
    kind: 'other',
    table: 'service_account',
    rowBytes: 280,
    texts: columnsStoredOnce(serviceAccountFields),
  }),
  tableById('key_id', { kind: 'other', table: 'api_key', rowBytes: 530, texts: { name: 1 } }),
  tableById('invite_id', { kind: 'other', table: 'invite', rowBytes: 440, texts: { email: 1 } }),
  tableByTwoColumns('member_id', 'idempotency_key', {
    kind: 'other',
    table: 'kept_answer',
    rowBytes: 330,
    texts: { idempotency_key: 2, body: 1, result: 1 },
  }),
  tableByColumnsAndTime('feature_key', 'feature_key', 'date', {
    kind: 'other',
    table: 'feature_usage_day',
    rowBytes: 180,
    texts: { feature_key: 2, denied_to: 1 },
  }),
  tableById('console_session_id', { kind: 'other', table: 'console_session', rowBytes: 550, texts: {} }),
]

/** The bytes of the few rows that every organization has: itself, its counter, webhook, delivery queue and notices. */
export const organizationBytes = 2048

/** SQL: the bytes of a row, without the parts that are in another table. */
export function bytesOf({ rowBytes, texts }: CountedTable): string {
  const each = Object.entries(texts).map(([name, times]) => ` + ${times} * coalesce(pg_column_size(${name}), 0)`)
  return `${rowBytes}${each.join('')}`
}

/**
 * SQL: reads at most $3 rows of each organization in $1, after the ids in $2. Returns the number of rows, their bytes and the
 * last id of each organization.
 */
export function countStatement(source: CountedTable, until = ''): string {
  const bytes = `${bytesOf(source)}${source.bytesElsewhere ? ` + ${source.bytesElsewhere}` : ''}`
  return `
    select requested.organization_id, requested.after, part.*
      from unnest($1::text[], $2::text[]) as requested (organization_id, after)
     cross join lateral (
       select count(*)::int as rows, coalesce(sum(bytes), 0)::bigint as bytes, max(id) as last
         from (select ${source.id} as id, ${bytes} as bytes
                 from ${source.table}
                where ${source.table}.organization_id = requested.organization_id and ${source.after}${until}
                order by ${source.order} limit $3) counted) part`
}
