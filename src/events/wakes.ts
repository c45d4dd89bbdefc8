import type pg from 'pg'
import { isUlid } from '../core/ids.ts'
import { asynchronousCommit } from '../database/sql.ts'

/** Workers listen here. A notification names organizations that have newly committed events. */
export const wakeChannel = 'entitlements_wake'

/** Processes with followers of changes listen here. A notification names organizations that have newly committed changes. */
export const changesChannel = 'entitlements_changes'

/** A payload has at most 8,000 bytes. */
const maxWakesPerPayload = 200

/**
 * Notifies all processes that listen. The commit does not wait for the disk: PostgreSQL commits transactions that notify one
 * after the other, each with its own wait.
 */
export async function notify(
  pool: pg.Pool,
  channel: typeof wakeChannel | typeof changesChannel,
  organizationIds: readonly string[],
): Promise<void> {
  for (let start = 0; start < organizationIds.length; start += maxWakesPerPayload) {
    await pool.query({
      name: 'notify',
      text: `select ${asynchronousCommit}, pg_notify($1, $2)`,
      values: [channel, organizationIds.slice(start, start + maxWakesPerPayload).join()],
    })
  }
}

const testPrefix = 'test:'

/** Names an organization with a test to send, on the channel of workers. Versions that know no tests drop it. */
export function toTestWake(organizationId: string): string {
  return testPrefix + organizationId
}

/** The organizations that a notification names as having a test to send. */
export function readTestWakes(payload: string): string[] {
  const marked = payload.split(',').filter((text) => text.startsWith(testPrefix))
  return marked.map((text) => text.slice(testPrefix.length)).filter(isUlid)
}

/** The organizations that a notification names. Anyone with access to the database can notify: other text is dropped. */
export function readWakes(payload: string): string[] {
  return payload.split(',').filter(isUlid)
}
