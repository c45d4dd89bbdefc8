import { z } from 'zod'
import { defineAnswer, from, pageOf } from '../../core/answer.ts'
import { idField, keyField, nameField, timeField } from '../../core/answer-fields.ts'
import { conflict, DomainError, type OwnCode } from '../../core/errors.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { ulidPattern } from '../../core/ids.ts'
import { isStorableText } from '../../core/json.ts'
import type { Subscription } from '../../database/generated/client.ts'
import { SubscriptionStatus } from '../../database/generated/enums.ts'
import type { Transaction } from '../../database/transaction.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { lockPlan, type Plan } from '../plans/plan.ts'

export type { Subscription } from '../../database/generated/client.ts'

/*
 * | From   | Trigger | Condition                     | To                                        |
 * | (none) | create  | no active one, plan in use    | active                                    |
 * | active | cancel  |                               | canceled                                  |
 * | active | change  | plan not archived             | old one canceled, new one active          |
 * Anything else is refused and changes nothing: PLAN_ARCHIVED, or CONFLICT.
 */

const subscriptionStatus = namedEnum(
  'SubscriptionStatus',
  Object.values(SubscriptionStatus),
  'A subscriber has at most one ACTIVE subscription; a CANCELED one stays so.',
)

export const subscriptionAnswer = defineAnswer<Subscription>('Subscription', 'That a subscriber has, or had, a plan.', {
  id: idField().describe('The id of the subscription.'),
  subscriber_id: nameField(255).describe('Whose subscription it is.'),
  plan_id: from('planKey', keyField().describe("The plan's key.")),
  status: subscriptionStatus.describe('Whether it still grants something.'),
  created_at: timeField().describe('When it began.'),
  canceled_at: timeField().nullable().describe('When it ended; null while it is active.'),
})

export const subscriptionsAnswer = pageOf('subscriptions', subscriptionAnswer)

/** What a new subscription takes. */
export const subscribeFields = {
  plan_id: asScalar(
    'ID',
    z
      .string()
      .refine((text) => text !== '' && isStorableText(text))
      .describe('the key of a plan')
      .meta({ pattern: keyPattern.source }),
  ),
}

/** Names the active subscription that the caller read. */
export const expectedSubscription = {
  expected_subscription_id: asScalar('ID', z.string().regex(ulidPattern))
    .optional()
    .describe('the id of the active subscription as you read it'),
}

/** 409 when another subscription is active than the caller read, or none. */
export function assertActive(active: Subscription | null, expectedId: string | undefined): void {
  if (expectedId === undefined || expectedId === active?.id) return
  throw conflict(
    { field: 'subscription', value: active?.id ?? null },
    'The subscription was changed since you read it. Read it again, then repeat your change.',
  )
}

export const planArchived: OwnCode = {
  code: 'PLAN_ARCHIVED',
  status: 409,
  details: z.strictObject({
    resource: z.literal('plan').describe('What is archived.'),
    id: keyField().describe('Its key.'),
  }),
}

/** The plan, locked until the transaction ends; 404 when unknown, 409 when archived. */
export async function lockPlanInUse(tx: Transaction, organizationId: string, key: string): Promise<Plan> {
  const plan = await lockPlan(tx, organizationId, key, 'share')
  if (plan.archivedAt !== null) {
    throw new DomainError(
      planArchived,
      `Plan "${key}" is archived and takes no new subscriptions. Choose another plan, or unarchive it.`,
      { resource: 'plan', id: key },
    )
  }
  return plan
}

/** Notifies whatever the plans grant: the subscriber's plan has changed. */
export function snapshotStale({ organizationId, subscriberId }: Subscription, now: Date): NewEvent {
  return newEvent(organizationId, now, { type: 'entitlements.stale', subscriberId, cause: 'subscription' })
}

/** The subscriber's active subscription, or null. The caller holds the subscriber's lock. */
export function findActive(
  tx: Transaction,
  organizationId: string,
  subscriberId: string,
): Promise<Subscription | null> {
  return tx.subscription.findFirst({ where: { organizationId, subscriberId, status: 'active' } })
}

export function cancel(tx: Transaction, { organizationId, id }: Subscription, now: Date): Promise<Subscription> {
  return tx.subscription.update({
    where: { organizationId_id: { organizationId, id } },
    data: { status: 'canceled', canceledAt: now },
  })
}
