import type { Database } from '../../src/database/client.ts'

const tables = [
  'feature',
  'plan',
  'plan_grant',
  'subscriber',
  'subscription',
  'override',
  'webhook_endpoint',
  'webhook_event',
]

/** Every row of the organization's catalog, subscribers and webhook, to check that nothing changed. */
export async function stateOf({ pool }: Database, organizationId: string): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await pool.query(
      `select t::text as row from "${table}" t where organization_id = $1 order by t::text`,
      [organizationId],
    )
    state[table] = rows.map(({ row }) => row)
  }
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
