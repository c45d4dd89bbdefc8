import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/client.ts'

/**
 * How long a worker may send the events that it claimed from the outbox, from the moment that it sent the claim. A worker whose
 * database answers slowly writes a longer time into the lane's row before it uses that.
 */
export const claimMs = { atLeast: 250, atMost: 1500 }

/** Tolerance for the timers of two processes. */
const marginMs = 50

/**
 * After a rotation, pause, new address or deletion was committed: resolves once nothing that was claimed before can be
 * sent any more. Contract: Delivery 3, 5, 7. If no worker holds the organization's lane, nothing was claimed. A claim that is
 * sent after this read finds what was committed, so a longer time that is written meanwhile does not matter.
 */
export async function claimsLapse({ pool }: Database, organizationId: string): Promise<void> {
  const sql = 'select claim_ms from webhook_lane where organization_id = $1 and lease_until > clock_timestamp()'
  // The write is committed: if the lane cannot be read, this waits as well, and does not fail.
  const held = await pool.query<{ claim_ms: number }>(sql, [organizationId]).then(
    ({ rows }) => rows[0],
    () => ({ claim_ms: claimMs.atMost }),
  )
  if (held) await wait(held.claim_ms + marginMs)
}
