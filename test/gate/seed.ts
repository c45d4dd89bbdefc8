import { createHash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { ulid } from 'ulidx'
import { setCatalogBytes } from '../support/catalog-bytes.ts'

export type SeededOrganization = { organizationId: string; memberId: string; keyHash: string }

/** An organization with its counter, one service account and its key; a null limit means the gate's default. */
export async function seedOrganization(
  pool: Pool,
  limits: { rateLimit?: number; allotment?: number; role?: string } = {},
): Promise<SeededOrganization> {
  const [organizationId, memberId, accountId] = [ulid(), ulid(), ulid()]
  const keyHash = createHash('sha256').update(randomBytes(32)).digest('hex')
  await pool.query(`insert into organization values ($1, 'Acme', default, now(), now())`, [organizationId])
  await pool.query(`insert into eval_counter (organization_id, rate_limit, allotment) values ($1, $2, $3)`, [
    organizationId,
    limits.rateLimit ?? null,
    limits.allotment ?? null,
  ])
  await pool.query(
    `insert into member (organization_id, member_id, service_account_id, display_name, role, created_at, updated_at)
     values ($1, $2, $3, 'backend', $4::role, now(), now())`,
    [organizationId, memberId, accountId, limits.role ?? 'evaluator'],
  )
  await seedKey(pool, { organizationId, memberId, keyHash })
  return { organizationId, memberId, keyHash }
}

export async function seedKey(pool: Pool, key: SeededOrganization): Promise<void> {
  await pool.query(
    `insert into api_key (organization_id, key_id, service_account_id, member_id, key_hash, key_prefix, name, created_at)
     values ($1, $2, $2, $3, decode($4, 'hex'), 'ent_', 'key', now())`,
    [key.organizationId, ulid(), key.memberId, key.keyHash],
  )
}

let lastCreatedMs = 0

/** The current time, but never the same twice, because answers list the newest feature first. */
function nextCreatedAt(): Date {
  lastCreatedMs = Math.max(Date.now(), lastCreatedMs + 1)
  return new Date(lastCreatedMs)
}

/** Adds a feature as a catalog write does: with a new catalog version in the same statement. */
export async function seedFeature(
  pool: Pool,
  organizationId: string,
  feature: { key: string; kind: 'flag' | 'limit' | 'config'; createdAt?: Date },
): Promise<void> {
  await pool.query(
    `with version as (update organization set catalog_version = gen_random_uuid() where organization_id = $1)
     insert into feature (organization_id, feature_key, name, kind, value_type, created_at, updated_at)
     values ($1, $2, $2, $3::feature_kind, case when $3::feature_kind = 'config' then 'json'::value_type end, $4, $4)`,
    [organizationId, feature.key, feature.kind, feature.createdAt ?? nextCreatedAt()],
  )
}

export type SeededGrant =
  | { kind: 'flag' }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; value: unknown }

/** Adds a plan, or replaces its grants. */
export async function seedPlan(
  pool: Pool,
  organizationId: string,
  key: string,
  grants: Map<string, SeededGrant>,
): Promise<void> {
  const rows = Array.from(grants, ([feature, grant]) => ({
    feature,
    kind: grant.kind,
    limit: grant.kind === 'limit' ? grant.limit : null,
    value: grant.kind === 'config' ? JSON.stringify(grant.value) : null,
  }))
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into plan (organization_id, plan_key, name, created_at, updated_at) values ($1, $2, $2, now(), now()) on conflict do nothing`,
      [organizationId, key],
    )
    await client.query('delete from plan_grant where organization_id = $1 and plan_key = $2', [organizationId, key])
    await client.query(
      `insert into plan_grant (organization_id, plan_key, feature_key, kind, "limit", value)
       select $1, $2, g.feature, g.kind::feature_kind, g."limit", g.value
       from json_to_recordset($3::json) as g(feature text, kind text, "limit" bigint, value text)`,
      [organizationId, key, JSON.stringify(rows)],
    )
    await client.query('update organization set catalog_version = gen_random_uuid() where organization_id = $1', [
      organizationId,
    ])
    await setCatalogBytes(client, organizationId)
    await client.query('commit')
  } finally {
    client.release()
  }
}

export async function seedSubscriber(
  pool: Pool,
  organizationId: string,
  subscriberId: string,
  planKey?: string,
): Promise<void> {
  await pool.query(`insert into subscriber values ($1, $2, null, now(), now())`, [organizationId, subscriberId])
  if (planKey !== undefined) await seedSubscription(pool, organizationId, subscriberId, planKey)
}

/** Cancels the active subscription and subscribes to the plan. */
export async function seedSubscription(
  pool: Pool,
  organizationId: string,
  subscriberId: string,
  planKey: string,
): Promise<void> {
  await cancelSubscription(pool, organizationId, subscriberId)
  await pool.query(
    `insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at) values ($1, $2, $3, $4, now())`,
    [organizationId, ulid(), subscriberId, planKey],
  )
}

export async function cancelSubscription(pool: Pool, organizationId: string, subscriberId: string): Promise<void> {
  await pool.query(
    `update subscription set status = 'canceled', canceled_at = now()
     where organization_id = $1 and subscriber_id = $2 and status = 'active'`,
    [organizationId, subscriberId],
  )
}

type SeededOverride = { expiresAt?: Date } & (
  | { kind: 'flag'; allowed: boolean }
  | { kind: 'limit'; limit: number | null }
  | { kind: 'config'; value: unknown }
)

export async function seedOverride(
  pool: Pool,
  organizationId: string,
  subscriberId: string,
  feature: string,
  override: SeededOverride,
): Promise<void> {
  await pool.query(
    `insert into "override" values ($1, $2, $3, $4, $5::feature_kind, $6, $7, $8, $9, now(), now())
     on conflict (organization_id, subscriber_id, feature_key) do update set
       allowed = excluded.allowed, "limit" = excluded."limit", value = excluded.value, expires_at = excluded.expires_at`,
    [
      organizationId,
      subscriberId,
      feature,
      ulid(),
      override.kind,
      override.kind === 'flag' ? override.allowed : null,
      override.kind === 'limit' ? override.limit : null,
      override.kind === 'config' ? JSON.stringify(override.value) : null,
      override.expiresAt ?? null,
    ],
  )
}
