import type { Queries } from '../../database/prisma.ts'
import { takeMostFrequent } from './heavy-hitters.ts'

/** Dates in UTC, both included. */
export type Period = { from: string; to: string }

type Counts = { granted: number; denied: number }

export type FeatureUsage = Period & {
  features: (Counts & { feature: string; days: (Counts & { date: string })[] })[]
}

export const usageRetentionDays = 100

/** The maximum number of features in one answer. */
export const maxUsedFeatures = 1_000

type Days = [date: string, granted: number, denied: number][]

/** Loads the features that were checked in the period, the most frequently checked first. */
export async function loadFeatureUsage(
  db: Pick<Queries, '$queryRaw'>,
  { organizationId, feature, from, to }: Period & { organizationId: string; feature?: string | undefined },
): Promise<FeatureUsage> {
  const rows = await db.$queryRaw<{ feature: string; days: Days }[]>`
    select feature_key as feature, json_agg(json_build_array(date, granted, denied) order by date) as days
      from feature_usage_day
     where organization_id = ${organizationId} and date between ${from}::date and ${to}::date
       and (${feature ?? null}::text is null or feature_key = ${feature ?? null})
     group by feature_key
     order by sum(granted + denied) desc, feature_key
     limit ${maxUsedFeatures}`
  const features = rows.map(({ feature, days }) => {
    const byDay = days.map(([date, granted, denied]) => ({ date, granted, denied }))
    const [granted, denied] = [sum(byDay, 'granted'), sum(byDay, 'denied')]
    return { feature, granted, denied, days: byDay }
  })
  return { from, to, features }
}

function sum(days: readonly Counts[], which: keyof Counts): number {
  return days.reduce((total, day) => total + day[which], 0)
}

export const maxDeniedSubscribers = 20

export type Denials = { subscriberId: string; name: string | null; count: number }[]

/**
 * Loads, for each feature key, the subscribers who were denied the feature most often. Subscribers that have been deleted since
 * are left out.
 */
export async function loadDenials(
  db: Pick<Queries, '$queryRaw'>,
  { organizationId, from, to }: Period & { organizationId: string },
  featureKeys: readonly string[],
): Promise<Map<string, Denials>> {
  const days = await db.$queryRaw<{ feature: string; deniedTo: [string, number][] }[]>`
    select feature_key as feature, denied_to as "deniedTo" from feature_usage_day
     where organization_id = ${organizationId} and feature_key = any(${[...featureKeys]})
       and date between ${from}::date and ${to}::date`
  const byFeature = Map.groupBy(days, ({ feature }) => feature)
  const countsByFeature = new Map(
    Array.from(byFeature, ([feature, daysOfFeature]) => [feature, sumByName(daysOfFeature)]),
  )
  const ids = [...new Set([...countsByFeature.values()].flatMap((counts) => [...counts.keys()]))]
  const subscribers = await db.$queryRaw<{ id: string; name: string | null }[]>`
    select subscriber_id as id, name from subscriber where organization_id = ${organizationId} and subscriber_id = any(${ids})`
  const names = new Map(subscribers.map(({ id, name }) => [id, name]))
  return new Map(
    Array.from(countsByFeature, ([feature, counts]) => {
      const existingSubscribers = [...counts].filter(([id]) => names.has(id))
      const denials = takeMostFrequent(existingSubscribers, maxDeniedSubscribers).map(([subscriberId, count]) => {
        return { subscriberId, name: names.get(subscriberId) ?? null, count }
      })
      return [feature, denials]
    }),
  )
}

function sumByName(days: readonly { deniedTo: [string, number][] }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { deniedTo } of days) {
    for (const [id, count] of deniedTo) counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return counts
}
