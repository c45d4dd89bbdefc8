import { currentTime } from '../core/clock.ts'
import { Prisma } from '../database/generated/client.ts'
import { rowsOf } from '../database/rows.ts'
import { toRecordedDetails } from './details.ts'
import type { RecordedRequest } from './entry.ts'

/** A line of a bulk write that changed something. */
export type ChangedLine = {
  /** The id of its entry. */
  id: string
  /** The values that identify the line's object in a path. */
  params: Record<string, string>
  details: Record<string, unknown> | null
  createdId: string | null
}

/**
 * Adds an entry for each line, in the transaction that applies it. The entries have the transaction's time, because the time in
 * an entry's id must be close to the entry's time, and a request may take hours. Only the request's entry, to which these
 * entries refer, has the client's address and user agent, so that a line of 20 bytes does not store hundreds of bytes more.
 */
export function changedLinesStatement(
  { operation, actor, origin }: RecordedRequest,
  requestEventId: string,
  status: number,
  lines: readonly ChangedLine[],
): Prisma.Sql {
  if ('userId' in actor) throw new Error('Only members can send bulk writes.')
  const { organizationId, memberId, authType, keyPrefix } = actor
  const now = currentTime()
  const rows = rowsOf('line', {
    id: ['text', lines.map(({ id }) => id)],
    params: ['jsonb', lines.map(({ params }) => JSON.stringify(params))],
    created_id: ['text', lines.map(({ createdId }) => createdId)],
    details: ['text', lines.map(({ details }) => toRecordedDetails(details))],
  })
  return Prisma.sql`
    with line as materialized (
      select * from ${rows}),
    creation as (
      insert into audit_event_creation (organization_id, created_id, audit_event_id)
      select ${organizationId}, created_id, id from line where created_id is not null),
    unchained as (
      insert into audit_event_unchained (organization_id, audit_event_id)
      select ${organizationId}, id from line)
    insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, key_prefix,
                             service, method, route, params, request_event_id, outcome, status, created_id, details,
                             changed_at)
    select ${organizationId}, line.id, ${now}, ${origin.requestId}, ${memberId}, ${authType}, ${keyPrefix},
           ${operation.service}, ${operation.method}, ${operation.route}, line.params, ${requestEventId},
           'responded', ${status}, line.created_id, line.details, clock_timestamp()
      from line`
}
