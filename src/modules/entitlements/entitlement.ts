import { z } from 'zod'
import { maxCaps } from '../../config-values.ts'
import { defineAnswer, fieldFrom, ofKind } from '../../core/answer.ts'
import { anyIdField, jsonField, keyField, largeCountField, timeField } from '../../core/answer-fields.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { StoredJson } from '../../core/stored-json.ts'
import type { EvalUsage } from '../../gate/eval-usage.ts'
import type { Entitlement } from '../../gate/resolution/entitlement.ts'
import type { ResolvedEntitlements } from '../../gate/resolution/resolved-entitlements.ts'
import { featureKind } from '../features/feature.ts'

/* Evals are the hot path: for REST, `toEntitlementJson` concatenates the text that these schemas describe. */

/** A subscriber's entitlements, and the plan. */
export type Snapshot = { subscriberId: string; plan: string | null; entitlements: ResolvedEntitlements }

/** A snapshot and, in case it will be signed, the maximum number of seconds for which it is valid. */
export type RequestedSnapshot = Snapshot & { maxAge: number }

/** The answer of a check: one entitlement, or a list in the requested order. */
export type CheckResult = { entitlements: ResolvedEntitlements; isList: boolean }

/** The maximum number of features in a check. */
export const maxCheckedFeatures = 100

type OfKind<Kind> = Extract<Entitlement, { kind: Kind }>

export const entitlementSource = namedEnum(
  'EntitlementSource',
  {
    override: 'A live override.',
    plan: 'The active plan, without a live override.',
    none: 'Neither a live override nor the active plan grants the feature.',
  },
  'What an entitlement comes from.',
)

export const entitlementAnswer = defineAnswer<Entitlement>(
  'Entitlement',
  'What a subscriber may do with one feature at this moment.',
  {
    feature: keyField().describe("The feature's key."),
    kind: featureKind().describe("The feature's kind."),
    allowed: z
      .boolean()
      .describe(
        'For a flag, its value; for a limit, whether it is granted and not 0; for a config, whether it is granted.',
      ),
    limit: ofKind(
      'limit',
      fieldFrom(
        ({ limit }: OfKind<'limit'>) => limit,
        largeCountField()
          .nullable()
          .describe('Only for kind limit; null means unlimited, and 0 means that nothing grants it.'),
      ),
    ),
    value: ofKind(
      'config',
      fieldFrom(
        ({ valueJson }: OfKind<'config'>) => (valueJson === null ? null : new StoredJson(valueJson)),
        jsonField().nullable().describe('Only for kind config: any JSON value; null when nothing grants it.'),
      ),
    ),
    source: entitlementSource.describe('Where the answer comes from.'),
    expires_at: timeField().nullable().describe('When the override expires, if it is the source.'),
  },
)

const entitlementList = defineAnswer<CheckResult>(
  'EntitlementList',
  'The answer to `features`, in the requested order.',
  {
    entitlements: z
      .array(entitlementAnswer.schema)
      .min(1)
      .max(maxCheckedFeatures)
      .describe('An entitlement for each feature.'),
  },
)

/** One entitlement for `feature`, a list for `features`. */
export const checkAnswer = {
  schema: z
    .union([entitlementAnswer.schema, entitlementList.schema])
    .describe('One entitlement if the body has `feature`; a list of them if it has `features`.'),
}

export const snapshotAnswer = defineAnswer<Snapshot>(
  'Entitlements',
  'What a subscriber may do: one item for every feature of the catalog, newest feature first.',
  {
    subscriber_id: anyIdField().describe("The subscriber's id."),
    plan: keyField().nullable().describe("The active plan's key."),
    entitlements: z.array(entitlementAnswer.schema).max(maxCaps.features).describe('An entitlement for each feature.'),
    valid_until: fieldFrom(
      ({ entitlements }: Snapshot) => entitlements.validUntil,
      timeField().nullable().describe('The earliest time at which an override starts or expires.'),
    ),
  },
)

export const evalUsageDayAnswer = defineAnswer<EvalUsage['days'][number]>('EvalUsageDay', 'A day (UTC) with evals.', {
  date: asScalar('String', z.iso.date()).describe('The day in UTC, such as 2026-11-21.'),
  used: largeCountField().describe('The number of evals on the day.'),
})

export const evalUsageAnswer = defineAnswer<EvalUsage>('EvalUsage', 'The evals of a calendar month.', {
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .describe('The month in UTC, such as 2026-11.'),
  used: largeCountField().describe('The number of evals in the month.'),
  allotment: largeCountField().nullable().describe('The maximum number of evals in a month; null means unlimited.'),
  days: z.array(evalUsageDayAnswer.schema).max(31).describe('The days with evals, oldest first.'),
})
