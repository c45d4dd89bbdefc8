import { StoredJson } from '../../src/core/stored-json.ts'
import { deleteOverride } from '../../src/modules/overrides/delete-override.ts'
import { type Override, toOverrideValue } from '../../src/modules/overrides/override.ts'
import { putOverride } from '../../src/modules/overrides/put-override.ts'
import { listOverrides, readOverride } from '../../src/modules/overrides/read-overrides.ts'
import { asBoolean } from '../query.ts'
import { noBody, route } from '../route.ts'

export const overrideRoutes = [
  route(putOverride, { reply: overrideBody }),
  route(listOverrides, {
    query: { include_expired: asBoolean },
    reply: (overrides) => ({ overrides: overrides.map(overrideBody) }),
  }),
  route(readOverride, { reply: overrideBody }),
  route(deleteOverride, { reply: noBody }),
]

function overrideBody(override: Override) {
  const { id, subscriberId, featureKey, expiresAt, createdAt, updatedAt } = override
  return {
    id,
    subscriber_id: subscriberId,
    feature: featureKey,
    ...shownValue(override),
    expires_at: expiresAt,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/** The value of a config as it was stored: parsed, large ones take fourteen times as much memory. */
function shownValue(override: Override) {
  const { kind, value } = override
  return kind === 'config' ? { kind, value: new StoredJson(value as string) } : toOverrideValue(override)
}
