import { inject } from 'vitest'
import type { Database } from '../../src/database/client.ts'

/** Tables that any request may change: its log entry, when its caller was last seen, counts, and a worker's lease. */
const traces = [
  'audit_event',
  'audit_event_creation',
  'audit_event_unchained',
  'audit_chain',
  'audit_link',
  'member_last_seen',
  'eval_counter',
  'eval_usage_day',
  'feature_usage_day',
  'limit_notice',
  'stored_bytes',
  'webhook_lane',
]

/** Every row of the organization in all other tables, to check that nothing changed. */
export async function stateOf({ pool }: Database, organizationId: string): Promise<Record<string, string[]>> {
  const tables = inject('tablesWithOrganization').filter((each) => !traces.includes(each))
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, (to_jsonb(t) - 'last_used_at')::text as row from "${table}" t where organization_id = $1`,
  )
  // A named statement, because planning it takes longer than executing it.
  const text = `${parts.join(' union all ')} order by 1, 2`
  const { rows } = await pool.query<{ name: string; row: string }>({ name: 'state', text, values: [organizationId] })
  const state: Record<string, string[]> = Object.fromEntries(tables.map((table) => [table, []]))
  for (const { name, row } of rows) state[name]?.push(row)
  return state
}

type Entry = { method: string; route: string; outcome: string; status: number | null }

/** The organization's audit log, oldest first. */
export async function auditOf({ pool }: Database, organizationId: string): Promise<Entry[]> {
  const { rows } = await pool.query(
    `select method, route, outcome::text, status from audit_event where organization_id = $1 order by audit_event_id`,
    [organizationId],
  )
  return rows
}
