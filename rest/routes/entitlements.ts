import { checkEntitlement, readEntitlements, type Snapshot } from '../../src/modules/entitlements/read-entitlements.ts'
import { readEvalUsage } from '../../src/modules/entitlements/read-eval-usage.ts'
import { asText } from '../query.ts'
import { route } from '../route.ts'

export const entitlementRoutes = [
  route(checkEntitlement, { reply: ({ entitlements }) => entitlements.toJson() }),
  route(readEntitlements, { reply: snapshotJson }),
  route(readEvalUsage, { query: { month: asText }, reply: (usage) => usage }),
]

function snapshotJson({ subscriberId, plan, entitlements }: Snapshot): string {
  const validUntil = entitlements.validUntil?.toISOString() ?? null
  return (
    `{"subscriber_id":${JSON.stringify(subscriberId)},"plan":${JSON.stringify(plan)},` +
    `"entitlements":[${entitlements.toJson()}],"valid_until":${JSON.stringify(validUntil)}}`
  )
}
