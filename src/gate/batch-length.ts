import type { EvalRequest } from './outcome.ts'

/** The maximum that the evals of one statement may read: about the bytes that they send and receive. */
const maxBatchBytes = 128 * 1024
const snapshotBytes = 1024
const featureBytes = 64

/** How many of the waiting evals, in order of arrival, go into one statement of the gate; at least one. */
export function batchLength(
  waiting: readonly { request: Pick<EvalRequest, 'subscriberId' | 'features'> }[],
  maxBatch: number,
): number {
  let bytes = 0
  for (const [index, { request }] of waiting.entries()) {
    const { subscriberId, features } = request
    bytes += subscriberId.length + (features === null ? snapshotBytes : features.length * featureBytes)
    if (index === maxBatch || (index > 0 && bytes > maxBatchBytes)) return index
  }
  return waiting.length
}
