import { flagJson } from '../../../rest/ofrep/flag.ts'
import type { FeatureKind } from '../../../src/database/generated/enums.ts'
import {
  type CatalogFeature,
  type Entitlement,
  type Grant,
  type OverrideInForce,
  resolve,
  toEntitlementJson,
} from '../../../src/gate/resolution/entitlement.ts'

/** The values of the bench: the seed writes them to the database, and every answer is compared with them. */
export const size = { organizations: 200, subscribers: 500, features: 100, plans: 10 }

/** Makes organizations' values differ, so that an answer from another organization is usually noticed. */
export const variants = 4

const kinds: FeatureKind[] = ['flag', 'limit', 'config']

export const subscriberId = (subscriber: number) => `subscriber-${subscriber}`
export const planKey = (plan: number) => `plan-${plan}`
export const planOf = (subscriber: number) => subscriber % size.plans

export function featureOf(feature: number): CatalogFeature {
  return { key: `feature-${feature}`, kind: kinds[feature % 3] as FeatureKind }
}

/** A plan grants three of four features. */
export function grantOf(variant: number, plan: number, feature: number): Grant | null {
  if ((feature + plan) % 4 === 0) return null
  const { kind } = featureOf(feature)
  switch (kind) {
    case 'flag':
      return { kind }
    case 'limit':
      return { kind, limit: variant * 1000 + plan * 10 + feature }
    case 'config':
      return { kind, valueJson: JSON.stringify(`value ${variant} of plan ${plan}`) }
  }
}

/** One of five subscribers has overrides, for three features. */
export function overrideOf(variant: number, subscriber: number, feature: number): OverrideInForce | null {
  if (subscriber % 5 !== 0) return null
  const distance = (feature - subscriber / 5 + size.features) % size.features
  if (distance !== 0 && distance !== 7 && distance !== 31) return null
  const { kind } = featureOf(feature)
  const times = { startsAt: null, expiresAt: distance === 7 ? new Date('2199-01-01T00:00:00.000Z') : null }
  switch (kind) {
    case 'flag':
      return { kind, allowed: subscriber % 2 === 0, ...times }
    case 'limit':
      return { kind, limit: distance === 0 ? null : variant + subscriber, ...times }
    case 'config':
      return { kind, valueJson: JSON.stringify(`own value of ${subscriber}, ${variant}`), ...times }
  }
}

const now = new Date()

export function entitlementOf(organization: number, subscriber: number, feature: number): Entitlement {
  const variant = organization % variants
  const grant = grantOf(variant, planOf(subscriber), feature)
  return resolve(featureOf(feature), grant, overrideOf(variant, subscriber, feature), now)
}

/** The expected body of a check. */
export function checkBody(organization: number, subscriber: number, feature: number): string {
  return toEntitlementJson(entitlementOf(organization, subscriber, feature))
}

const checks = new Map<number, string>()

/** The expected body of a check of all features, in their order. Cached, so that comparing costs the load generator little. */
export function checksBody(organization: number, subscriber: number): string {
  const key = (organization % variants) * size.subscribers + subscriber
  const items = () =>
    Array.from({ length: size.features }, (_, feature) => checkBody(organization, subscriber, feature))
  const body = checks.get(key) ?? `{"entitlements":[${items().join(',')}]}`
  checks.set(key, body)
  return body
}

const snapshots = new Map<number, string>()

/** The expected body of a snapshot, also cached. */
export function snapshotBody(organization: number, subscriber: number): string {
  const key = (organization % variants) * size.subscribers + subscriber
  const body = snapshots.get(key) ?? makeSnapshotBody(organization, subscriber)
  snapshots.set(key, body)
  return body
}

const flags = new Map<number, string>()

/** The expected body of all flags, also cached. */
export function flagsBody(organization: number, subscriber: number): string {
  const key = (organization % variants) * size.subscribers + subscriber
  const items = () =>
    Array.from({ length: size.features }, (_, index) =>
      flagJson(entitlementOf(organization, subscriber, size.features - 1 - index)),
    )
  const body = flags.get(key) ?? `{"flags":[${items().join(',')}]}`
  flags.set(key, body)
  return body
}

function makeSnapshotBody(organization: number, subscriber: number): string {
  const newestFirst = Array.from({ length: size.features }, (_, index) => size.features - 1 - index)
  const items = newestFirst.map((feature) => checkBody(organization, subscriber, feature))
  const expiries = newestFirst
    .map((feature) => overrideOf(organization % variants, subscriber, feature)?.expiresAt)
    .filter((expiresAt) => expiresAt instanceof Date)
  const validUntil = expiries.length === 0 ? 'null' : `"${expiries[0]?.toISOString()}"`
  return `{"subscriber_id":"${subscriberId(subscriber)}","plan":"${planKey(planOf(subscriber))}","entitlements":[${items.join(',')}],"valid_until":${validUntil}}`
}
