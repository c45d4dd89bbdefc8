import type { Pool } from 'pg'
import { readWakes, wakeChannel } from '../../src/events/wakes.ts'
import { atEnd } from './at-end.ts'

/** Counts, from now on, the notifications to workers about events of each organization. */
export async function countWakes(pool: Pool): Promise<(organizationId: string) => number> {
  const wokenIds: string[] = []
  const client = await pool.connect()
  client.on('notification', ({ payload = '' }) => wokenIds.push(...readWakes(payload)))
  await client.query(`listen ${wakeChannel}`)
  atEnd(() => client.release(true))
  return (organizationId) => wokenIds.filter((id) => id === organizationId).length
}
