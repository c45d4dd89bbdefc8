import type { Connection } from '../connection.ts'
import type { Catalog, Feature, FeatureKind, Grant, Plan, ValueType } from './catalog.ts'

/** When each object last changed, as `expected_updated_at` takes it. */
export type Stamps = { features: ReadonlyMap<string, string>; plans: ReadonlyMap<string, string> }

export type StampedCatalog = { catalog: Catalog; stamps: Stamps }

/** As the service answers them. */
type FeatureBody = {
  key: string
  name: string
  description: string
  kind: FeatureKind
  value_type?: ValueType
  options?: string[]
  updated_at: string
}
type GrantBody = { kind: FeatureKind; limit?: number | null; value?: unknown }
type PlanBody = {
  key: string
  name: string
  kind: string
  grants: Record<string, GrantBody>
  archived_at: string | null
  updated_at: string
}

/** The service's catalog, oldest first. */
export async function readService(connection: Connection): Promise<StampedCatalog> {
  const [{ features }, { plans }] = await connection.ask((api) =>
    Promise.all([api.listFeatures(), api.listPlans({ include_archived: true })]),
  )
  return toStamped((features as FeatureBody[]).toReversed(), (plans as PlanBody[]).toReversed())
}

function toStamped(features: readonly FeatureBody[], plans: readonly PlanBody[]): StampedCatalog {
  return {
    catalog: {
      features: new Map(features.map((body) => [body.key, toFeature(body)])),
      plans: new Map(plans.map((body) => [body.key, toPlan(body)])),
    },
    stamps: {
      features: new Map(features.map(({ key, updated_at }) => [key, updated_at])),
      plans: new Map(plans.map(({ key, updated_at }) => [key, updated_at])),
    },
  }
}

function toFeature({ key, name, description, kind, value_type = undefined, options }: FeatureBody): Feature {
  return { key, name, description, kind, value_type: value_type ?? null, options: options ?? null }
}

function toPlan({ key, name, kind, archived_at, grants }: PlanBody): Plan {
  return {
    key,
    name,
    kind,
    archived: archived_at !== null,
    grants: new Map(Object.entries(grants).map(([feature, grant]) => [feature, toGrant(grant)])),
  }
}

function toGrant({ kind, limit = null, value }: GrantBody): Grant {
  if (kind === 'flag') return { kind }
  return kind === 'limit' ? { kind, limit } : { kind, value }
}
