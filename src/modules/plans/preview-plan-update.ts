import { z } from 'zod'
import { maxCaps } from '../../config-values.ts'
import { defineAnswer, listFrom, nullableFrom, objectFrom } from '../../core/answer.ts'
import { keyField } from '../../core/answer-fields.ts'
import { type Count, countAnswer } from '../../core/count.ts'
import { type FieldError, maxFieldErrors } from '../../core/errors.ts'
import { assertUnchanged } from '../../operation/expected-updated-at.ts'
import { defineRead } from '../../operation/operation.ts'
import { previewCatalogBytes } from '../organizations/catalog-caps.ts'
import { loadHiddenGrantCounts } from './count-hidden-grants.ts'
import { loadSubscriberCounts } from './count-subscribers.ts'
import { findGrantErrors, toGrantRow } from './grants.ts'
import { type Grant, grantAnswer, loadPlan, type PlanGrant } from './plan.ts'
import { findChangedGrants, updatePlan } from './update-plan.ts'

/** The change that the update would make to one feature; null means no grant. */
export type PreviewedChange = {
  feature: string
  from: PlanGrant | null
  to: PlanGrant | null
  hiddenByOverride: Count
}

export type PlanPreview = { subscribers: Count; changes: PreviewedChange[]; problems: FieldError[] }

export const previewedChangeAnswer = defineAnswer<PreviewedChange>(
  'PreviewedChange',
  'What an update of a plan would change for one feature.',
  {
    feature: keyField().describe("The feature's key."),
    from: nullableFrom('from', grantAnswer, 'What the plan grants now, if anything.'),
    to: nullableFrom('to', grantAnswer, 'What the plan would grant, if anything.'),
    hidden_by_override: objectFrom(
      'hiddenByOverride',
      countAnswer,
      "How many of the plan's subscribers have a live override of the feature, and so would not be affected.",
    ),
  },
)

export const previewProblemAnswer = defineAnswer<FieldError>('PreviewProblem', 'Why an update would be refused.', {
  path: z.string().describe('The field, such as `grants.sso.kind`; empty if the update would exceed a cap.'),
  message: z.string().describe('What is wrong.'),
})

export const planPreviewAnswer = defineAnswer<PlanPreview>('PlanPreview', 'What an update of a plan would do.', {
  subscribers: objectFrom('subscribers', countAnswer, 'How many subscribers have the plan now.'),
  changes: listFrom(
    'changes',
    previewedChangeAnswer,
    'The changes, ordered by feature key. Grants that would be refused are left out.',
    maxCaps.features,
  ),
  problems: listFrom(
    'problems',
    previewProblemAnswer,
    'The reasons why the update would be refused; empty if it would succeed.',
    maxFieldErrors,
  ),
})

/** A read with a body: it writes, records and sends nothing. */
export const previewPlanUpdate = defineRead({
  name: 'previewPlanUpdate',
  summary: 'Show what an update of a plan would change, and for how many subscribers. Changes nothing.',
  method: 'POST',
  route: '/org/plans/{key}/preview',
  service: 'api',
  labels: ['plans:read'],
  input: updatePlan.input,
  answer: planPreviewAnswer,
  refusals: ['CONFLICT'],
  async run({ db, organizationId, path, input, now, limits, findStorageRefusal }): Promise<PlanPreview> {
    const plan = await loadPlan(db, organizationId, path.key)
    const { key } = plan
    const { grants = null, expected_updated_at } = input
    const errors: Map<string, FieldError> = grants ? await findGrantErrors(db, organizationId, grants) : new Map()
    assertUnchanged('plan', plan, expected_updated_at)

    const changedGrants = grants ? findChangedGrants(plan, grants) : []
    const changes = changedGrants.filter(({ feature }) => !errors.has(feature))
    const features = changes.map(({ feature }) => feature)
    const toRow = (feature: string, grant: Grant | null) => grant && toGrantRow(organizationId, key, feature, grant)
    const rows = changes.map(({ feature, from, to }) => ({
      feature,
      from: toRow(feature, from),
      to: toRow(feature, to),
    }))
    const problems = [...errors.values()]
    if (problems.length === 0) {
      const removed = rows.flatMap(({ from }) => from ?? [])
      const added = rows.flatMap(({ to }) => to ?? [])
      const grants = { organizationId, removed, added, limits }
      const refusal = (await previewCatalogBytes(db, grants)) ?? (await findStorageRefusal())
      if (refusal) problems.push({ path: '', message: refusal.message })
    }
    const subscribers = (await loadSubscriberCounts({ db, organizationId }, [key])).get(key) as Count
    const hidden = await loadHiddenGrantCounts({ db, organizationId, now }, { planKey: key, subscribers, features })
    return {
      subscribers,
      changes: rows.map((row) => ({ ...row, hiddenByOverride: hidden.get(row.feature) as Count })),
      problems: problems.slice(0, maxFieldErrors),
    }
  },
})
