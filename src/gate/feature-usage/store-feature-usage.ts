import type { Pool, PoolClient } from 'pg'
import { mergeSketches } from './heavy-hitters.ts'

/** How often checks granted and denied a feature on a day; `deniedTo` has the subscribers with the most denials, or null. */
export type FeatureDayCounts = {
  organizationId: string
  feature: string
  day: string
  granted: number
  denied: number
  deniedTo: ReadonlyMap<string, number> | null
}

/** The maximum number of rows that one transaction locks. */
const maxRows = 500

/** Adds the counts to the stored counts, in batches. Each batch commits without waiting for the disk. */
export async function storeFeatureUsage(pool: Pool, counts: readonly FeatureDayCounts[]): Promise<void> {
  // All processes lock the rows in this order, so that they never deadlock.
  const sorted = sumByRow(counts.toSorted(compareRowKeys))
  for (let from = 0; from < sorted.length; from += maxRows) {
    const client = await pool.connect()
    try {
      await client.query('begin; set local synchronous_commit = off')
      await storeBatch(client, sorted.slice(from, from + maxRows))
      await client.query('commit')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

function compareRowKeys(one: FeatureDayCounts, other: FeatureDayCounts): number {
  return (
    compare(one.organizationId, other.organizationId) ||
    compare(one.feature, other.feature) ||
    compare(one.day, other.day)
  )
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

/** Adds up the counts of the same row, because a statement may write a row only once. */
function sumByRow(sorted: readonly FeatureDayCounts[]): FeatureDayCounts[] {
  const sums: FeatureDayCounts[] = []
  for (const count of sorted) {
    const last = sums.at(-1)
    if (last && compareRowKeys(last, count) === 0) sums[sums.length - 1] = addCounts(last, count)
    else sums.push(count)
  }
  return sums
}

function addCounts(sum: FeatureDayCounts, { granted, denied, deniedTo }: FeatureDayCounts): FeatureDayCounts {
  const merged = mergeSketches(sum.deniedTo ?? new Map(), deniedTo ?? new Map())
  return { ...sum, granted: sum.granted + granted, denied: sum.denied + denied, deniedTo: merged }
}

type StoredRow = { index: number; denied_to: [string, number][] }

/** Adds a batch of counts to their rows. Skips organizations that have been deleted since the evals. */
async function storeBatch(client: PoolClient, counts: readonly FeatureDayCounts[]): Promise<void> {
  const { rows } = await client.query<StoredRow>({
    name: 'add-feature-usage',
    text: `with counted as (
         select * from unnest($1::text[], $2::text[], $3::date[], $4::bigint[], $5::bigint[])
           with ordinality as c (organization_id, feature_key, date, granted, denied, ordinal)),
       stored as (
         insert into feature_usage_day as u (organization_id, feature_key, date, granted, denied)
         select organization_id, feature_key, date, granted, denied
           from counted join organization using (organization_id)
          order by ordinal
             on conflict (organization_id, feature_key, date) do update
            set granted = u.granted + excluded.granted, denied = u.denied + excluded.denied
         returning organization_id, feature_key, date, denied_to)
     select (ordinal - 1)::int as index, denied_to
       from stored join counted using (organization_id, feature_key, date)
      where denied > 0`,
    values: [
      counts.map(({ organizationId }) => organizationId),
      counts.map(({ feature }) => feature),
      counts.map(({ day }) => day),
      counts.map(({ granted }) => granted),
      counts.map(({ denied }) => denied),
    ],
  })
  const merged = rows.flatMap(({ index, denied_to: before }) => {
    const { deniedTo, ...count } = counts[index] as FeatureDayCounts
    return deniedTo ? [{ ...count, deniedTo: JSON.stringify([...mergeSketches(new Map(before), deniedTo)]) }] : []
  })
  if (merged.length === 0) return
  await client.query({
    name: 'store-denials',
    text: `update feature_usage_day u set denied_to = m.denied_to::json
       from unnest($1::text[], $2::text[], $3::date[], $4::text[]) as m (organization_id, feature_key, date, denied_to)
      where u.organization_id = m.organization_id and u.feature_key = m.feature_key and u.date = m.date`,
    values: [
      merged.map(({ organizationId }) => organizationId),
      merged.map(({ feature }) => feature),
      merged.map(({ day }) => day),
      merged.map(({ deniedTo }) => deniedTo),
    ],
  })
}
