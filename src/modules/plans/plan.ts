import { z } from 'zod'
import { maxCaps } from '../../config-values.ts'
import { defineAnswer, fieldFrom, listOf } from '../../core/answer.ts'
import { keyField, nameField, positionField, textField, timeField, timeFields } from '../../core/answer-fields.ts'
import { requireFound } from '../../core/errors.ts'
import { keyPattern, name, position } from '../../core/fields.ts'
import { toObject } from '../../core/json.ts'
import { StoredJson } from '../../core/stored-json.ts'
import type { Plan, PlanGrant } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { query, type Sql, viaPrisma } from '../../database/sql.ts'
import { grantTable, type LockStrength, lockRow, planTable } from '../../database/table.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import { featureKind } from '../features/feature.ts'
import { type FeatureValue, valueFields } from '../features/stored-value.ts'

export type { Plan, PlanGrant } from '../../database/generated/client.ts'
export type PlanWithGrants = Plan & { grants: PlanGrant[] }

/** A plan with its grants as rows, or as the text of a JSON object by feature key; without either if not requested. */
export type PlanOutput = Plan & { grants?: PlanGrant[]; grantsJson?: string }

export const grantAnswer = defineAnswer<PlanGrant>('Grant', 'What a plan grants for one feature.', {
  kind: featureKind().describe("The feature's kind."),
  ...valueFields,
})

/** The fields that create and update share. */
export const planFields = defineFields('Plan', {
  name: { input: name(), answer: nameField().describe('The display name.') },
  position: { input: position(), answer: positionField() },
})

export const planAnswer = defineAnswer<PlanOutput>('Plan', 'A set of grants that subscribers subscribe to.', {
  key: keyField().describe('Unique in the organization; never changes.'),
  ...planFields.answer,
  kind: textField(1, 64).describe('A category chosen by the vendor; never changes.'),
  grants: fieldFrom(
    toGrantsBody,
    z.record(keyField(), grantAnswer.schema).describe('What the plan grants for each feature, by its key.'),
  ),
  archived_at: timeField().nullable().describe('An archived plan accepts no new subscriptions.'),
  ...timeFields,
})

export const plansAnswer = listOf('plans', planAnswer, maxCaps.plans)

/** The database's text is copied to the answer unchanged. */
function toGrantsBody({ grants = [], grantsJson }: PlanOutput): unknown {
  if (grantsJson !== undefined) return new StoredJson(grantsJson)
  return toObject(grants.map((grant) => [grant.featureKey, grantAnswer.toBody(grant)]))
}

/** Loads the plan, or throws 404, also for a malformed key. */
export async function loadPlan(
  db: Queries,
  organizationId: string,
  key: string,
  selection?: object,
): Promise<PlanWithGrants> {
  const where = { organizationId_key: { organizationId, key } }
  const plan = requireFound('plan', key, keyPattern.test(key) && (await db.plan.findUnique({ ...selection, where })))
  return selection ? (plan as PlanWithGrants) : { ...plan, grants: await loadGrantsOf(db, plan) }
}

/** The number of rows that a statement reads, in two or three milliseconds. */
const grantsAtOnce = 1000

/** Loads the plan's grants, sorted by feature key. */
async function loadGrantsOf(
  db: Queries,
  { organizationId, key }: Pick<Plan, 'organizationId' | 'key'>,
): Promise<PlanGrant[]> {
  const pause = pauseAfterSlices(organizationId)
  const all: PlanGrant[] = []
  for (;;) {
    const rows = await viaPrisma(db).query(query`
      select ${grantTable.columns} from plan_grant
       where organization_id = ${organizationId} and plan_key = ${key} and feature_key > ${all.at(-1)?.featureKey ?? ''}
       order by feature_key limit ${grantsAtOnce}`)
    all.push(...rows)
    if (rows.length < grantsAtOnce) return all
    await pause()
  }
}

/** Locks the plan until the transaction ends, or throws 404. `share` keeps the plan from being archived or deleted. */
export async function lockPlan(
  tx: Transaction,
  organizationId: string,
  key: string,
  strength: LockStrength,
): Promise<PlanWithGrants> {
  const plan = requireFound('plan', key, await lockPlanRow(viaPrisma(tx), organizationId, key, strength))
  return { ...plan, grants: await loadGrantsOf(tx, plan) }
}

/** Locks the plan without loading its grants; null if the plan does not exist. */
export async function lockPlanRow(
  sql: Sql,
  organizationId: string,
  key: string,
  strength: LockStrength,
): Promise<Plan | null> {
  return keyPattern.test(key) ? lockRow(sql, planTable, { organizationId, key }, strength) : null
}

/** The grant of a plan for one feature. */
export type Grant = FeatureValue
