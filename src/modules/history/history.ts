import { defineAnswer, nullableFrom, pageOf } from '../../core/answer.ts'
import { jsonField, keyField, textField, timeField } from '../../core/answer-fields.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import type { Entitlement } from '../../gate/resolution/entitlement.ts'
import { entitlementAnswer } from '../entitlements/entitlement.ts'
import { type ActingMember, actingMemberAnswer } from '../members/acting-member.ts'

export type Cause = 'override' | 'expiry' | 'subscription' | 'plan' | 'subscriber'

/** `group` is the id of the change to which the item belongs. */
type CommonItemFields = { id: string; group: string; at: Date; by: ActingMember | null; note: string | null }

/** A change of a check's answer, or the creation of the subscriber. */
export type HistoryItem = CommonItemFields & {
  feature: string | null
  cause: Cause
  from: Entitlement | null
  to: Entitlement | null
  /** The plan in force after the change. */
  plan: string | null
}

/** A change of a field of a feature or plan, or of a plan's grant for one feature. */
export type FieldItem = CommonItemFields & {
  feature: string | null
  field: string
  from: unknown
  to: unknown
  /** Only in the history of a feature: the plan whose grant changed. */
  plan?: string
}

const historyCause = namedEnum(
  'HistoryCause',
  {
    override: 'An override was put or deleted.',
    expiry: 'An override expired.',
    subscription: 'The subscriber got another plan, or lost its plan.',
    plan: "The plan's grant of the feature changed.",
    subscriber: 'The subscriber was created.',
  } satisfies Record<Cause, string>,
  'Why an entitlement changed.',
)

const itemId = asScalar('ID', textField(1, 300)).describe(
  'The id of the item, which the REST API takes as `starting_after`.',
)
const group = asScalar('ID', textField(1, 300)).describe(
  'The id of the change. Items of the same change share this id, and follow each other.',
)
const at = timeField().describe('When it changed.')
const by = nullableFrom('by', actingMemberAnswer, 'Who changed it, if known; null for an expiry.')

export const historyItemAnswer = defineAnswer<HistoryItem>(
  'HistoryItem',
  "A change of the subscriber's entitlement to one feature, or the creation of the subscriber.",
  {
    id: itemId,
    group,
    at,
    feature: keyField().nullable().describe("The feature's key; null when the subscriber was created."),
    cause: historyCause.describe('Why it changed.'),
    from: nullableFrom(
      'from',
      entitlementAnswer,
      'What a check answered just before the change; null when the subscriber was created.',
    ),
    to: nullableFrom(
      'to',
      entitlementAnswer,
      'What a check answered after the change; null when the subscriber was created.',
    ),
    by,
    note: textField(1, 500).nullable().describe("The note of the plan's change or of the override, if there is one."),
    plan: keyField().nullable().describe('The plan in force after the change.'),
  },
)

export const historyAnswer = pageOf('history', historyItemAnswer)

const value = (description: string) => jsonField().nullable().describe(description)

export const fieldItemAnswer = defineAnswer<FieldItem>('FieldItem', 'A change of one field.', {
  id: itemId,
  group,
  at,
  feature: keyField().nullable().describe('The feature whose grant changed, if the field is `grant`.'),
  plan: keyField().optional().describe('In the history of a feature: the plan whose grant changed.'),
  field: textField(1, 64).describe('The name of the field, such as `name`, `archived` or `grant`.'),
  from: value('The value before the change; `{ "too_large": true }` for a field that was too large for the audit log.'),
  to: value('The value after the change, in the same format.'),
  by,
  note: textField(1, 500).nullable().describe("The note of the plan's change, if there is one."),
})

export const fieldHistoryAnswer = pageOf('history', fieldItemAnswer)
