import type { Entry } from '../client/cache.ts'
import type { Entitlement as Item, Snapshot } from '../client/snapshot.ts'
import type { Entitlement } from '../gate/resolution/entitlement.ts'
import { toEtag } from '../http/etag.ts'
import { SharedSnapshot } from './relay-cache.ts'

/** An entitlement as the service writes it; undefined for an unknown feature. */
export function itemText({ items, snapshot }: Entry, feature: string): string | undefined {
  if (snapshot instanceof SharedSnapshot) return snapshot.list.find(feature)?.text
  const item = items.get(feature)
  return item && JSON.stringify(item)
}

/** A snapshot as the service writes it. */
export function snapshotText(snapshot: Snapshot): string {
  if (!(snapshot instanceof SharedSnapshot)) return JSON.stringify(snapshot)
  const { subscriber_id: id, plan, valid_until: validUntil, list } = snapshot
  const items = list.items.map(({ text }) => text).join()
  return `{"subscriber_id":${JSON.stringify(id)},"plan":${JSON.stringify(plan)},"entitlements":[${items}],"valid_until":${JSON.stringify(validUntil)}}`
}

/** The upstream's tag if the answer came with one, otherwise a tag of our own: answers for many subscribers have no tags. */
export function etagOf({ etag }: Pick<Entry, 'etag'>, snapshot: Snapshot): string {
  if (etag !== null) return etag
  if (!(snapshot instanceof SharedSnapshot)) return toEtag(snapshotText(snapshot))
  const { subscriber_id: id, plan, valid_until: validUntil, list } = snapshot
  return toEtag(JSON.stringify([id, plan, validUntil, list.digest]))
}

/** Converts an entitlement of the API to the type that the service's code uses. */
export function toResolvedEntitlement({
  feature,
  kind,
  allowed,
  source,
  expires_at: at,
  limit,
  value,
}: Item): Entitlement {
  const common = { feature, allowed, source, expiresAt: at === null ? null : new Date(at) }
  if (kind === 'flag') return { ...common, kind }
  if (kind === 'limit') return { ...common, kind, limit: limit ?? null }
  return { ...common, kind, valueJson: value === null || value === undefined ? null : JSON.stringify(value) }
}
