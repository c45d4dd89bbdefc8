import { type Count, maxCounted, toCount } from '../../core/count.ts'
import { startedOverrides } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { ReadScope } from '../../operation/operation.ts'

/** SQL: the subscribers with a live override of the feature, as a union of selects, each through an index. */
export function liveOverridesOf(
  featureColumn: string,
  { organizationId, now }: Pick<ReadScope, 'organizationId' | 'now'>,
): Prisma.Sql {
  const feature = Prisma.raw(featureColumn)
  return Prisma.sql`
    select organization_id, subscriber_id from override
     where organization_id = ${organizationId} and feature_key = ${feature} and expires_at > ${now.toISOString()}::timestamptz
     union all
    select organization_id, subscriber_id from override
     where organization_id = ${organizationId} and feature_key = ${feature} and expires_at is null
     union all
    select organization_id, subscriber_id from (${startedOverrides(organizationId, now)}) started
     where feature_key = ${feature}`
}

/** Counts the live overrides of several features, by feature key. */
export async function loadOverrideCounts(
  { db, organizationId, now }: ReadScope,
  featureKeys: readonly string[],
): Promise<Map<string, Count>> {
  const counted = await db.$queryRaw<{ key: string; rows: number }[]>`
    select requested.key, (select count(*)::int from (
             select organization_id from (${liveOverridesOf('requested.key', { organizationId, now })}) live
              limit ${maxCounted + 1}) counted) as rows
      from unnest(${featureKeys}::text[]) as requested (key)`
  return new Map(counted.map(({ key, rows }) => [key, toCount(rows)]))
}
