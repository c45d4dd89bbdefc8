import type { Catalog } from './catalog.ts'
import type { Step } from './steps.ts'

/**
 * The maximum number of changes that the service previews in one request, and a maximum size: half of the service's default
 * body limit.
 */
const max = { changes: 200, bytes: 500_000 }
/** For each change, the service counts all grants of the catalog. A preview that counts this many takes about 2 s. */
const maxCountedGrants = 4_000_000
/** Besides counting grants, a change takes as much time as counting this many grants. */
const grantsCountedPerChangeTime = 20_000

/** The first steps, as many as the service can preview in one request before its transaction times out. */
export function takePreviewableSteps(steps: readonly Step[], { plans }: Catalog): Step[] {
  const grants = [...plans.values()].reduce((sum, plan) => sum + plan.grants.size, 0)
  const maxCount = Math.min(max.changes, Math.ceil(maxCountedGrants / (grants + grantsCountedPerChangeTime)))
  const encoder = new TextEncoder()
  let bytes = 0
  const first = steps.slice(0, maxCount)
  const end = first.findIndex(({ change }) => {
    bytes += encoder.encode(JSON.stringify(change)).length + 1
    return bytes > max.bytes
  })
  return end === -1 ? first : first.slice(0, end)
}
