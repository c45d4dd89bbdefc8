import type { Catalog, Feature, Grant } from '../../../../core/catalog/catalog.ts'
import type { Count } from '../../../components/text/number.ts'
import type { CatalogToCopyQuery } from '../../../generated/copy-catalog.ts'

type Features = NonNullable<CatalogToCopyQuery['features']>
type Plans = NonNullable<CatalogToCopyQuery['plans']>

/**
 * A catalog for comparisons, with the version of each object (by a name such as `plan pro`) and the number of subscribers of
 * each plan.
 */
export type LoadedCatalog = {
  catalog: Catalog
  versions: Map<string, string>
  subscribers: ReadonlyMap<string, Count | null>
}

/** Features and plans oldest first, in the order in which a copy creates them. */
export function toLoadedCatalog({ features, plans }: { features: Features; plans: Plans }): LoadedCatalog {
  return {
    catalog: {
      features: new Map(features.toReversed().map((feature) => [feature.key, toFeature(feature)])),
      plans: new Map(
        plans.toReversed().map(({ key, name, kind, archivedAt, position, grants }) => {
          const byFeature = new Map(grants.map((grant) => [grant.feature, toGrant(grant)]))
          return [
            key,
            { key, name, kind, archived: archivedAt !== null, others: othersOf(position), grants: byFeature },
          ]
        }),
      ),
    },
    versions: new Map([
      ...features.map(({ key, updatedAt }) => [`feature ${key}`, updatedAt] as const),
      ...plans.map(({ key, updatedAt }) => [`plan ${key}`, updatedAt] as const),
    ]),
    subscribers: new Map(plans.map(({ key, subscriberCount }) => [key, subscriberCount])),
  }
}

function toFeature({ key, name, description, kind, valueType, options, position }: Features[number]): Feature {
  return {
    ...{ key, name, description, options, others: othersOf(position) },
    kind: kind.toLowerCase() as Feature['kind'],
    value_type: (valueType?.toLowerCase() ?? null) as Feature['value_type'],
  }
}

function toGrant({ kind, limit, value }: Plans[number]['grants'][number]): Grant {
  switch (kind) {
    case 'FLAG':
      return { kind: 'flag' }
    case 'LIMIT':
      return { kind: 'limit', limit }
    case 'CONFIG':
      return { kind: 'config', value }
  }
}

const othersOf = (position: number | null) => (position === null ? {} : { position })
