import type pg from 'pg'
import { PgBoss, type Queue } from 'pg-boss'
import { StartupError } from '../core/startup-error.ts'
import { connectDatabase } from '../database/client.ts'
import { explainDatabaseError } from '../database/explain-error.ts'
import { adviseGrants, isMissingRight } from '../database/missing-rights.ts'
import { markDatabaseError } from '../database/outage.ts'

/** A job that only wakes a worker later for an organization. It has no other data, and may be repeated or unnecessary. */
export type WakeJob = { organizationId: string }

/** `webhook.wake`: another attempt is due. `override.expire`: the `starts_at` or `expires_at` of an override is reached. */
export const queueNames = ['webhook.wake', 'override.expire'] as const

export type QueueName = (typeof queueNames)[number]

/** A job that a write requests; it is sent in the write's transaction, for the write's organization. */
export type Job = { queue: QueueName; startAfter?: Date | undefined }

/**
 * The policy `standard`, without a singleton key, keeps all jobs: a policy that merges jobs would drop a wake if a later retry
 * is queued.
 */
const queueOptions: Omit<Queue, 'name'> = {
  policy: 'standard',
  retryLimit: 10,
  retryDelay: 1,
  expireInSeconds: 30,
  deleteAfterSeconds: 60,
}

/** Starts pg-boss, which creates its schema if necessary, and creates the queues. Several processes may do this at once. */
export async function startQueues(boss: PgBoss, pool: pg.Pool): Promise<void> {
  try {
    await boss.start()
    for (const queue of queueNames) await boss.createQueue(queue, queueOptions)
  } catch (error) {
    if (!isMissingRight(error)) throw error
    throw new StartupError(`The job queue cannot be set up: ${explainDatabaseError(error)}${await adviseGrants(pool)}`)
  }
}

/** Creates the same schema and queues as `startQueues`, for processes that start later and may not create them. */
export async function setUpQueues(url: string): Promise<void> {
  await withIdleBoss(url, {}, startQueues)
}

/** Whether pg-boss's schema exists in the version that this program needs. */
export async function areQueuesSetUp(url: string): Promise<boolean> {
  try {
    await withIdleBoss(url, { migrate: false }, (boss) => boss.start())
    return true
  } catch (error) {
    if (/not installed|requires migrations/.test((error as Error).message)) return false
    throw error
  }
}

async function withIdleBoss(
  url: string,
  options: IdleOptions,
  use: (boss: PgBoss, pool: pg.Pool) => Promise<unknown>,
): Promise<void> {
  const database = connectDatabase({ url, maxConnections: 1 })
  const boss = idleBoss(database.pool, options)
  try {
    await use(boss, database.pool)
  } finally {
    await boss.stop({ graceful: false })
    await database.close()
  }
}

type IdleOptions = {
  migrate?: boolean
  /** Called with errors that pg-boss emits. */
  onError?: (error: Error) => void
}

/** A pg-boss on the service's pool that neither works on jobs nor maintains its tables. */
export function idleBoss(pool: pg.Pool, { migrate = true, onError = () => {} }: IdleOptions = {}): PgBoss {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    supervise: false,
    schedule: false,
    migrate,
  })
  // Without a listener an `error` event ends the process.
  boss.on('error', onError)
  return boss
}

/** Converts an error from pg-boss, which is often a plain copy of the database driver's error. */
export function toQueueError(emitted: Error): Error {
  const error = emitted instanceof Error ? emitted : Object.assign(new Error(), emitted)
  markDatabaseError(error)
  return error
}
