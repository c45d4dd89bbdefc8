import type { Catalog } from './catalog.ts'
import type { Step } from './steps.ts'

/** The maximum number of changes that the service previews in one request, and half of its default limit for a body. */
const max = { changes: 200, bytes: 500_000 }
/** For each change, the service counts all grants of the catalog. With this many in all, a preview takes about two seconds. */
const maxCountedGrants = 4_000_000
/** The number of grants that are counted in the time that a change takes otherwise. */
const grantsInTimeOfChange = 20_000

/** The first steps: as many as the service can preview in one request, before the time of its transaction is over. */
export function firstPreviewable(steps: readonly Step[], { plans }: Catalog): Step[] {
  const grants = [...plans.values()].reduce((sum, plan) => sum + plan.grants.size, 0)
  const maxCount = Math.min(max.changes, Math.ceil(maxCountedGrants / (grants + grantsInTimeOfChange)))
  const encoder = new TextEncoder()
  let bytes = 0
  const first = steps.slice(0, maxCount)
  const end = first.findIndex(({ change }) => {
    bytes += encoder.encode(JSON.stringify(change)).length + 1
    return bytes > max.bytes
  })
  return end === -1 ? first : first.slice(0, end)
}
