import type pg from 'pg'
import { isUlid } from '../core/ids.ts'
import { asynchronousCommit } from '../database/sql.ts'

/** The channel on which workers listen. A notification names organizations that have newly committed events. */
export const wakeChannel = 'entitlements_wake'

/**
 * The channel for processes with followers of changes. A notification names organizations that have newly committed changes.
 */
export const changesChannel = 'entitlements_changes'

/** Limited, because PostgreSQL allows at most 8,000 bytes in a payload. */
const maxWakesPerPayload = 200

/**
 * Notifies all processes that listen. The commit does not wait for the disk, because PostgreSQL commits transactions that send
 * notifications one after the other, so that their waits would add up.
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

/** The text that names an organization with a test to send, on the channel of workers. Older releases ignore it. */
export function toTestWake(organizationId: string): string {
  return testPrefix + organizationId
}

/** The organizations that, according to a notification, have a test to send. */
export function readTestWakes(payload: string): string[] {
  const testWakes = payload.split(',').filter((text) => text.startsWith(testPrefix))
  return testWakes.map((text) => text.slice(testPrefix.length)).filter(isUlid)
}

/** The organizations that a notification names. Ignores other text, because anyone with access to the database can notify. */
export function readWakes(payload: string): string[] {
  return payload.split(',').filter(isUlid)
}
