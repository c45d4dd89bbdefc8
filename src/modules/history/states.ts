import { Prisma } from '../../database/generated/client.ts'
import { rowsOf } from '../../database/rows.ts'
import { combineColumns, computedColumns, nullableColumns, type Query, query } from '../../database/sql.ts'
import { grantAt, overrideAt } from '../past/versions.ts'
import type { Boundary, PastScope } from './boundaries.ts'

const stateColumns = combineColumns(
  computedColumns({ ordinal: ['float8', Prisma.sql`ordinal`], bytes: ['float8', Prisma.sql`bytes`] }),
  nullableColumns(
    computedColumns({
      overrideId: ['text', Prisma.sql`override_id`],
      overrideKind: ['feature_kind', Prisma.sql`override_kind`],
      allowed: ['boolean', Prisma.sql`allowed`],
      overrideLimit: ['bigint', Prisma.sql`override_limit`],
      overrideValue: ['text', Prisma.sql`override_value`],
      startsAt: ['timestamptz', Prisma.sql`starts_at`],
      expiresAt: ['timestamptz', Prisma.sql`expires_at`],
      overrideNote: ['text', Prisma.sql`override_note`],
      overrideSetBy: ['text', Prisma.sql`override_set_by`],
      overrideEndedBy: ['text', Prisma.sql`override_ended_by`],
      overrideSince: ['timestamptz', Prisma.sql`override_since`],
      grantKind: ['feature_kind', Prisma.sql`grant_kind`],
      grantLimit: ['bigint', Prisma.sql`grant_limit`],
      grantValue: ['text', Prisma.sql`grant_value`],
      grantNote: ['text', Prisma.sql`grant_note`],
      grantSetBy: ['text', Prisma.sql`grant_set_by`],
      grantEndNote: ['text', Prisma.sql`end_note`],
      grantEndedBy: ['text', Prisma.sql`grant_ended_by`],
      grantSince: ['timestamptz', Prisma.sql`grant_since`],
    }),
  ),
)

/** The grant and override that determined the entitlement to a feature at a time. */
export type State = typeof stateColumns extends Query<infer Row> ? Omit<Row, 'index' | 'bytes'> : never

/** The maximum bytes of values in a read. The values of the first boundary are read whatever their size. */
const maxBytes = 8 * 1024 * 1024

/** Loads the states just before and at each boundary, for as many of the first boundaries as `maxBytes` allows. */
export async function loadStates(
  { readRows, subscriber: { organizationId, id: subscriberId } }: PastScope,
  boundaries: readonly Boundary[],
): Promise<{ states: [before: State, after: State][]; bytes: number }> {
  const requested = boundaries.flatMap(({ feature, ms, before, after }) => [
    { feature, at: new Date(ms - 1), plan: before?.planKey ?? null },
    { feature, at: new Date(ms), plan: after?.planKey ?? null },
  ])
  const [feature, at] = [Prisma.sql`requested.feature`, Prisma.sql`requested.at`]
  const rows = await readRows(query`
    select ${stateColumns} from (
      select requested.ordinal, o.override_id, o.kind as override_kind, o.allowed, o."limit" as override_limit,
             o.value as override_value, o.starts_at, o.expires_at, o.note as override_note, o.set_by as override_set_by, o.ended_by as override_ended_by,
             o.updated_at as override_since, g.kind as grant_kind, g."limit" as grant_limit, g.value as grant_value,
             g.note as grant_note, g.set_by as grant_set_by, g.end_note, g.ended_by as grant_ended_by, g.valid_from as grant_since,
             sum(coalesce(octet_length(o.value), 0) + coalesce(octet_length(g.value), 0))
               over (order by requested.ordinal) as bytes
        from ${rowsOf('requested', {
          feature: ['text', requested.map((each) => each.feature)],
          at: ['timestamptz', requested.map((each) => each.at)],
          plan: ['text', requested.map(({ plan }) => plan)],
        })}
        left join lateral (${overrideAt({ organizationId, subscriberId }, feature, at)}) as o on true
        left join lateral (${grantAt(organizationId, Prisma.sql`requested.plan`, feature, at)}) as g on true) as states
     where bytes <= ${maxBytes} or ordinal <= 2
     order by ordinal`)
  const states: [State, State][] = []
  for (let index = 0; index + 1 < rows.length; index += 2) states.push([rows[index] as State, rows[index + 1] as State])
  return { states, bytes: rows[2 * states.length - 1]?.bytes ?? 0 }
}
