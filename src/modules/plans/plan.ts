import { z } from 'zod'
import { highestCaps } from '../../config-values.ts'
import { defineAnswer, from, listOf, ofKind } from '../../core/answer.ts'
import {
  jsonField,
  keyField,
  largeCountField,
  nameField,
  textField,
  timeField,
  timeFields,
} from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { keyPattern, name } from '../../core/fields.ts'
import { toObject } from '../../core/json.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { type Plan, type PlanGrant, Prisma } from '../../database/generated/client.ts'
import { type LockStrength, lockRow } from '../../database/lock-row.ts'
import type { Queries } from '../../database/prisma.ts'
import { type Sql, viaPrisma } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { featureKind } from '../features/feature.ts'

export type { Plan, PlanGrant } from '../../database/generated/client.ts'
export type PlanWithGrants = Plan & { grants: PlanGrant[] }

/** A plan with its grants as rows, or as the text of a JSON object by feature key; or without grants, if not requested. */
export type PlanToShow = Plan & { grants?: PlanGrant[]; grantsJson?: string }

export const grantAnswer = defineAnswer<PlanGrant>('Grant', 'What a plan grants for one feature.', {
  kind: featureKind().describe("The feature's own kind."),
  limit: ofKind(
    'limit',
    from(
      ({ limit }: PlanGrant) => (limit === null ? null : Number(limit)),
      largeCountField().nullable().describe('Only of kind limit; null there is unlimited.'),
    ),
  ),
  value: ofKind(
    'config',
    from(
      ({ value }: PlanGrant) => (value === null ? null : new StoredJson(value)),
      jsonField().describe("Only of kind config: any JSON value of the feature's value type."),
    ),
  ),
})

/** The fields that create and update share. Each is stored in the column of its name in camel case. */
export const planFields = { name: name() }

export const planAnswer = defineAnswer<PlanToShow>('Plan', 'A set of grants that subscribers subscribe to.', {
  key: keyField().describe('Unique in the organization; never changes.'),
  name: nameField().describe('For people.'),
  kind: textField(1, 64).describe('A label chosen by the vendor; never changes.'),
  grants: from(
    toGrantsBody,
    z.record(keyField(), grantAnswer.schema).describe('What the plan grants for each feature, by its key.'),
  ),
  archived_at: timeField().nullable().describe('An archived plan accepts no new subscriptions.'),
  ...timeFields,
})

export const plansAnswer = listOf('plans', planAnswer, highestCaps.plans)

/** The database's text is copied to the answer unchanged. */
function toGrantsBody({ grants = [], grantsJson }: PlanToShow): unknown {
  if (grantsJson !== undefined) return new StoredJson(grantsJson)
  return toObject(grants.map((grant) => [grant.featureKey, grantAnswer.toBody(grant)]))
}

/** The plan, or 404. A malformed key names no plan. */
export async function loadPlan(
  db: Queries,
  organizationId: string,
  key: string,
  selection?: object,
): Promise<PlanWithGrants> {
  const plan = keyPattern.test(key)
    ? await db.plan.findUnique({ ...selection, where: { organizationId_key: { organizationId, key } } })
    : null
  if (!plan) throw notFound('plan', key)
  return selection ? (plan as PlanWithGrants) : { ...plan, grants: await loadGrantsOf(db, plan) }
}

/** Sorted by feature key, whatever the order in which they were written. */
function loadGrantsOf(
  db: Queries,
  { organizationId, key }: Pick<Plan, 'organizationId' | 'key'>,
): Promise<PlanGrant[]> {
  return db.$queryRaw`
    select organization_id as "organizationId", plan_key as "planKey", feature_key as "featureKey", kind, "limit", value
      from plan_grant
     where organization_id = ${organizationId} and plan_key = ${key}
     order by feature_key`
}

/** The plan, locked until the transaction ends, or 404. `share` keeps it from being archived or deleted meanwhile. */
export async function lockPlan(
  tx: Transaction,
  organizationId: string,
  key: string,
  strength: LockStrength,
): Promise<PlanWithGrants> {
  if (!(await lockPlanRow(viaPrisma(tx), organizationId, key, strength))) throw notFound('plan', key)
  return loadPlan(tx, organizationId, key)
}

/** The same without its grants; null when unknown. */
export async function lockPlanRow(
  sql: Sql,
  organizationId: string,
  key: string,
  strength: LockStrength,
): Promise<Pick<Plan, 'key' | 'archivedAt'> | null> {
  if (!keyPattern.test(key)) return null
  return lockRow(sql, { table: 'plan', columns: lockedColumns }, { organizationId, key }, strength)
}

const lockedColumns = Prisma.raw('plan_key as key, archived_at as "archivedAt"')

/** What a plan grants for one feature. */
export type Grant = { kind: 'flag' } | { kind: 'limit'; limit: number | null } | { kind: 'config'; value: unknown }

export function toGrant({ kind, limit, value }: PlanGrant): Grant {
  switch (kind) {
    case 'flag':
      return { kind }
    case 'limit':
      return { kind, limit: limit === null ? null : Number(limit) }
    case 'config':
      return { kind, value: JSON.parse(value as string) }
  }
}
