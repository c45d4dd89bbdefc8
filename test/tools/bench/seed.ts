import type { Pool } from 'pg'
import { ulid } from 'ulidx'
import { featureOf, grantOf, overrideOf, planKey, planOf, size, subscriberId, variants } from './model.ts'
import { seedCallers } from './seed-callers.ts'

/** Fills the database with the model. `keyHashes` has the hash of one key for each organization; limits are raised. */
export async function seedBench(pool: Pool, keyHashes: readonly Buffer[]): Promise<void> {
  const ids = Array.from({ length: size.organizations }, () => ulid())
  await pool.query(
    `insert into organization select id, 'Bench', gen_random_uuid(), now(), now() from unnest($1::text[]) id`,
    [ids],
  )
  await seedCallers(pool, ids, keyHashes)
  for (let variant = 0; variant < variants; variant++) {
    await seedVariant(
      pool,
      ids.filter((_, index) => index % variants === variant),
      variant,
    )
  }
  await pool.query('analyze')
}

/** Adds rows that are the same in each organization. */
async function seedVariant(pool: Pool, ids: readonly string[], variant: number): Promise<void> {
  const features = range(size.features)
  const plans = range(size.plans)
  const subscribers = range(size.subscribers)
  const insert = (into: string, columns: string, rows: object[]) =>
    pool.query(
      `insert into ${into} from unnest($1::text[]) id cross join json_to_recordset($2::json) as r(${columns})`,
      [ids, JSON.stringify(rows)],
    )

  await insert(
    `feature (organization_id, feature_key, name, kind, value_type, created_at, updated_at)
     select id, key, key, kind::feature_kind, case kind when 'config' then 'string'::value_type end, now() + ordinal * interval '1 ms', now()`,
    'key text, kind text, ordinal int',
    features.map((feature) => ({ ...featureOf(feature), ordinal: feature })),
  )
  await insert(
    'plan (organization_id, plan_key, name, created_at, updated_at) select id, key, key, now(), now()',
    'key text',
    plans.map((plan) => ({ key: planKey(plan) })),
  )
  await insert(
    `plan_grant (organization_id, plan_key, feature_key, kind, "limit", value)
     select id, plan, feature, kind::feature_kind, "limit", "valueJson"`,
    'plan text, feature text, kind text, "limit" bigint, "valueJson" text',
    plans.flatMap((plan) =>
      features.flatMap((feature) => {
        const grant = grantOf(variant, plan, feature)
        return grant === null ? [] : [{ plan: planKey(plan), feature: featureOf(feature).key, ...grant }]
      }),
    ),
  )
  await insert(
    'subscriber (organization_id, subscriber_id, created_at, updated_at) select id, key, now(), now()',
    'key text',
    subscribers.map((subscriber) => ({ key: subscriberId(subscriber) })),
  )
  await insert(
    `subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
     select id, subscription, subscriber, plan, now()`,
    'subscription text, subscriber text, plan text',
    subscribers.map((subscriber) => ({
      subscription: ulid(),
      subscriber: subscriberId(subscriber),
      plan: planKey(planOf(subscriber)),
    })),
  )
  await insert(
    `"override" (organization_id, subscriber_id, feature_key, override_id, kind, allowed, "limit", value, expires_at, created_at, updated_at)
     select id, subscriber, feature, override, kind::feature_kind, allowed, "limit", "valueJson", "expiresAt", now(), now()`,
    'subscriber text, feature text, override text, kind text, allowed boolean, "limit" bigint, "valueJson" text, "expiresAt" timestamptz',
    subscribers.flatMap((subscriber) =>
      features.flatMap((feature) => {
        const override = overrideOf(variant, subscriber, feature)
        const ids = { subscriber: subscriberId(subscriber), feature: featureOf(feature).key, override: ulid() }
        return override === null ? [] : [{ ...ids, ...override }]
      }),
    ),
  )
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
