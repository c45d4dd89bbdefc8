import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/client.ts'

/** How long a worker may send the events that it claimed from the outbox, from the moment that it sent the claim. */
export const claimLifetimeMs = 250

/** Tolerance for the timers of two processes. */
const marginMs = 50

/**
 * After a rotation, pause, new address or deletion was committed: resolves once nothing that was claimed before can be
 * sent any more. Contract: Delivery 3, 5, 7. If no worker holds the organization's lane, nothing was claimed.
 */
export async function claimsLapse({ pool }: Database, organizationId: string): Promise<void> {
  const sql = 'select 1 from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()'
  // The write is committed: if the lane cannot be read, this waits as well, and does not fail.
  const isHeld = await pool.query(sql, [organizationId]).then(
    ({ rowCount }) => rowCount !== 0,
    () => true,
  )
  if (isHeld) await wait(claimLifetimeMs + marginMs)
}
