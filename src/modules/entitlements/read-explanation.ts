import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { keyPattern, timestamp } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { isStorableText } from '../../core/json.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import { both, computed, orNull, type Query, query, viaPrisma } from '../../database/sql.ts'
import { columnsOf, overrideTable } from '../../database/table.ts'
import { defineRead } from '../../operation/operation.ts'
import { type Override, withSetters } from '../overrides/override.ts'
import { pastRate } from '../past/rate.ts'
import { loadPastFeatures, type PastFeature } from '../past/read-past.ts'
import { loadPlan } from '../plans/plan.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { type ExplainedItem, type Explanation, explainFeature, explanationAnswer, isUnknown } from './explanation.ts'

/** Stands for no plan at all. */
const noPlan = 'none'

/** For people: it is not an eval, is not counted, and has a lower rate limit. */
export const readExplanation = defineRead({
  name: 'explanation',
  summary: 'Explain why a subscriber has what they have, feature by feature.',
  route: '/org/subscribers/{subscriber_id}/explanation',
  service: 'api',
  labels: ['overrides:read'],
  rate: pastRate,
  input: defineInput(
    {
      if_plan: asScalar(
        'ID',
        z
          .string()
          .refine((text) => text !== '' && isStorableText(text))
          .describe('the key of a plan, or none for no plan')
          .meta({ pattern: keyPattern.source }),
      ).optional(),
      at: timestamp().optional().describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z'),
    },
    { unknown: 'reject', noun: 'query parameter' },
  ),
  answer: explanationAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ db, organizationId, path, input, now }): Promise<Explanation> {
    const { if_plan: ifPlan, at = now } = input
    const subscriber = await loadSubscriber(db, organizationId, path.subscriber_id)
    const subscriberId = subscriber.id
    const isSupposed = ifPlan !== undefined && ifPlan !== noPlan
    const supposed = isSupposed ? await loadPlan(db, organizationId, ifPlan, {}) : ifPlan && null

    const { plan, features } =
      at < now
        ? await loadPastFeatures(db, subscriber, { at, now, ifPlan: supposed })
        : await loadFeatures(db, { organizationId, subscriberId, ifPlan })
    const overrides = await withSetters(
      db,
      features.flatMap((feature) => (feature.isKnown ? (feature.override ?? []) : [])),
    )
    const overrideByFeature = new Map(overrides.map((override) => [override.featureKey, override]))
    const items = features.map((feature): ExplainedItem => {
      if (!feature.isKnown) return { key: feature.key, unknown: true }
      return explainFeature(feature, {
        override: overrideByFeature.get(feature.key) ?? null,
        planGrant: feature.grant,
        at,
      })
    })
    const ends = items.flatMap((item) => (isUnknown(item) ? [] : (item.override?.expiresAt?.getTime() ?? [])))
    return { subscriberId, plan, at, items, validUntil: ends.length === 0 ? null : new Date(Math.min(...ends)) }
  },
})

type ExplanationKey = { organizationId: string; subscriberId: string; ifPlan: string | undefined }

/** Reads plan, features, grants and overrides in one statement, and so at one moment. Newest feature first. */
async function loadFeatures(db: Queries, { organizationId, subscriberId, ifPlan }: ExplanationKey) {
  const joined = await viaPrisma(db).query(query`
    with counting as materialized (
      select case when ${ifPlan === undefined}
                  then (select plan_key from subscription
                         where organization_id = ${organizationId} and subscriber_id = ${subscriberId} and status = 'active')
                  else ${ifPlan === undefined || ifPlan === noPlan ? null : ifPlan}::text end as plan)
    select ${joinedColumns}
      from counting
      left join feature f on f.organization_id = ${organizationId}
      left join plan_grant g
        on g.organization_id = ${organizationId} and g.plan_key = counting.plan and g.feature_key = f.feature_key
      left join override o
        on o.organization_id = ${organizationId} and o.subscriber_id = ${subscriberId} and o.feature_key = f.feature_key
     order by f.created_at desc, f.feature_key`)
  const features = joined.flatMap((row) => toFeature(row, organizationId))
  return { plan: joined[0]?.plan ?? null, features }
}

const found = computed({
  plan: ['text', Prisma.sql`counting.plan`],
  feature: ['text', Prisma.sql`f.feature_key`],
  featureKind: ['feature_kind', Prisma.sql`f.kind`],
  isGranted: ['boolean', Prisma.sql`g.feature_key is not null`],
  grantLimit: ['bigint', Prisma.sql`g."limit"`],
  grantValue: ['text', Prisma.sql`g.value`],
})

const joinedColumns = orNull(both(found, columnsOf(overrideTable, 'o')))

type JoinedRow = typeof joinedColumns extends Query<infer Row> ? Row : never

/** Without features there is one row, which has only the plan. */
function toFeature(joined: JoinedRow, organizationId: string): PastFeature[] {
  const { plan, feature: key, featureKind, isGranted, grantLimit, grantValue, ...override } = joined
  if (key === null) return []
  const kind = featureKind as FeatureKind
  const grant = { organizationId, planKey: plan ?? '', featureKey: key, kind, limit: grantLimit, value: grantValue }
  const known = override.id === null ? null : (override as Override)
  return [{ key, isKnown: true, kind, grant: isGranted ? grant : null, override: known }]
}
