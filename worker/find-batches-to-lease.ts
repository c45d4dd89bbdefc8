import type { DeliveryQueue } from './delivery-queue.ts'
import type { BatchRequest } from './delivery-queue-store.ts'

/** A round makes deep scans for at most this many organizations, because each scan reads thousands of events. */
const deepScansAtOnce = 2

/** The batches to lease from these delivery queues in this round. */
export function findBatchesToLease(
  queues: readonly DeliveryQueue[],
): { queue: DeliveryQueue; request: BatchRequest }[] {
  let deepScans = 0
  return queues.flatMap((queue) => {
    const request = queue.findBatchToLease()
    if (request === null) return []
    if (request.skipped.length > 0 && ++deepScans > deepScansAtOnce) return []
    return [{ queue, request }]
  })
}
