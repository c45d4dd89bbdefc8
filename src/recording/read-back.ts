import { withDeadline } from '../core/deadline.ts'
import type { Database } from '../database/client.ts'
import type { AuditOutcome } from '../database/generated/enums.ts'
import type { AuditEntry } from './entry.ts'
import { recordOutcome } from './record.ts'

const retryMs = 100

/**
 * Finds out whether the write of this entry committed, after no reply to its COMMIT came. Locks the entry, and so waits until
 * the write's transaction has ended. An entry that is still pending gets its outcome, 503, so that a COMMIT that is still on
 * its way fails. A missing entry is inserted again: only a crash of PostgreSQL can have undone it, and the crash has then
 * undone the write, too. Retries until the deadline (by `performance.now()`); throws if the database has not answered by then.
 */
export async function readBack(database: Database, entry: AuditEntry, deadline: number): Promise<boolean> {
  while (true) {
    try {
      const lockedEntry = await withDeadline(deadline, lockEntry(database, entry))
      if (lockedEntry?.outcome === 'responded') return lockedEntry.status < 300
      if (lockedEntry && lockedEntry.outcome !== 'pending')
        throw new Error(`Audit entry ${entry.id} is ${lockedEntry.outcome}.`)
      await withDeadline(deadline, recordOutcome(database, entry, { outcome: 'responded', status: 503 }))
    } catch (error) {
      if (performance.now() + retryMs >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

async function lockEntry({ pool }: Database, { log, ownerId, id }: AuditEntry) {
  const { rows } = await pool.query<{ outcome: AuditOutcome; status: number }>(
    log === 'organization'
      ? `select outcome, status from audit_event where organization_id = $1 and audit_event_id = $2 for update`
      : `select outcome, status from user_audit_event where audit_event_id = $1 for update`,
    log === 'organization' ? [ownerId, id] : [id],
  )
  return rows[0]
}
