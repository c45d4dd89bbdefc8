import type pg from 'pg'
import type { Subject } from './subject.ts'
import type { Write } from './write.ts'

/** Entries of the audit log; `count`: the number of entries of one write. */
export type Entry = { outcome: string; status: number | null; count: number }

/** The rows of the organizations under load. */
export type StoredData = {
  /** Keyed by the User-Agent of their write. */
  entries: Map<string, Entry>
  /** Whether the object that the write creates exists. */
  has(write: Write): boolean
  valueOf(organizationId: string, subject: Subject): number
}

export async function readStoredData(pool: pg.Pool, organizationIds: readonly string[]): Promise<StoredData> {
  const read = async (sql: string) => (await pool.query(sql, [organizationIds])).rows
  const rows = await read(
    `select user_agent, min(outcome::text) as outcome, min(status) as status, count(*)::int
       from audit_event where organization_id = any ($1) and user_agent like 'ledger-%' group by user_agent`,
  )
  const things = await read(
    `select organization_id || ' subscriber ' || subscriber_id as name from subscriber where organization_id = any ($1)
      union all
     select organization_id || ' subscription ' || subscriber_id from subscription where organization_id = any ($1)
      union all
     select organization_id || ' service account ' || name from service_account where organization_id = any ($1)`,
  )
  const values = await read(
    `select organization_id || ' override ' || subscriber_id as name, "limit"
       from "override" where organization_id = any ($1)
      union all
     select organization_id || ' plan ' || plan_key, "limit" from plan_grant where organization_id = any ($1)`,
  )
  const names = new Set(things.map(({ name }) => name))
  const limits = new Map(values.map(({ name, limit }) => [name, Number(limit)]))
  return {
    entries: new Map(rows.map(({ user_agent, ...entry }) => [user_agent, entry])),
    has: ({ organizationId, what }) => names.has(`${organizationId} ${what.kind} ${what.key}`),
    valueOf: (organizationId, { kind, key }) => limits.get(`${organizationId} ${kind} ${key}`) ?? -1,
  }
}
