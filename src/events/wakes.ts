import type pg from 'pg'
import { isUlid } from '../core/ids.ts'
import { withoutDisk } from '../database/sql.ts'

/** Workers listen here. A notification names organizations that have newly committed events. */
export const wakeChannel = 'entitlements_wake'

/** A payload has at most 8,000 bytes. */
export const wakesAtMost = 250

/**
 * Notifies all workers. The commit does not wait for the disk: PostgreSQL commits transactions that notify one after the other,
 * each with its own wait.
 */
export async function notifyWorkers(pool: pg.Pool, organizationIds: readonly string[]): Promise<void> {
  await pool.query({
    name: 'notify-workers',
    text: `select ${withoutDisk}, pg_notify($1, $2)`,
    values: [wakeChannel, organizationIds.join()],
  })
}

/** The organizations that a notification names. Anyone with access to the database can notify: other text is dropped. */
export function readWakes(payload: string): string[] {
  return payload.split(',').filter(isUlid)
}
