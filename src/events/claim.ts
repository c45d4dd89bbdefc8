import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/client.ts'

/** What a worker claimed of the outbox it may send for so long, from the moment that it sent the claim. */
export const claimLifetimeMs = 250

/** For the timers of two processes. */
const marginMs = 50

/**
 * After a rotation, pause, new address or deletion was committed: resolves once nothing can leave any more that was
 * claimed before. Spec: Delivery rules 3, 5, 7. Without a worker on the organization's lane nothing was claimed.
 */
export async function claimsLapse({ pool }: Database, organizationId: string): Promise<void> {
  const { rowCount } = await pool.query(
    'select 1 from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()',
    [organizationId],
  )
  if (rowCount) await wait(claimLifetimeMs + marginMs)
}
