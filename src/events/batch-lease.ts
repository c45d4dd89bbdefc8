import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/client.ts'

/**
 * How long a worker may send a batch of events that it read from the outbox, from the start of the read. If the database
 * answers slowly, the worker first writes a longer time into the row of the delivery queue, and then uses that time.
 */
export const batchLeaseMs = { atLeast: 250, atMost: 1500 }

/** Tolerance for the timers of two processes. */
const marginMs = 50

/**
 * How long a worker may send a test event after reading it. Always the maximum, because a test has no delivery queue whose row
 * could store a longer time.
 */
export const testLeaseMs = batchLeaseMs.atMost

/**
 * Called after a rotation, pause, new address or deletion has committed: resolves once no event that was read before the commit
 * can still be sent. Contract: Delivery 3, 5, 7. If no worker leases the organization's delivery queue, no batch was read. A
 * batch read after this query sees the commit, so a longer time written in between does not matter. `hadTest`: whether the
 * write deleted a test.
 */
export async function waitForBatchLeasesToEnd(
  { pool }: Database,
  organizationId: string,
  hadTest = false,
): Promise<void> {
  const sql = `
    select max(claim_ms) as claim_ms from (
      select claim_ms from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()
      union all
      select ${testLeaseMs} where $2::boolean or exists (
        select from webhook_event where organization_id = $1 and state = 'queued' and type = 'webhook.test')) held`
  // The write is committed: if the query fails, wait the longest time instead of failing.
  const lease = await pool.query<{ claim_ms: number | null }>(sql, [organizationId, hadTest]).then(
    ({ rows }) => rows[0],
    () => ({ claim_ms: batchLeaseMs.atMost }),
  )
  if (lease?.claim_ms) await wait(lease.claim_ms + marginMs)
}
