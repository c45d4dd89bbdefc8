import { maxCaps } from '../../config-values.ts'
import { defineAnswer, fieldFrom, listFrom, nullableFrom, objectFrom } from '../../core/answer.ts'
import { anyIdField, keyField, timeField } from '../../core/answer-fields.ts'
import {
  type CatalogFeature,
  type Entitlement,
  isLive,
  type OverrideInForce,
  resolve,
} from '../../gate/resolution/entitlement.ts'
import { featureKind } from '../features/feature.ts'
import { type OverrideWithSetter, overrideWithSetterAnswer } from '../overrides/override.ts'
import { grantAnswer, type PlanGrant } from '../plans/plan.ts'
import { entitlementAnswer } from './entitlement.ts'

/** The reason for a subscriber's entitlement to one feature. */
export type ExplainedFeature = CatalogFeature & {
  entitlement: Entitlement
  override: OverrideWithSetter | null
  planGrant: PlanGrant | null
  /** The entitlement without the override; null if there is no override. */
  beneath: Entitlement | null
}

export type Explanation = {
  subscriberId: string
  plan: string | null
  at: Date
  items: ExplainedFeature[]
  validUntil: Date | null
}

export const explainedFeatureAnswer = defineAnswer<ExplainedFeature>(
  'ExplainedFeature',
  'Why a subscriber has its entitlement to one feature.',
  {
    feature: fieldFrom('key', keyField().describe("The feature's key.")),
    kind: featureKind().describe("The feature's kind."),
    entitlement: objectFrom('entitlement', entitlementAnswer, 'The entitlement, as a check would return it.'),
    override: nullableFrom('override', overrideWithSetterAnswer, 'The live override, if there is one.'),
    plan_grant: nullableFrom('planGrant', grantAnswer, 'What the plan grants, if anything.'),
    beneath: nullableFrom(
      'beneath',
      entitlementAnswer,
      'What a check would answer without the override; null if there is no override.',
    ),
  },
)

export const explanationAnswer = defineAnswer<Explanation>(
  'Explanation',
  'Why a subscriber has its entitlements, feature by feature, in the order of a snapshot.',
  {
    subscriber_id: anyIdField().describe("The subscriber's id."),
    plan: keyField().nullable().describe('The plan that is explained: the active plan, or that of `if_plan`.'),
    at: timeField().describe('The time that the explanation is for.'),
    items: listFrom('items', explainedFeatureAnswer, 'An entitlement for each feature.', maxCaps.features),
    valid_until: timeField().nullable().describe('The earliest time at which an override starts or expires.'),
  },
)

/** Explains an entitlement, with the same `resolve()` as evals. Ignores `override` unless it is live at that time. */
export function explainFeature(
  { key, kind }: CatalogFeature,
  { override, planGrant, at }: { override: OverrideWithSetter | null; planGrant: PlanGrant | null; at: Date },
): ExplainedFeature {
  const feature = { key, kind }
  const live = override !== null && isLive(override, at) ? override : null
  const grant = planGrant && toOverrideInForce(planGrant)
  return {
    ...feature,
    entitlement: resolve(
      feature,
      grant,
      live && { ...toOverrideInForce(live), startsAt: live.startsAt, expiresAt: live.expiresAt },
      at,
    ),
    override: live,
    planGrant,
    beneath: live && resolve(feature, grant, null, at),
  }
}

type Row = Pick<PlanGrant, 'kind' | 'limit' | 'value'> & { allowed?: boolean | null }

/** Converts the row of a grant, or (with `allowed`) of an override, for `resolve()`. */
export function toOverrideInForce({ kind, limit, value, allowed }: Row): OverrideInForce {
  const always = { startsAt: null, expiresAt: null }
  switch (kind) {
    case 'flag':
      return { ...always, kind, allowed: allowed ?? true }
    case 'limit':
      return { ...always, kind, limit: limit === null ? null : Number(limit) }
    case 'config':
      return { ...always, kind, valueJson: value as string }
  }
}
