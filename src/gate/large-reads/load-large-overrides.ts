import type { Pool } from 'pg'
import { readInSlices } from '../../database/read-in-slices.ts'
import type { OverrideInForce } from '../resolution/entitlement.ts'
import { isLiveOrScheduled, storedOverride } from '../statement/counter-text.ts'
import { type OverrideColumns, toOverride } from '../statement/override-row.ts'

/** A request for one subscriber's overrides; null `features` means all. */
export type RequestedOverrides = { subscriberId: string; features: readonly string[] | null }

/** Like the gate's statement, but reads overrides of any size. $3 has feature keys joined by commas; null for all. */
const text = `
select w.n, v.feature_key, v.kind, v.allowed, v."limit", v.value, date_part('epoch', v.expires_at), date_part('epoch', v.starts_at)
from unnest($2::text[], $3::text[]) with ordinality as w(subscriber_id, features, n)
cross join lateral (
  select ${storedOverride} from "override" o
  where w.features is not null and o.feature_key = any(string_to_array(w.features, ','))
    and o.organization_id = $1 and o.subscriber_id = w.subscriber_id and ${isLiveOrScheduled('$4::timestamptz')}
  union all
  select ${storedOverride} from "override" o
  where w.features is null and o.organization_id = $1 and o.subscriber_id = w.subscriber_id
    and ${isLiveOrScheduled('$4::timestamptz')}
) v
`

/** Reading a row takes as long as reading this many bytes of a value. */
const rowBytes = 128

/**
 * Loads, for each request, the subscriber's overrides that are live at `now` or will start, by feature key; `bytes` is the size
 * of their values.
 */
export async function loadLargeOverrides(
  { pool, timeoutMs }: { pool: Pool; timeoutMs: number },
  {
    organizationId,
    ownerId,
    requested: requests,
    now,
  }: { organizationId: string; ownerId: string; requested: readonly RequestedOverrides[]; now: Date },
): Promise<{ overrides: Map<string, OverrideInForce>; bytes: number }[]> {
  const loaded = requests.map(() => ({ overrides: new Map<string, OverrideInForce>(), bytes: 0 }))
  const values = [
    organizationId,
    requests.map(({ subscriberId }) => subscriberId),
    requests.map(({ features }) => features?.join(',') ?? null),
    now.toISOString(),
  ]
  await readInSlices({ pool, tenant: ownerId, timeoutMs }, { text, values }, ([index, ...row]) => {
    const [featureKey, ...columns] = row as [string, ...OverrideColumns]
    const subscriberOverrides = loaded[Number(index) - 1]
    if (subscriberOverrides === undefined) throw new Error(`no request for overrides at position ${index}`)
    subscriberOverrides.overrides.set(featureKey, toOverride(columns))
    const length = columns[3]?.length ?? 0
    subscriberOverrides.bytes += length
    return length + rowBytes
  })
  return loaded
}
