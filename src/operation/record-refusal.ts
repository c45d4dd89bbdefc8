import { fairQueueKey } from '../access/actor.ts'
import type { DomainError } from '../core/errors.ts'
import type { RecordedRequest } from '../recording/entry.ts'
import { recordRejection } from '../recording/insert-entry.ts'
import type { Services } from './services.ts'

/**
 * Records a refusal in the caller's queue. Throws 503 if too many requests wait, and 429 if too many were refused already. If
 * the entry cannot be written, the refusal is sent anyway: nothing ran, and a refusal takes precedence over a 503.
 */
export async function recordRefusal(
  { database, queue, refusals, logger, metrics }: Services,
  subject: RecordedRequest,
  { status }: DomainError,
): Promise<void> {
  if (status === 403) refusals.add(subject.actor)
  const { requestId } = subject.origin
  await queue.run(fairQueueKey(subject.actor), () =>
    recordRejection(database, subject, status).then(
      () => metrics.auditEntries.add(1, 'rejected'),
      (error) => {
        const err = error.cause ?? error
        logger.error({ err, requestId, status }, 'a refused request is missing from the audit log')
      },
    ),
  )
}
