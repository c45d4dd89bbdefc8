import { type Count, maxCounted, toCount } from '../../core/count.ts'
import type { ReadScope } from '../../operation/operation.ts'

/** How many live overrides each of several features has, by feature key. */
export async function loadOverrideCounts(
  { db, organizationId, now }: ReadScope,
  featureKeys: readonly string[],
): Promise<Map<string, Count>> {
  const counted = await db.$queryRaw<{ key: string; rows: number }[]>`
    select asked.key, (select count(*)::int from (
             select from override
              where organization_id = ${organizationId} and feature_key = asked.key
                and coalesce(expires_at, 'infinity'::timestamptz) > ${now.toISOString()}::timestamptz
              limit ${maxCounted + 1}) counted) as rows
      from unnest(${featureKeys}::text[]) as asked (key)`
  return new Map(counted.map(({ key, rows }) => [key, toCount(rows)]))
}
