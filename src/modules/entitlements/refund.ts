import type { Pool } from 'pg'

/**
 * Takes back the count of an eval that was granted, but not answered: only those that were answered count. Not on the day
 * after it was counted; what cannot be taken back stays counted.
 */
export async function refundEval(
  pool: Pool,
  { organizationId, countedAt }: { organizationId: string; countedAt: Date },
): Promise<void> {
  const day = countedAt.toISOString().slice(0, 10)
  await pool.query(
    `update eval_counter set day_used = day_used - 1, month_used = month_used - 1
      where organization_id = $1 and day = $2::date and day_used > 0`,
    [organizationId, day],
  )
}
