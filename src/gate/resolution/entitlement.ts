import type { FeatureKind } from '../../database/generated/enums.ts'

/** The part of a feature that resolution needs. */
export type CatalogFeature = { key: string; kind: FeatureKind }

/** A plan's grant for one feature. `valueJson` is the stored JSON text, so that it is returned unchanged. */
export type Grant = { kind: 'flag' } | { kind: 'limit'; limit: number | null } | { kind: 'config'; valueJson: string }

/** A subscriber's own value for one feature; in force from `startsAt` until `expiresAt`. */
export type OverrideInForce = { startsAt: Date | null; expiresAt: Date | null } & (
  | { kind: 'flag'; allowed: boolean }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; valueJson: string }
)

type EntitlementSource = 'override' | 'plan' | 'none'

/**
 * The answer for one subscriber and feature.
 * `limit` null is unlimited; `valueJson` is JSON text, null when nothing grants the feature;
 * `expiresAt` is the override's, or null for any other source.
 */
export type Entitlement = { feature: string; allowed: boolean; source: EntitlementSource; expiresAt: Date | null } & (
  | { kind: 'flag' }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; valueJson: string | null }
)

/** An override starts at its `starts_at` and ends at its `expires_at`, whether or not its event was sent. */
export function isLive(override: { startsAt: Date | null; expiresAt: Date | null }, now: Date): boolean {
  if (override.startsAt !== null && override.startsAt.getTime() > now.getTime()) return false
  return override.expiresAt === null || override.expiresAt.getTime() > now.getTime()
}

/** When the override next starts or ends; null if it never will. */
export function nextStartOrEndOf(override: { startsAt: Date | null; expiresAt: Date | null }, now: Date): Date | null {
  const { startsAt, expiresAt } = override
  if (startsAt !== null && startsAt.getTime() > now.getTime()) return startsAt
  return isLive(override, now) ? expiresAt : null
}

/** The whole resolution order: a live override, else the plan's grant, else nothing. Values are never merged. */
export function resolve(
  feature: CatalogFeature,
  grant: Grant | null,
  override: OverrideInForce | null,
  now: Date,
): Entitlement {
  if (override !== null && isLive(override, now)) return fromOverride(feature, override)
  if (grant !== null) return fromGrant(feature, grant)
  return toEntitlementWithoutSource(feature)
}

/** The `allowed` of the entitlement that `resolve` would return, without creating an object. */
export function isAllowed(grant: Grant | null, override: OverrideInForce | null, now: Date): boolean {
  const live = override !== null && isLive(override, now) ? override : null
  if (live?.kind === 'flag') return live.allowed
  const source = live ?? grant
  return source !== null && (source.kind !== 'limit' || source.limit !== 0)
}

function fromOverride(feature: CatalogFeature, override: OverrideInForce): Entitlement {
  assertSameKind(feature, override)
  const common = { feature: feature.key, source: 'override', expiresAt: override.expiresAt } as const
  switch (override.kind) {
    case 'flag':
      return { ...common, kind: 'flag', allowed: override.allowed }
    case 'limit':
      return { ...common, kind: 'limit', allowed: override.limit !== 0, limit: override.limit }
    case 'config':
      return { ...common, kind: 'config', allowed: true, valueJson: override.valueJson }
  }
}

function fromGrant(feature: CatalogFeature, grant: Grant): Entitlement {
  assertSameKind(feature, grant)
  const common = { feature: feature.key, source: 'plan', expiresAt: null } as const
  switch (grant.kind) {
    case 'flag':
      return { ...common, kind: 'flag', allowed: true }
    case 'limit':
      return { ...common, kind: 'limit', allowed: grant.limit !== 0, limit: grant.limit }
    case 'config':
      return { ...common, kind: 'config', allowed: true, valueJson: grant.valueJson }
  }
}

function toEntitlementWithoutSource(feature: CatalogFeature): Entitlement {
  const common = { feature: feature.key, allowed: false, source: 'none', expiresAt: null } as const
  switch (feature.kind) {
    case 'flag':
      return { ...common, kind: 'flag' }
    case 'limit':
      return { ...common, kind: 'limit', limit: 0 }
    case 'config':
      return { ...common, kind: 'config', valueJson: null }
  }
}

/** A feature's kind never changes and every write checks it, so a different kind means a broken database. */
function assertSameKind(feature: CatalogFeature, value: { kind: FeatureKind }): void {
  if (feature.kind === value.kind) return
  throw new Error(`feature ${feature.key} is of kind ${feature.kind}, but a ${value.kind} is stored for it`)
}

/** Writes one entitlement as JSON text. */
export type ItemJson = (entitlement: Entitlement) => string

/**
 * The entitlement as JSON text, the same for a check and a snapshot.
 * Concatenated by hand, because this is the inner loop of a snapshot; keys need no escaping, and values are already JSON text.
 */
export function toEntitlementJson(entitlement: Entitlement): string {
  const { feature, kind, allowed, source, expiresAt } = entitlement
  const expires = expiresAt === null ? 'null' : `"${expiresAt.toISOString()}"`
  return `{"feature":"${feature}","kind":"${kind}","allowed":${allowed}${valueField(entitlement)},"source":"${source}","expires_at":${expires}}`
}

function valueField(entitlement: Entitlement): string {
  switch (entitlement.kind) {
    case 'flag':
      return ''
    case 'limit':
      return `,"limit":${entitlement.limit}`
    case 'config':
      return `,"value":${entitlement.valueJson}`
  }
}
