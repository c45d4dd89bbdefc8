import { z } from 'zod'
import { jsonField, keyField, timeField } from '../../src/core/answer-fields.ts'
import type { Entitlement } from '../../src/gate/resolution/entitlement.ts'
import { entitlementSource } from '../../src/modules/entitlements/entitlement.ts'
import { featureKind } from '../../src/modules/features/feature.ts'

/** The value of an unlimited limit: the largest integer that every client reads exactly. */
const unlimited = Number.MAX_SAFE_INTEGER

const reasonBySource = { override: 'TARGETING_MATCH', plan: 'STATIC', none: 'DISABLED' } as const

const metadata = z.strictObject({
  kind: featureKind().describe("The feature's kind."),
  allowed: z.boolean().describe('Whether the subscriber may use the feature, as a check answers it.'),
  source: entitlementSource.describe('The same as `variant`.'),
  unlimited: z.boolean().describe('Whether the feature is a limit that is unlimited for the subscriber.'),
  expires_at: timeField().optional().describe('When the override expires, if it is the source and expires.'),
})

/** A flag of OFREP, as `flagJson` writes it. */
export const evaluationSuccess = z
  .strictObject({
    key: keyField().describe("The feature's key."),
    value: jsonField()
      .optional()
      .describe(
        `For a flag, whether it is allowed; for a limit, its number, or ${unlimited} if it is unlimited; for a config, ` +
          "its value. Left out if nothing grants a config, so that the product's default is used.",
      ),
    reason: z
      .enum(Object.values(reasonBySource))
      .describe('`TARGETING_MATCH` for an override, `STATIC` for a grant of the plan, `DISABLED` for neither.'),
    variant: entitlementSource.describe('Where the value comes from.'),
    metadata: metadata.describe('The entitlement in the terms of this service.'),
  })
  .meta({ id: 'evaluationSuccess', description: "A subscriber's entitlement to one feature, as a flag of OFREP." })

/** Concatenates the JSON by hand, like `toEntitlementJson`, because this is the hot path. */
export function flagJson(entitlement: Entitlement): string {
  const { feature, kind, allowed, source, expiresAt } = entitlement
  const isUnlimited = kind === 'limit' && entitlement.limit === null
  const expires = expiresAt === null ? '' : `,"expires_at":"${expiresAt.toISOString()}"`
  const own = `"kind":"${kind}","allowed":${allowed},"source":"${source}","unlimited":${isUnlimited}${expires}`
  return `{"key":"${feature}"${valueField(entitlement)},"reason":"${reasonBySource[source]}","variant":"${source}","metadata":{${own}}}`
}

function valueField(entitlement: Entitlement): string {
  switch (entitlement.kind) {
    case 'flag':
      return `,"value":${entitlement.allowed}`
    case 'limit':
      return `,"value":${entitlement.limit ?? unlimited}`
    case 'config':
      return entitlement.valueJson === null ? '' : `,"value":${entitlement.valueJson}`
  }
}
