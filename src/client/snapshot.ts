/** The entitlement of a subscriber for one feature, as the REST API returns it. */
export type Entitlement = {
  /** The key of the feature. */
  feature: string
  /** The kind of the feature. */
  kind: 'flag' | 'limit' | 'config'
  /** Whether the subscriber may use the feature. */
  allowed: boolean
  /** Only for limits; null is unlimited. */
  limit?: number | null
  /** Only for configs; null if nothing grants the feature. */
  value?: unknown
  /** The source of the entitlement; `none` if nothing grants it. */
  source: 'override' | 'plan' | 'none'
  /** When the override ends, in UTC; null if it does not end, or if the source is not an override. */
  expires_at: string | null
}

/** All entitlements of a subscriber, as `GET /org/subscribers/{subscriber_id}/entitlements` returns them. */
export type Snapshot = {
  /** The subscriber's id. */
  subscriber_id: string
  /** The key of the plan; null if the subscriber has none. */
  plan: string | null
  /** An entitlement for each feature of the catalog, newest feature first. */
  entitlements: Entitlement[]
  /** When the next override starts or ends, in UTC; null if none does. */
  valid_until: string | null
}

/** Whether an answer is a snapshot. It may have more fields, because later versions of the service may add some. */
export function isSnapshot(value: unknown): value is Snapshot {
  return Array.isArray((value as Snapshot | null | undefined)?.entitlements)
}

/** Whether a value from a store is a snapshot. The check is strict, because others may write to the store. */
export function isStoredSnapshot(value: unknown): value is Snapshot {
  const { subscriber_id, entitlements } = (value ?? {}) as Partial<Snapshot>
  return typeof subscriber_id === 'string' && Array.isArray(entitlements) && entitlements.every(isEntitlement)
}

const kinds: readonly unknown[] = ['flag', 'limit', 'config']

function isEntitlement(value: unknown): boolean {
  const { feature, kind, allowed, limit, expires_at: expiresAt } = (value ?? {}) as Partial<Entitlement>
  const isTyped = typeof feature === 'string' && kinds.includes(kind) && typeof allowed === 'boolean'
  const hasLimit = kind !== 'limit' || limit === null || typeof limit === 'number'
  return (
    isTyped &&
    hasLimit &&
    (expiresAt === null || (typeof expiresAt === 'string' && !Number.isNaN(Date.parse(expiresAt))))
  )
}

/** Where an answer came from: `last-known` may be outdated, and `default` did not come from the service. */
export type From = 'cache' | 'network' | 'last-known' | 'default'

export type Detail<Value = unknown> = {
  /** Whether the subscriber may use the feature. */
  allowed: boolean
  /** The kind of the feature, or of the default's value. Null if there is neither an answer nor a default. */
  kind: Entitlement['kind'] | null
  /** The limit: `Infinity` is unlimited, 0 if nothing grants the feature. Null for other kinds. */
  limit: number | null
  /** The value of a config; null if nothing grants the feature. Null for other kinds. */
  value: Value | null
  /** The source of the entitlement; `none` if nothing grants it. */
  source: 'override' | 'plan' | 'none'
  /** When the override behind this answer ends; null if there is none, or if it does not end. */
  expiresAt: Date | null
  /** Where the answer came from: `last-known` may be outdated, and `default` did not come from the service. */
  from: From
  /** Milliseconds since the answer was last known to be right; `Infinity` if that is unknown, and for defaults. */
  ageMs: number
  /** Why the service returned no entitlement; null if it returned one. */
  problem: 'unknown_subscriber' | 'unknown_feature' | 'unavailable' | 'rate_limited' | null
}

export function toDetail(item: Entitlement, from: From, ageMs: number): Detail {
  return {
    allowed: item.allowed,
    kind: item.kind,
    limit: item.kind === 'limit' ? (item.limit ?? Number.POSITIVE_INFINITY) : null,
    value: item.value ?? null,
    source: item.source,
    expiresAt: item.expires_at === null ? null : new Date(item.expires_at),
    from,
    ageMs,
    problem: null,
  }
}

/** The detail for a value of the option `defaults`: of a flag, a limit (`Infinity` is unlimited) or a config. */
export function defaultDetail(value: unknown, problem: Detail['problem']): Detail {
  const isLimit = typeof value === 'number'
  return {
    allowed: isLimit ? value !== 0 : value !== false && value !== null,
    kind: isLimit ? 'limit' : typeof value === 'boolean' ? 'flag' : 'config',
    limit: isLimit ? value : null,
    value: typeof value === 'boolean' ? null : value,
    source: 'none',
    expiresAt: null,
    from: 'default',
    ageMs: Number.POSITIVE_INFINITY,
    problem,
  }
}

/** The detail when there is neither an answer from the service nor a default. */
export function fallbackDetail(isAllowed: boolean, problem: Detail['problem']): Detail {
  return { ...defaultDetail(isAllowed, problem), kind: null, limit: isAllowed ? Number.POSITIVE_INFINITY : 0 }
}
