import type { Pool } from 'pg'
import type { FeatureKind } from '../../database/generated/enums.ts'
import { readInSlices } from '../../database/read-in-slices.ts'
import type { TextRow } from '../../database/sql.ts'
import { Catalog } from '../resolution/catalog.ts'
import type { CatalogFeature } from '../resolution/entitlement.ts'

/**
 * Reads the version and the contents in one statement, and so from one snapshot of the database. The first row has the version
 * and the features; the next rows have a plan's flags and limits, a thousand in each, because separate rows would take ten
 * times as long; each of the last rows has one value. `set_config` keeps PostgreSQL from reading the rows in parallel workers.
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
select null, null, p.plan_key, string_agg(p.feature_key || ':' || coalesce(p."limit"::text, ''), ','), null, null
from (
  select g.plan_key, g.feature_key, g."limit",
    (row_number() over (partition by g.plan_key order by g.feature_key)) / 1000 as part
  from plan_grant g where g.organization_id = $1 and g.value is null
) p
group by p.plan_key, p.part
union all
select null, null, g.plan_key, null, g.feature_key, g.value from plan_grant g
where g.organization_id = $1 and g.value is not null
`

type CatalogRow = [
  version: string | null,
  features: string | null,
  planKey: string,
  /** Flags and limits of the plan, `key:limit` joined by commas. */
  list: string | null,
  featureKey: string,
  valueJson: string,
]

/** Adding a flag or a limit takes as long as reading this many bytes of a value. */
const itemBytes = 32

/** Loads the organization's catalog as it is when the database begins the statement. */
export async function loadCatalog(
  pool: Pool,
  { organizationId, ownerId }: { organizationId: string; ownerId: string },
  timeoutMs: number,
): Promise<Catalog> {
  let catalog: Catalog | undefined
  await readInSlices({ pool, tenant: ownerId, timeoutMs }, { text, values: [organizationId] }, (row: TextRow) => {
    const [version, features, planKey, list, featureKey, valueJson] = row as CatalogRow
    if (version !== null) {
      catalog = new Catalog(version, toFeatures(features))
      return catalog.features.length * itemBytes
    }
    if (catalog === undefined) throw new Error('a grant came before the version of its catalog')
    if (list !== null) return addList(catalog, planKey, list)
    catalog.add(planKey, featureKey, null, valueJson)
    return valueJson.length + itemBytes
  })
  if (catalog === undefined) throw new Error(`there is no organization ${organizationId}`)
  return catalog
}

function addList(catalog: Catalog, planKey: string, list: string): number {
  const items = list.split(',')
  for (const item of items) {
    const colon = item.indexOf(':')
    const limit = item.slice(colon + 1)
    catalog.add(planKey, item.slice(0, colon), limit === '' ? null : Number(limit), null)
  }
  return items.length * itemBytes
}

/** Parses `key:kind` pairs that are joined by commas; a key contains neither colons nor commas. */
function toFeatures(list: string | null): CatalogFeature[] {
  if (list === null) return []
  return list.split(',').map((item) => {
    const colon = item.indexOf(':')
    return { key: item.slice(0, colon), kind: item.slice(colon + 1) as FeatureKind }
  })
}
