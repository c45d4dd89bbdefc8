import type { Pool } from 'pg'
import { Catalog } from './catalog.ts'
import type { CatalogFeature, FeatureKind } from './entitlement.ts'
import { readInSlices } from './read-in-slices.ts'
import type { TextRow } from './text-query.ts'

/**
 * Version and contents in one statement, so that they are of one snapshot of the database. First the row of version and
 * features, then one row for each grant: `set_config` keeps PostgreSQL from running the parts side by side.
 */
const text = `
with head as materialized (
  select o.catalog_version::text,
    (select string_agg(f.feature_key || ':' || f.kind::text, ',' order by f.created_at desc, f.feature_key)
      from feature f where f.organization_id = o.organization_id) as features,
    set_config('max_parallel_workers_per_gather', '0', true) as one_by_one
  from organization o where o.organization_id = $1
)
select h.catalog_version, h.features, null::text, null::text, null::text, null::text from head h
union all
select null, null, g.plan_key, g.feature_key, g."limit"::text, g.value from plan_grant g where g.organization_id = $1
`

type CatalogRow = [
  version: string | null,
  features: string | null,
  planKey: string,
  featureKey: string,
  limit: string | null,
  valueJson: string | null,
]

/** The organization's catalog as it stands when the database begins the statement. */
export async function loadCatalog(pool: Pool, organizationId: string, timeoutMs: number): Promise<Catalog> {
  let catalog: Catalog | undefined
  await readInSlices(
    { pool, tenant: organizationId, timeoutMs },
    { text, values: [organizationId] },
    (row: TextRow) => {
      const [version, features, planKey, featureKey, limit, valueJson] = row as CatalogRow
      if (version !== null) {
        catalog = new Catalog(version, toFeatures(features))
        return
      }
      if (catalog === undefined) throw new Error('a grant came before the version of its catalog')
      catalog.add(planKey, featureKey, limit === null ? null : Number(limit), valueJson)
    },
  )
  if (catalog === undefined) throw new Error(`there is no organization ${organizationId}`)
  return catalog
}

/** From `key:kind` joined by commas, which a key cannot have. */
function toFeatures(list: string | null): CatalogFeature[] {
  if (list === null) return []
  return list.split(',').map((item) => {
    const colon = item.indexOf(':')
    return { key: item.slice(0, colon), kind: item.slice(colon + 1) as FeatureKind }
  })
}
