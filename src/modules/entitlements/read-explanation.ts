import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { keyPattern, timestamp } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { isStorableText } from '../../core/json.ts'
import { overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import { combineColumns, computedColumns, nullableColumns, query, type Sql } from '../../database/sql.ts'
import { columnsOf, overrideTable } from '../../database/table.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import { nextStartOrEndOf } from '../../gate/resolution/entitlement.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadActingMembers } from '../members/acting-member.ts'
import type { Override } from '../overrides/override.ts'
import { pastReadRate } from '../past/past-read-rate.ts'
import { assertPastIsKnown, featuresAt, grantAt, overrideAt, planAt } from '../past/versions.ts'
import { loadPlan } from '../plans/plan.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { type ExplainedFeature, type Explanation, explainFeature, explanationAnswer } from './explanation.ts'

/** The value of `if_plan` for a subscriber without a plan. */
const noPlan = 'none'

/** Explanations are for people: they do not count as evals, and have a lower rate limit. */
export const readExplanation = defineRead({
  name: 'explanation',
  summary: 'Explain why a subscriber has its entitlements, feature by feature.',
  route: '/org/subscribers/{subscriber_id}/explanation',
  service: 'api',
  labels: ['overrides:read'],
  rate: pastReadRate,
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
    { unknown: 'reject', term: 'query parameter' },
  ),
  answer: explanationAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ db, readRows, organizationId, path, input, now }): Promise<Explanation> {
    const { if_plan: ifPlan, at = now } = input
    const subscriber = await loadSubscriber(db, organizationId, path.subscriber_id)
    const subscriberId = subscriber.id
    const hasOtherPlan = ifPlan !== undefined && ifPlan !== noPlan
    const assumedPlan = hasOtherPlan ? await loadPlan(db, organizationId, ifPlan, {}) : ifPlan && null

    const isPast = at < now
    if (isPast) await assertPastIsKnown(db, subscriber, at)
    const scope = {
      organizationId,
      subscriberId,
      ifPlan: assumedPlan === undefined ? undefined : (assumedPlan?.key ?? null),
    }
    const rows = await loadFeatures(readRows, scope, { at: isPast ? at : null, now })
    const plan = rows[0]?.plan ?? null
    const setters = await loadActingMembers(db, organizationId, [...new Set(rows.flatMap(({ setBy }) => setBy ?? []))])
    const pause = pauseAfterSlices(organizationId)
    const items: ExplainedFeature[] = []
    for (const row of rows) {
      await pause()
      const { feature: key, featureKind, isGranted, grantLimit: limit, grantValue: value } = row
      // If there are no features, the only row contains just the plan.
      if (key === null) break
      const kind = featureKind as FeatureKind
      const granted = { organizationId, planKey: plan ?? '', featureKey: key, kind, limit, value }
      const override = row.id === null ? null : { ...(row as Override), setter: setters.get(row.setBy ?? '') ?? null }
      items.push(explainFeature({ key, kind }, { override, planGrant: isGranted ? granted : null, at }))
    }
    const ends = rows.flatMap((row) =>
      row.id === null ? [] : (nextStartOrEndOf(row as Override, at)?.getTime() ?? []),
    )
    const end = ends.reduce((first, each) => Math.min(first, each), Number.POSITIVE_INFINITY)
    return { subscriberId, plan, at, items, validUntil: ends.length === 0 ? null : new Date(end) }
  },
})

type ExplanationScope = {
  organizationId: string
  subscriberId: string
  /** The plan to assume instead of the active plan; null for no plan, and undefined to use the active plan. */
  ifPlan: string | null | undefined
}

/** `at` is a time in the past, or null for now. */
type Moment = { at: Date | null; now: Date }

/** SQL: the plan, features, grants and overrides now, or at that time. */
function selectSources({ organizationId, subscriberId }: ExplanationScope, { at, now }: Moment) {
  const [plan, feature] = [Prisma.sql`counting.plan`, Prisma.sql`f.feature_key`]
  if (at === null) {
    const own = Prisma.sql`organization_id = ${organizationId} and subscriber_id = ${subscriberId}`
    return {
      plan: Prisma.sql`select plan_key from subscription where ${own} and status = 'active'`,
      features: Prisma.sql`select * from feature where organization_id = ${organizationId}`,
      grant: Prisma.sql`
        select * from plan_grant where organization_id = ${organizationId} and plan_key = ${plan} and feature_key = ${feature}`,
      override: Prisma.sql`select * from ${overridesAt(organizationId, now)} as override where ${own} and feature_key = ${feature}`,
    }
  }
  const moment = Prisma.sql`${at}::timestamptz`
  return {
    plan: planAt({ organizationId, subscriberId }, moment),
    features: featuresAt(organizationId, moment),
    grant: grantAt(organizationId, plan, feature, moment),
    override: overrideAt({ organizationId, subscriberId }, feature, moment),
  }
}

/** Reads plan, features, grants and overrides in one statement, so that they are consistent. Newest feature first. */
async function loadFeatures(readRows: Sql['query'], scope: ExplanationScope, moment: Moment) {
  const { plan, features, grant, override } = selectSources(scope, moment)
  const { ifPlan } = scope
  return readRows(query`
    with counting as materialized (select (${ifPlan === undefined ? plan : Prisma.sql`select ${ifPlan}::text`}) as plan)
    select ${joinedColumns}
      from counting
      left join (${features}) f on true
      left join lateral (${grant}) g on g.kind = f.kind
      left join lateral (${override}) o on o.kind = f.kind
     order by f.created_at desc, f.feature_key`)
}

const grantColumns = computedColumns({
  plan: ['text', Prisma.sql`counting.plan`],
  feature: ['text', Prisma.sql`f.feature_key`],
  featureKind: ['feature_kind', Prisma.sql`f.kind`],
  isGranted: ['boolean', Prisma.sql`g.feature_key is not null`],
  grantLimit: ['bigint', Prisma.sql`g."limit"`],
  grantValue: ['text', Prisma.sql`g.value`],
})

const joinedColumns = nullableColumns(combineColumns(grantColumns, columnsOf(overrideTable, 'o')))
