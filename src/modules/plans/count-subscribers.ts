import { type Count, maxCounted, toCount } from '../../core/count.ts'
import type { ReadScope } from '../../operation/operation.ts'

/** Counts the subscribers of several plans, by plan key. */
export async function loadSubscriberCounts(
  { db, organizationId }: Pick<ReadScope, 'db' | 'organizationId'>,
  planKeys: readonly string[],
): Promise<Map<string, Count>> {
  const counted = await db.$queryRaw<{ key: string; rows: number }[]>`
    select requested.key, (select count(*)::int from (
             select from subscription
              where organization_id = ${organizationId} and plan_key = requested.key and status = 'active'
              limit ${maxCounted + 1}) counted) as rows
      from unnest(${planKeys}::text[]) as requested (key)`
  return new Map(counted.map(({ key, rows }) => [key, toCount(rows)]))
}
