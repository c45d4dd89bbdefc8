import type { Pool } from 'pg'
import { readWakes, wakeChannel } from '../../src/events/wakes.ts'
import { atEnd } from './at-end.ts'

/** Counts, from now on, the notifications to workers about events of each organization. */
export async function countWakes(pool: Pool): Promise<(organizationId: string) => number> {
  const told: string[] = []
  const client = await pool.connect()
  client.on('notification', ({ payload = '' }) => told.push(...readWakes(payload)))
  await client.query(`listen ${wakeChannel}`)
  atEnd(() => client.release(true))
  return (organizationId) => told.filter((id) => id === organizationId).length
}
