import type { Pool } from 'pg'
import { ulid } from 'ulidx'
import { setCatalogBytes } from '../../support/catalog-bytes.ts'
import { seedCallers } from './seed-callers.ts'

/** What a tenant stores a lot of, to slow the other tenants as much as it can. */
export type Worst = 'large values' | 'many grants' | 'large overrides' | 'large plan'

/** A JSON text of this many bytes. */
const jsonOf = (bytes: number) => JSON.stringify('v'.repeat(bytes - 2))

/** An organization with a catalog or overrides as large as the caps allow, a key, and the subscriber `s` on plan `p0`. */
export async function seedWorst(pool: Pool, keyHash: Buffer, worst: Worst): Promise<void> {
  const id = ulid()
  const at = 'now(), now()'
  await pool.query(
    `insert into organization (organization_id, name, created_at, updated_at) values ($1, 'Worst', ${at})`,
    [id],
  )
  await seedCallers(pool, [id], [keyHash])
  switch (worst) {
    case 'large values':
      await seedCatalog(pool, id, { features: 64, plans: 4, valueJson: jsonOf(65_000) })
      break
    case 'many grants':
      await seedCatalog(pool, id, { features: 10_000, plans: 30, valueJson: null })
      break
    case 'large overrides':
      await seedCatalog(pool, id, { features: 64, plans: 1, valueJson: jsonOf(10) })
      break
    case 'large plan':
      await seedCatalog(pool, id, { features: 10_000, plans: 1, valueJson: jsonOf(1000) })
  }
  // The bench renames this plan, so that the service reads the catalog again.
  await pool.query(
    `insert into plan (organization_id, plan_key, name, created_at, updated_at) values ($1, 'small', 'small', ${at})`,
    [id],
  )
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at) values ($1, 's', ${at})`,
    [id],
  )
  await pool.query(
    `insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at) values ($1, $1, 's', 'p0', now())`,
    [id],
  )
  if (worst === 'large overrides') await seedOverrides(pool, id, jsonOf(65_000))
}

type CatalogSize = { features: number; plans: number; valueJson: string | null }

/** Every plan grants every feature; a null `valueJson` means flags. */
async function seedCatalog(pool: Pool, id: string, { features, plans, valueJson }: CatalogSize): Promise<void> {
  const kind = valueJson === null ? 'flag' : 'config'
  await pool.query(
    `insert into feature (organization_id, feature_key, name, kind, value_type, created_at, updated_at)
     select $1, 'f' || n, 'f', $3::feature_kind, case when $3::feature_kind = 'config' then 'json'::value_type end, now(), now()
     from generate_series(0, $2::int - 1) n`,
    [id, features, kind],
  )
  await pool.query(
    `insert into plan (organization_id, plan_key, name, created_at, updated_at)
     select $1, 'p' || n, 'p', now(), now() from generate_series(0, $2::int - 1) n`,
    [id, plans],
  )
  await pool.query(
    `insert into plan_grant (organization_id, plan_key, feature_key, kind, value)
     select $1, 'p' || p, 'f' || f, $4::feature_kind, $5
     from generate_series(0, $3::int - 1) p, generate_series(0, $2::int - 1) f`,
    [id, features, plans, kind, valueJson],
  )
  await setCatalogBytes(pool, id)
}

async function seedOverrides(pool: Pool, id: string, valueJson: string): Promise<void> {
  await pool.query(
    `insert into "override" (organization_id, subscriber_id, feature_key, override_id, kind, value, created_at, updated_at)
     select $1, 's', feature_key, feature_key, 'config', $2, now(), now() from feature where organization_id = $1`,
    [id, valueJson],
  )
}
