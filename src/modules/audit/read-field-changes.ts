import { decodeTime } from 'ulidx'
import { firstIdAt } from '../../core/ids.ts'
import { isPlainObject } from '../../core/json.ts'
import { Prisma } from '../../database/generated/client.ts'
import { computedColumns, query, type Sql } from '../../database/sql.ts'
import { maxIdSkewMs } from '../../recording/entry.ts'
import { toParamCondition } from './param-condition.ts'

/** Reads a recorded change of a field; null if the values were too large, or if there is no such change. */
export function toChange(recorded: unknown): { from: unknown; to: unknown } | null {
  if (!isPlainObject(recorded) || !Object.hasOwn(recorded, 'from') || !Object.hasOwn(recorded, 'to')) return null
  return { from: recorded.from, to: recorded.to }
}

/** The recorded changes of an entry to the fields of a feature or plan, with the note of the request. */
type FieldsChange = { id: string; at: Date; memberId: string; details: Record<string, unknown> }

/**
 * The maximum time between the time in an entry's id and its change: the skew of ids plus a minute, which is longer than any
 * write.
 */
const maxChangeDelayMs = maxIdSkewMs + 60_000

const routes = {
  feature: Prisma.sql`route = '/org/features/{key}' and method = 'PATCH'`,
  plan: Prisma.sql`
    (route = '/org/plans/{key}' and method = 'PATCH' or route in ('/org/plans/{key}/archive', '/org/plans/{key}/unarchive'))`,
}

/** SQL: the changed fields except grants, which have versions; null if there are none. */
const ownFields = Prisma.sql`
  (select case when count(*) filter (where key <> 'note') > 0 then json_object_agg(key, value) end::text
     from json_each(details::json) where key <> 'grants')`

const changeColumns = computedColumns({
  id: ['text', Prisma.sql`audit_event_id`],
  at: ['timestamptz', Prisma.sql`date_trunc('milliseconds', coalesce(changed_at, occurred_at))`],
  memberId: ['text', Prisma.sql`member_id`],
  details: ['text', Prisma.sql`own_details`],
})

/**
 * Loads the newest changes in a period, newest first, and at least `limit` if there are that many. The order of ids is nearly
 * the order of changes, so this reads entries by id until no older id can have a later change.
 */
export async function loadFieldChanges(
  readRows: Sql['query'],
  { organizationId, kind, key }: { organizationId: string; kind: keyof typeof routes; key: string },
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<FieldsChange[]> {
  let before = firstIdAt(until.getTime() + 2 * maxIdSkewMs)
  const changes: FieldsChange[] = []
  for (let size = limit + 50; ; size *= 2) {
    const rows = await readRows(query`
      select ${changeColumns} from (
        select *, ${ownFields} as own_details from audit_event
         where organization_id = ${organizationId} and ${toParamCondition('key', key)} and ${routes[kind]}
           and audit_event_id < ${before} and audit_event_id >= ${firstIdAt(since.getTime() - maxChangeDelayMs)}
           and status between 200 and 299 and details is not null) as entry
       where own_details is not null
       order by audit_event_id desc limit ${size}`)
    changes.push(
      ...rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as FieldsChange['details'] })),
    )
    before = rows.at(-1)?.id ?? before
    const completeAfter = rows.length < size ? since.getTime() - 1 : decodeTime(before) + maxChangeDelayMs
    const complete = changes.filter(({ at }) => at.getTime() > completeAfter && at >= since && at <= until)
    if (rows.length < size || complete.length >= limit)
      return complete.sort((one, other) => other.at.getTime() - one.at.getTime())
  }
}
