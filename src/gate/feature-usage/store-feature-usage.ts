import type { Pool, PoolClient } from 'pg'
import { mergeSketches } from './heavy-hitters.ts'

/** Answers for a feature on a day; `deniedTo` are the subscribers who were denied most often, if any. */
export type FeatureCount = {
  organizationId: string
  feature: string
  day: string
  granted: number
  denied: number
  deniedTo: ReadonlyMap<string, number> | null
}

/** The rows that one transaction locks. */
const maxRows = 500

/** Adds the counts to those of the database, in batches, each of which commits without waiting for the disk. */
export async function storeFeatureUsage(pool: Pool, counts: readonly FeatureCount[]): Promise<void> {
  // All processes lock the rows in this order.
  const sorted = addUp(counts).sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
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

/** A statement may write a row once. */
function addUp(counts: readonly FeatureCount[]): FeatureCount[] {
  const sums = new Map<string, FeatureCount>()
  for (const count of counts) {
    const name = nameOf(count)
    const sum = sums.get(name)
    sums.set(name, sum === undefined ? count : addTo(sum, count))
  }
  return [...sums.values()]
}

function addTo(sum: FeatureCount, { granted, denied, deniedTo }: FeatureCount): FeatureCount {
  const merged = mergeSketches(sum.deniedTo ?? new Map(), deniedTo ?? new Map())
  return { ...sum, granted: sum.granted + granted, denied: sum.denied + denied, deniedTo: merged }
}

type StoredRow = { organization_id: string; feature_key: string; day: string; denied_to: [string, number][] }

/** Organizations may have been deleted since. */
async function storeBatch(client: PoolClient, counts: readonly FeatureCount[]): Promise<void> {
  const { rows } = await client.query<StoredRow>(
    `insert into feature_usage_day as u (organization_id, feature_key, date, granted, denied)
     select organization_id, c.feature_key, c.date, c.granted, c.denied
       from unnest($1::text[], $2::text[], $3::date[], $4::bigint[], $5::bigint[])
            with ordinality as c (organization_id, feature_key, date, granted, denied, place)
       join organization using (organization_id)
      order by c.place
         on conflict (organization_id, feature_key, date) do update
        set granted = u.granted + excluded.granted, denied = u.denied + excluded.denied
     returning organization_id, feature_key, date::text as day, denied_to`,
    [
      counts.map(({ organizationId }) => organizationId),
      counts.map(({ feature }) => feature),
      counts.map(({ day }) => day),
      counts.map(({ granted }) => granted),
      counts.map(({ denied }) => denied),
    ],
  )
  const byName = new Map(counts.map((count) => [nameOf(count), count]))
  const merged = rows.flatMap(({ organization_id: organizationId, feature_key: feature, day, denied_to }) => {
    const deniedTo = byName.get(nameOf({ organizationId, feature, day }))?.deniedTo
    if (!deniedTo?.size) return []
    return [{ organizationId, feature, day, deniedTo: [...mergeSketches(new Map(denied_to), deniedTo)] }]
  })
  if (merged.length === 0) return
  await client.query(
    `update feature_usage_day u set denied_to = m.denied_to::json
       from unnest($1::text[], $2::text[], $3::date[], $4::text[]) as m (organization_id, feature_key, date, denied_to)
      where u.organization_id = m.organization_id and u.feature_key = m.feature_key and u.date = m.date`,
    [
      merged.map(({ organizationId }) => organizationId),
      merged.map(({ feature }) => feature),
      merged.map(({ day }) => day),
      merged.map(({ deniedTo }) => JSON.stringify(deniedTo)),
    ],
  )
}

/** None of the parts has a space. */
function nameOf({ organizationId, feature, day }: Pick<FeatureCount, 'organizationId' | 'feature' | 'day'>): string {
  return `${organizationId} ${feature} ${day}`
}
