import type { Database } from '../database/client.ts'
import { demoFeatures, grantsOf, type PlanKey, planKeys } from './catalog.ts'
import { createRandomSource, type RandomSource } from './random-source.ts'

type Vendor = { database: Database; organizationId: string }
type Day = { date: string; used: number }
type RequestedFeature = { feature: string; share: number; deniedTo: readonly string[]; deniedShare: number }

/** As many subscribers as the service itself keeps for a day and feature. */
const maxDeniedSubscribers = 50

/** Writes which features the evals of each day checked. Customers whose plan does not grant a feature were denied. */
export async function writeFeatureUsage({ database: { pool }, organizationId }: Vendor): Promise<void> {
  const { rows: days } = await pool.query<Day>(
    `select date::text, used::float8 as used from eval_usage_day where organization_id = $1
     union all
     select (now() at time zone 'UTC')::date::text, day_used::float8 from eval_counter where organization_id = $1
      order by 1`,
    [organizationId],
  )
  const { rows: customers } = await pool.query<{ id: string; plan: PlanKey }>(
    `select subscriber_id as id, plan_key as plan from subscription
      where organization_id = $1 and status = 'active' order by subscriber_id`,
    [organizationId],
  )
  const random = createRandomSource(20_261_123)
  const checkedFeatures = requestedFeatures(customers, random)
  const rows = days.flatMap(({ date, used }) => checkedFeatures.map((feature) => rowOf(feature, date, used, random)))
  await pool.query(
    `insert into feature_usage_day (organization_id, feature_key, date, granted, denied, denied_to)
     select $1, feature_key, date, granted, denied, denied_to::json
       from unnest($2::text[], $3::date[], $4::bigint[], $5::bigint[], $6::text[])
         as day (feature_key, date, granted, denied, denied_to)`,
    [
      organizationId,
      rows.map(({ feature }) => feature),
      rows.map(({ date }) => date),
      rows.map(({ granted }) => granted),
      rows.map(({ denied }) => denied),
      rows.map(({ deniedTo }) => JSON.stringify(deniedTo)),
    ],
  )
}

/**
 * Each feature's share of all checks, and the subscribers to whom the checks are denied. A few features are checked much more
 * often than the others.
 */
function requestedFeatures(
  customers: readonly { id: string; plan: PlanKey }[],
  random: RandomSource,
): RequestedFeature[] {
  const granted = new Map(planKeys.map((plan) => [plan, grantsOf(plan)]))
  const weightedFeatures = demoFeatures.map(({ key }) => {
    const deniedTo = customers.filter(({ plan }) => !isAllowed(granted.get(plan)?.[key])).map(({ id }) => id)
    // Products check a feature less often if they hide it from customers without it.
    const deniedShare = customers.length === 0 ? 0 : (deniedTo.length / customers.length) * 0.3
    return {
      feature: key,
      weight: 0.02 + random.next() ** 3,
      deniedTo: shuffle(deniedTo, random).slice(0, maxDeniedSubscribers),
      deniedShare,
    }
  })
  const sum = weightedFeatures.reduce((total, { weight }) => total + weight, 0)
  return weightedFeatures.map(({ weight, ...feature }) => ({ ...feature, share: weight / sum }))
}

function isAllowed(grant: ReturnType<typeof grantsOf>[string] | undefined): boolean {
  return grant !== undefined && !(grant.kind === 'limit' && grant.limit === 0)
}

function shuffle<Item>(items: readonly Item[], random: RandomSource): Item[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

/** A feature's counts for a day. The subscriber with the most denials has a fifth of them, the second a tenth, and so on. */
function rowOf(
  { feature, share, deniedTo, deniedShare }: RequestedFeature,
  date: string,
  used: number,
  random: RandomSource,
) {
  const asked = Math.round(used * share * (0.85 + 0.3 * random.next()))
  const denied = Math.round(asked * deniedShare * (0.8 + 0.4 * random.next()))
  const named = deniedTo.map((id, index): [string, number] => [id, Math.floor((denied * 0.2) / (index + 1))])
  return { feature, date, granted: asked - denied, denied, deniedTo: named.filter(([, count]) => count > 0) }
}
