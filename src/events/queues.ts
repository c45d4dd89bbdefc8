import type { PgBoss, Queue } from 'pg-boss'

/** A job only wakes: it names an organization and carries nothing, may come twice or for nothing. The rows are the truth. */
export type WakeJob = { organizationId: string }

/** `webhook.wake`: something is due for the organization's endpoint. `override.expire`: an override's expires_at is reached. */
export type QueueName = 'webhook.wake' | 'override.expire'

/** A job as a write asks for it; it is sent in the write's transaction, for the write's organization. */
export type Job = { queue: QueueName; startAfter?: Date | undefined }

/** `standard`, without a singleton key: the policies that fold jobs together lose a wake beside a far retry. */
const options: Omit<Queue, 'name'> = {
  policy: 'standard',
  notify: true,
  retryLimit: 10,
  retryDelay: 1,
  expireInSeconds: 30,
  deleteAfterSeconds: 60,
}

/** Makes the queues that are not there yet. Any number of processes may do it at once. */
export async function ensureQueues(boss: PgBoss): Promise<void> {
  const queues: QueueName[] = ['webhook.wake', 'override.expire']
  for (const queue of queues) await boss.createQueue(queue, options)
}
