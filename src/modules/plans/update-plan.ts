import { note } from '../../core/field-type.ts'
import { optionalFields, text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { isSameJson, toObject } from '../../core/json.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { readClock } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { VersionedChange } from '../../database/versions.ts'
import { newEvent } from '../../events/event.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected-updated-at.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { fromStoredValue } from '../features/stored-value.ts'
import { countCatalogBytes } from '../organizations/catalog-caps.ts'
import { renewCatalogVersion } from '../organizations/organization.ts'
import { archiveHints } from './archive-plan.ts'
import { assertGrantsFit, deleteGrants, grantMap, insertGrants, toGrantRows } from './grants.ts'
import { type Grant, lockPlan, type PlanWithGrants, planAnswer, planFields } from './plan.ts'

const input = defineInput(
  {
    ...optionalFields(planFields.input),
    grants: note(grantMap().optional(), { meaning: 'All grants: a feature that is left out is no longer granted.' }),
    expected_updated_at: expectedUpdatedAt('plan'),
    note: note(text(1, 500).optional(), {
      meaning: 'Why the plan changes, or a link to a ticket, for the audit log and the history.',
    }),
  },
  {
    unknown: 'reject',
    hints: {
      ...archiveHints,
      key: 'key cannot be changed: create another plan instead.',
      kind: 'kind cannot be changed: create another plan instead.',
    },
  },
)

export const updatePlan = defineWrite({
  name: 'updatePlan',
  summary: 'Change the name, the grants or the position of a plan.',
  method: 'PATCH',
  route: '/org/plans/{key}',
  service: 'api',
  labels: ['plans:write'],
  locks: 'organization',
  status: 200,
  input,
  answer: planAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, sql, organizationId, memberId, path, input, limits }) {
    const { bytesBefore } = await renewCatalogVersion(tx, organizationId)
    const plan = await lockPlan(tx, organizationId, path.key, 'update')
    const { grants, expected_updated_at, note: reason, ...written } = input
    if (grants) await assertGrantsFit(tx, organizationId, grants)
    assertUnchanged('plan', plan, expected_updated_at)

    const changedGrants = grants ? findChangedGrants(plan, grants) : []
    const details = {
      ...describeChanges(plan, written),
      ...(changedGrants.length > 0 && {
        grants: toObject(changedGrants.map(({ feature, from, to }) => [feature, { from, to }])),
      }),
    }
    // A note without another change is not recorded.
    if (Object.keys(details).length === 0) return { result: plan, details: null }

    const updatedAt = nextUpdatedAt(plan, await readClock(sql))
    await writeGrants(tx, plan, changedGrants, { at: updatedAt, by: memberId, note: reason })
    await countCatalogBytes(tx, organizationId, { bytesBefore, limits })
    const updated = await tx.plan.update({
      where: { organizationId_key: { organizationId, key: plan.key } },
      data: { ...toColumns(written), updatedAt },
    })
    const event = newEvent(organizationId, updatedAt, { type: 'plan.grants.updated', planKey: plan.key })
    return {
      result: { ...updated, grants: grants ? toGrantRows(plan, grants) : plan.grants },
      details: reason === undefined ? details : { ...details, note: reason },
      changedAt: updatedAt,
      events: changedGrants.length > 0 ? [event] : [],
    }
  },
})

type ChangedGrant = { feature: string; from: Grant | null; to: Grant | null }

export function findChangedGrants(plan: PlanWithGrants, grants: ReadonlyMap<string, Grant>): ChangedGrant[] {
  const stored = new Map(plan.grants.map((row) => [row.featureKey, fromStoredValue(row)]))
  const features = [...new Set([...stored.keys(), ...grants.keys()])].sort()
  return features
    .map((feature) => ({ feature, from: stored.get(feature) ?? null, to: grants.get(feature) ?? null }))
    .filter(({ from, to }) => !isSameJson(from, to))
}

async function writeGrants(
  tx: Transaction,
  plan: PlanWithGrants,
  changes: ChangedGrant[],
  change: VersionedChange,
): Promise<void> {
  if (changes.length === 0) return
  const features = changes.map(({ feature }) => feature)
  await deleteGrants(tx, { organizationId: plan.organizationId, planKey: plan.key }, features, change)
  const granted = changes.flatMap(({ feature, to }) => (to ? [[feature, to] as const] : []))
  await insertGrants(tx, toGrantRows(plan, granted), change)
}
