import { firstIdAt } from '../../core/ids.ts'
import { type Page, toPage } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { maxIdSkewMs } from '../../recording/entry.ts'
import { type AuditEvent, indexedParams } from './audit-event.ts'
import type { AuditFilter } from './audit-filter.ts'

/** Whose log: an organization's, or a person's own. */
export type LogOwner = { organizationId: string } | { userId: string }

/** A page of the log, newest first by id. */
export async function loadAuditEvents(db: Queries, owner: LogOwner, filter: AuditFilter): Promise<Page<AuditEvent>> {
  const rows = await db.$queryRaw<AuditEvent[]>(auditEventsQuery(owner, filter))
  return toPage(rows, filter.limit)
}

/** Reads limit + 1 rows; the extra row means there is a next page. The bench explains exactly this statement. */
export function auditEventsQuery(owner: LogOwner, filter: AuditFilter): Prisma.Sql {
  const log = 'userId' in owner ? userLog(owner.userId) : organizationLog(owner.organizationId)
  const conditions = [log.condition, ...toConditions(filter)]
  return Prisma.sql`
    select audit_event_id as id, occurred_at as "occurredAt", request_id as "requestId",
           organization_id as "organizationId", member_id as "memberId", ${log.columns},
           service, method, route, params, ip, user_agent as "userAgent", outcome, status, created_id as "createdId"
      from ${log.table}
     where ${Prisma.join(conditions, ' and ')}
     order by audit_event_id desc
     limit ${filter.limit + 1}`
}

function organizationLog(organizationId: string) {
  return {
    table: Prisma.raw('audit_event'),
    columns: Prisma.raw('null as "userId", auth_type as "authType", key_prefix as "keyPrefix", details'),
    condition: Prisma.sql`organization_id = ${organizationId}`,
  }
}

/** Every entry in it came with a personal sign-in, and has no details. */
function userLog(userId: string) {
  return {
    table: Prisma.raw('user_audit_event'),
    columns: Prisma.raw(`user_id as "userId", 'jwt' as "authType", null as "keyPrefix", null as details`),
    condition: Prisma.sql`user_id = ${userId}`,
  }
}

function toConditions(filter: AuditFilter): Prisma.Sql[] {
  const { starting_after, actor_member_id, outcome, method, route, params, service, request_id, created_id } = filter
  const conditions: Prisma.Sql[] = []
  if (starting_after !== undefined) conditions.push(Prisma.sql`audit_event_id < ${starting_after}`)
  if (actor_member_id !== undefined) conditions.push(Prisma.sql`member_id = ${actor_member_id}`)
  // Literals from a known set, not parameters: so the planner recognizes the partial indexes of the rare values.
  if (outcome !== undefined) conditions.push(Prisma.raw(`outcome = '${outcome}'`))
  if (service !== undefined) conditions.push(Prisma.raw(`service = '${service}'`))
  if (method !== undefined) conditions.push(Prisma.sql`method = ${method}`)
  if (route !== undefined) conditions.push(Prisma.sql`route = ${route}`)
  if (request_id !== undefined) conditions.push(Prisma.sql`request_id = ${request_id}`)
  if (created_id !== undefined) conditions.push(Prisma.sql`created_id = ${created_id}`)
  for (const [name, value] of Object.entries(params ?? {})) conditions.push(toParamCondition(name, value))
  conditions.push(...toTimeConditions(filter))
  return conditions
}

/** The index has the first 255 characters. A name that no route has has no entries. */
function toParamCondition(name: string, value: string): Prisma.Sql {
  const known = indexedParams.find((indexed) => indexed === name)
  if (known === undefined) return Prisma.raw('false')
  const column = Prisma.raw(`params ->> '${known}'`)
  return Prisma.sql`(left(${column}, 255) = left(${value}, 255) and ${column} = ${value})`
}

/** A range of time is also a range of ids, except for the skew: so the scan begins and ends in the right place. */
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
