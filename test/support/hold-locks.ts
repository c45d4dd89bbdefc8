import type { Pool } from 'pg'
import { onTestFinished } from 'vitest'

/** Holds the locks of the statement until the returned function is called, or the test ends. */
export async function holdLocks(pool: Pool, sql: string): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(sql)
  let isHeld = true
  const release = async () => {
    if (!isHeld) return
    isHeld = false
    await client.query('rollback')
    client.release()
  }
  onTestFinished(release)
  return release
}

/** Holds the row of the organization, for which writes to its catalog wait up to five seconds. */
export function holdOrganization(pool: Pool, organizationId: string): Promise<() => Promise<void>> {
  return holdLocks(pool, `select from organization where organization_id = '${organizationId}' for update`)
}
