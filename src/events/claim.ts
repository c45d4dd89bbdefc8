import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/client.ts'

/** What a worker claimed of the outbox it may send for so long, from the moment that it sent the claim. */
export const claimLifetimeMs = 250

/** For the timers of two processes. */
const marginMs = 50

/**
 * After a rotation, pause, new address or deletion was committed: resolves once nothing can leave any more that was
 * claimed before. Contract: Delivery 3, 5, 7. Where no worker holds the organization's lane, nothing was claimed.
 */
export async function claimsLapse({ pool }: Database, organizationId: string): Promise<void> {
  const sql = 'select 1 from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()'
  // The write is committed: when the lane cannot be read it waits all the same, and does not fail.
  const isHeld = await pool.query(sql, [organizationId]).then(
    ({ rowCount }) => rowCount !== 0,
    () => true,
  )
  if (isHeld) await wait(claimLifetimeMs + marginMs)
}
