import { within } from '../core/within.ts'
import type { Database } from '../database/client.ts'
import type { AuditEntry } from './entry.ts'

const retryMs = 100

/**
 * Whether the write of this entry committed, when no reply to its COMMIT came. Locks the entry for that, so it waits
 * until a transaction that still holds the entry has ended either way. Repeated until the deadline, on the clock of
 * `performance.now()`; throws when the database did not answer by then.
 */
export async function readBack(database: Database, entry: AuditEntry, deadline: number): Promise<boolean> {
  while (true) {
    try {
      return await within(deadline, hasCommitted(database, entry))
    } catch (error) {
      if (performance.now() + retryMs >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** An entry gets its outcome in the transaction of its write: an entry with an outcome was committed. */
async function hasCommitted({ pool }: Database, { log, ownerId, id }: AuditEntry): Promise<boolean> {
  const { rows } = await pool.query<{ outcome: string }>(
    log === 'organization'
      ? `select outcome from audit_event where organization_id = $1 and audit_event_id = $2 for update`
      : `select outcome from user_audit_event where audit_event_id = $1 for update`,
    log === 'organization' ? [ownerId, id] : [id],
  )
  if (!rows[0]) throw new Error(`Audit entry ${id} is gone.`)
  return rows[0].outcome === 'responded'
}
