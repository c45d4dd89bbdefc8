import { notFound } from '../../core/errors.ts'
import { keyPattern } from '../../core/fields.ts'
import type { Plan, PlanGrant, PrismaClient } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'

export type { Plan, PlanGrant } from '../../database/generated/client.ts'
export type PlanWithGrants = Plan & { grants: PlanGrant[] }

/** Grants come sorted by feature key, whatever order they were written in. */
export const withGrants = { include: { grants: { orderBy: { featureKey: 'asc' } } } } as const

/** The plan, or 404. A key that is not well formed names no plan. */
export async function loadPlan(
  db: PrismaClient | Transaction,
  organizationId: string,
  key: string,
  selection: object = withGrants,
): Promise<PlanWithGrants> {
  const plan = keyPattern.test(key)
    ? await db.plan.findUnique({ ...selection, where: { organizationId_key: { organizationId, key } } })
    : null
  if (!plan) throw notFound('plan', key)
  return plan as PlanWithGrants
}

/** The plan, locked until the transaction ends, or 404. `share` keeps it from being archived or deleted meanwhile. */
export async function lockPlan(
  tx: Transaction,
  organizationId: string,
  key: string,
  strength: 'share' | 'update',
): Promise<PlanWithGrants> {
  if (!keyPattern.test(key)) throw notFound('plan', key)
  const locked: unknown[] =
    strength === 'share'
      ? await tx.$queryRaw`select 1 from plan where organization_id = ${organizationId} and plan_key = ${key} for share`
      : await tx.$queryRaw`select 1 from plan where organization_id = ${organizationId} and plan_key = ${key} for update`
  // One that was deleted while this waited may be there anew already, but nobody holds that one.
  if (locked.length === 0) throw notFound('plan', key)
  return loadPlan(tx, organizationId, key)
}

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
