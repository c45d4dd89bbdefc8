import type { Pool } from 'pg'

/** The ids of entries that are wrongly in the log's list tables, or missing from them, in one or all organizations. */
export async function findUnlistedEntries(pool: Pool, organizationId: string | null = null): Promise<string[]> {
  const { rows } = await pool.query(
    `
    select coalesce(e.audit_event_id, u.audit_event_id, c.audit_event_id) as id
      from audit_event e
      full join audit_event_unchained u using (organization_id, audit_event_id)
      full join audit_event_creation c using (organization_id, audit_event_id)
     where organization_id = coalesce($1, organization_id)
       and (e.outcome is null
            or u.audit_event_id is null
               and not exists (select from audit_link l where l.organization_id = e.organization_id
                                  and l.audit_event_id = e.audit_event_id and not l.is_pending)
            or e.created_id is distinct from c.created_id)`,
    [organizationId],
  )
  return rows.map(({ id }) => id)
}
