import { firstIdAt } from '../../core/ids.ts'
import { type Page, toPage } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { loopSlices } from '../../fairness/loop-slices.ts'
import { maxIdSkewMs } from '../../recording/entry.ts'
import { type AuditEvent, indexedParams, personalLogParams } from './audit-event.ts'
import type { AuditFilter } from './audit-filter.ts'
import { toObjectConditions } from './audit-object.ts'
import { hasCreated } from './has-created.ts'
import { toParamCondition } from './param-condition.ts'

/** The owner of a log: an organization or a person. */
type LogOwner = { organizationId: string } | { userId: string }

/** A statement stops after the entry with which its details exceed this many bytes; the next statement continues the page. */
const maxReadBytes = 4 * 1024 * 1024
/** A page with more bytes of details ends early. */
const maxPageBytes = 16 * 1024 * 1024

type ReadEvent = AuditEvent & { found: number; bytesBefore: number }

/** Loads a page of the log, newest first by id. */
export async function loadAuditEvents(db: Queries, owner: LogOwner, filter: AuditFilter): Promise<Page<AuditEvent>> {
  const items: AuditEvent[] = []
  for (let bytes = 0; ; ) {
    const starting_after = items.at(-1)?.id ?? filter.starting_after
    const limit = filter.limit - items.length
    const rows = await db.$queryRaw<ReadEvent[]>(auditEventsQuery(owner, { ...filter, limit, starting_after }))
    items.push(...rows.map(({ found: _found, bytesBefore: _bytes, ...event }) => event))
    const isComplete = rows.length === (rows[0]?.found ?? 0)
    if (isComplete) return toPage(items, filter.limit)
    bytes += (rows.at(-1)?.bytesBefore ?? 0) + (rows.at(-1)?.details?.length ?? 0)
    if (bytes >= maxPageBytes || items.length >= filter.limit)
      return { items: items.slice(0, filter.limit), hasMore: true }
    await loopSlices.next('userId' in owner ? owner.userId : owner.organizationId)
  }
}

/** Finds an entry of an organization's log. */
export async function findAuditEvent(db: Queries, organizationId: string, id: string): Promise<AuditEvent | null> {
  const log = organizationLog(organizationId)
  const entry = Prisma.sql`select * from ${log.table} where ${log.condition} and audit_event_id = ${id}`
  const [event] = await db.$queryRaw<AuditEvent[]>(toEvents(log, entry))
  return event ?? null
}

/** Reads limit + 1 rows; the extra row means there is a next page. The benchmark runs EXPLAIN on exactly this statement. */
export function auditEventsQuery(owner: LogOwner, filter: AuditFilter): Prisma.Sql {
  const log = 'userId' in owner ? userLog(owner.userId) : organizationLog(owner.organizationId)
  const conditions =
    filter.object_type === undefined ? toConditions(log, filter) : [log.condition, objectCondition(log, filter)]
  const page = Prisma.sql`
    select *, count(*) over () as found,
           sum(coalesce(octet_length(details), 0)) over (order by audit_event_id desc rows unbounded preceding)
             - coalesce(octet_length(details), 0) as bytes_before
      from (select * from ${log.table}
             where ${Prisma.join(conditions, ' and ')}
             order by audit_event_id desc
             limit ${filter.limit + 1}) as page`
  return toEvents(
    {
      ...log,
      columns: Prisma.sql`${log.columns}, found::float8 as found, bytes_before::float8 as "bytesBefore"`,
    },
    Prisma.sql`select * from (${page}) as weighed where bytes_before <= ${maxReadBytes}`,
  )
}

/**
 * SQL: the condition for an object's entries. Reads a page for each condition, in the order of ids, so that a page of a hundred
 * thousand entries is read as fast as a page of ten.
 */
function objectCondition(log: Log, filter: AuditFilter): Prisma.Sql {
  const { object_type: type = 'webhook', object_id: id = '', with_parts: withParts = false, limit } = filter
  const conditions = [...toConditions(log, filter), ...(withParts ? [] : [log.hasChanged])]
  const selects = toObjectConditions({ type, id, withParts }, log).map(
    (condition) => Prisma.sql`
      (select audit_event_id from ${log.table} where ${Prisma.join([...conditions, condition], ' and ')}
        order by audit_event_id desc limit ${limit + 1})`,
  )
  return Prisma.sql`audit_event_id = any(array(${Prisma.join(selects, ' union ')}))`
}

type Log = ReturnType<typeof organizationLog>
type Outcome = NonNullable<AuditFilter['outcome']>

/**
 * SQL: these entries as `AuditEvent` rows, newest first. An entry of an import's line gets the sender's address and User-Agent
 * from the entry of the import, unless that entry has already passed its retention time.
 */
function toEvents({ columns, sender }: Pick<Log, 'columns' | 'sender'>, entries: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select audit_event_id as id, occurred_at as "occurredAt", entry.request_id as "requestId",
           organization_id as "organizationId", member_id as "memberId", ${columns},
           service, method, route, params, coalesce(entry.ip, sender.ip, 'unknown') as ip,
           coalesce(entry.user_agent, sender.user_agent) as "userAgent", outcome, status, created_id as "createdId"
      from (${entries}) as entry
      left join (${sender}) as sender on sender.id = entry.request_event_id
     order by audit_event_id desc`
}

function organizationLog(organizationId: string) {
  return {
    organizationId,
    table: Prisma.raw('audit_event'),
    columns: Prisma.raw('null as "userId", auth_type as "authType", key_prefix as "keyPrefix", details'),
    condition: Prisma.sql`organization_id = ${organizationId}`,
    sender: Prisma.sql`
      select audit_event_id as id, ip, user_agent from audit_event where organization_id = ${organizationId}`,
    params: indexedParams as readonly string[],
    hasCreated: (id: string) => hasCreated(organizationId, id),
    hasOutcome: (outcome: Outcome) => hasOutcome(organizationId, outcome),
    // Deletes and personal actions have no details. A sign-in to an organization, or a sign-out, changes nothing.
    hasChanged: Prisma.raw(
      `(status between 200 and 299 and (details is not null or created_id is not null or method = 'DELETE'))`,
    ),
  }
}

/** A personal log: all its entries are from personal sign-ins, and have no details. */
function userLog(userId: string) {
  return {
    // Needed only to find subscriptions, which personal logs do not contain.
    organizationId: '',
    table: Prisma.raw('(select *, null::text as details, null as request_event_id from user_audit_event) log'),
    columns: Prisma.raw(`user_id as "userId", 'jwt' as "authType", null as "keyPrefix", details`),
    condition: Prisma.sql`user_id = ${userId}`,
    sender: Prisma.sql`select null as id, null as ip, null as user_agent`,
    params: [...indexedParams, ...personalLogParams],
    hasCreated: (id: string) => Prisma.sql`created_id = ${id}`,
    hasOutcome: (outcome: Outcome) => Prisma.raw(`outcome = '${outcome}'`),
    hasChanged: Prisma.raw('(status between 200 and 299)'),
  }
}

/**
 * No index of the log contains `outcome`, because setting the outcome would then update a row in all indexes. Rare outcomes
 * have their own column with a partial index, which PostgreSQL uses for literals but not for parameters. Pending entries are
 * listed in a table.
 */
function hasOutcome(organizationId: string, outcome: Outcome): Prisma.Sql {
  if (outcome === 'responded') return Prisma.sql`outcome = 'responded'`
  if (outcome !== 'pending') return Prisma.raw(`rare_outcome = '${outcome}'`)
  // The table also lists entries with an outcome that are not in the chain yet.
  return Prisma.sql`
    (outcome = 'pending' and audit_event_id = any(array(
      select audit_event_id from audit_event_unchained where organization_id = ${organizationId})))`
}

/** All conditions except those of the object. */
function toConditions({ condition, hasChanged, ...log }: Log, filter: AuditFilter): Prisma.Sql[] {
  const { starting_after, actor_member_id, outcome, method, route, params, service, request_id, created_id } = filter
  const { changed, lines } = filter
  const conditions = [condition]
  if (starting_after !== undefined) conditions.push(Prisma.sql`audit_event_id < ${starting_after}`)
  if (actor_member_id !== undefined) conditions.push(Prisma.sql`member_id = ${actor_member_id}`)
  if (outcome !== undefined) conditions.push(log.hasOutcome(outcome))
  // A literal from a fixed set, not a parameter, so that the planner can use the partial index of the rare service.
  if (service !== undefined) conditions.push(Prisma.raw(`service = '${service}'`))
  if (method !== undefined) conditions.push(Prisma.sql`method = ${method}`)
  if (route !== undefined) conditions.push(Prisma.sql`route = ${route}`)
  if (request_id !== undefined) conditions.push(Prisma.sql`request_id = ${request_id}`)
  if (created_id !== undefined) conditions.push(log.hasCreated(created_id))
  if (changed !== undefined) conditions.push(changed ? hasChanged : Prisma.sql`not coalesce(${hasChanged}, false)`)
  if (lines !== undefined)
    conditions.push(lines ? Prisma.sql`request_event_id is not null` : Prisma.sql`request_event_id is null`)
  for (const [name, value] of Object.entries(params ?? {})) conditions.push(toParamCondition(name, value, log.params))
  conditions.push(...toTimeConditions(filter))
  return conditions
}

/** A time range is also a range of ids, extended by the skew of clocks, so that the scan reads only this range. */
function toTimeConditions({ occurred_after, occurred_before }: AuditFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = []
  if (occurred_after) {
    conditions.push(Prisma.sql`occurred_at >= ${occurred_after.toISOString()}::timestamptz`)
    conditions.push(Prisma.sql`audit_event_id >= ${firstIdAt(occurred_after.getTime() - maxIdSkewMs)}`)
  }
  if (occurred_before) {
    conditions.push(Prisma.sql`occurred_at < ${occurred_before.toISOString()}::timestamptz`)
    conditions.push(Prisma.sql`audit_event_id < ${firstIdAt(occurred_before.getTime() + maxIdSkewMs)}`)
  }
  return conditions
}
