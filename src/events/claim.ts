import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/client.ts'

/**
 * How long a worker may send the events that it claimed from the outbox, counted from sending the claim. If the database
 * answers slowly, the worker first writes a longer time into the lane's row, and then uses that.
 */
export const claimMs = { atLeast: 250, atMost: 1500 }

/** Tolerance for the timers of two processes. */
const marginMs = 50

/**
 * How long a worker may send a test that it read. Tests are sent without a lane, so no longer time can be stored: this is the
 * longest.
 */
export const testClaimMs = claimMs.atMost

/**
 * Called after a rotation, pause, new address or deletion has committed: resolves once no event claimed before the commit can
 * still be sent. Contract: Delivery 3, 5, 7. If no worker holds the organization's lane, nothing was claimed. A claim sent
 * after this read sees the commit, so a longer time written in between does not matter. `hadTest`: the write dropped a test.
 */
export async function waitForClaimsToLapse({ pool }: Database, organizationId: string, hadTest = false): Promise<void> {
  const sql = `
    select max(claim_ms) as claim_ms from (
      select claim_ms from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()
      union all
      select ${testClaimMs} where $2::boolean or exists (
        select from webhook_event where organization_id = $1 and state = 'queued' and type = 'webhook.test')) held`
  // The write is committed: if the lane cannot be read, wait the longest time instead of failing.
  const held = await pool.query<{ claim_ms: number | null }>(sql, [organizationId, hadTest]).then(
    ({ rows }) => rows[0],
    () => ({ claim_ms: claimMs.atMost }),
  )
  if (held?.claim_ms) await wait(held.claim_ms + marginMs)
}
