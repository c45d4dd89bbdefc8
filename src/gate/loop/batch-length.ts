import { readsAllOverrides } from '../statement/gate-statement.ts'
import type { EvalRequest } from '../statement/outcome.ts'

/** The maximum bytes that the evals of one statement may send and receive, approximately. */
const maxBatchBytes = 128 * 1024
const allOverridesBytes = 1024
const featureBytes = 64

/** The number of waiting evals, in order of arrival, that go into the next statement; at least one. */
export function batchLength(
  waiting: readonly { request: Pick<EvalRequest, 'subscriberId' | 'features'> }[],
  maxBatch: number,
): number {
  let bytes = 0
  for (const [index, { request }] of waiting.entries()) {
    const { subscriberId, features } = request
    bytes += subscriberId.length + bytesOf(features)
    if (index === maxBatch || (index > 0 && bytes > maxBatchBytes)) return index
  }
  return waiting.length
}

function bytesOf(features: readonly string[] | null): number {
  if (features === null) return allOverridesBytes
  if (!readsAllOverrides(features)) return features.length * featureBytes
  return features.reduce((sum, key) => sum + key.length + 1, allOverridesBytes)
}
