import { z } from 'zod'
import { defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { anyIdField, idField, keyField, timeField } from '../../core/answer-fields.ts'
import { conflict, DomainError, notFound, type OwnCode, requireFound } from '../../core/errors.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { isUlid, newId, ulidPattern } from '../../core/ids.ts'
import { isStorableText } from '../../core/json.ts'
import { Prisma, type Subscription } from '../../database/generated/client.ts'
import type { SubscriptionStatus } from '../../database/generated/enums.ts'
import { combineColumns, computedColumns, nullableColumns, query, type Sql } from '../../database/sql.ts'
import { columnsOf, subscriptionTable } from '../../database/table.ts'
import { defineFields } from '../../database/written-fields.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { lockPlanRow } from '../plans/plan.ts'

export type { Subscription } from '../../database/generated/client.ts'

/*
 * | From   | Trigger | Condition                     | To                                        |
 * | (none) | create  | no active one, plan not archived | active                                 |
 * | active | cancel  |                               | canceled                                  |
 * | active | change  | plan not archived             | old one canceled, new one active          |
 * Anything else is refused and changes nothing: PLAN_ARCHIVED, or CONFLICT.
 */

const subscriptionStatus = namedEnum(
  'SubscriptionStatus',
  {
    active: 'The subscriber has the plan. A subscriber has at most one active subscription.',
    canceled: 'The subscription has ended, and cannot become active again.',
  } satisfies Record<SubscriptionStatus, string>,
  'Whether a subscription is still active.',
)

/** The fields of a new subscription. */
export const subscribeFields = defineFields('Subscription', {
  plan_id: {
    input: asScalar(
      'ID',
      z
        .string()
        .refine((text) => text !== '' && isStorableText(text))
        .describe('the key of a plan')
        .meta({ pattern: keyPattern.source }),
    ),
    answer: fieldFrom('planKey', keyField().describe("The plan's key.")),
    column: 'planKey',
  },
})

export const subscriptionAnswer = defineAnswer<Subscription>(
  'Subscription',
  "A subscriber's subscription to a plan, active or canceled.",
  {
    id: idField().describe('The id of the subscription.'),
    subscriber_id: anyIdField().describe("The subscriber's id."),
    ...subscribeFields.answer,
    status: subscriptionStatus.describe('Whether the subscription is still active.'),
    created_at: timeField().describe('When the subscription began.'),
    canceled_at: timeField().nullable().describe('When the subscription ended; null while it is active.'),
  },
)

export const subscriptionsAnswer = pageOf('subscriptions', subscriptionAnswer)

/** The input field for the id of the active subscription that the caller read. */
export const expectedSubscription = {
  expected_subscription_id: asScalar('ID', z.string().regex(ulidPattern))
    .optional()
    .describe('the id of the active subscription as you read it'),
}

/** Throws 409 if the active subscription is not the one that the caller read. */
export function assertActive(active: Subscription | null, expectedId: string | undefined): void {
  if (expectedId === undefined || expectedId === active?.id) return
  throw conflict(
    { field: 'subscription', value: active?.id ?? null },
    'The subscription has changed since you read it. Read it again, then repeat your change.',
  )
}

export const planArchived: OwnCode = {
  code: 'PLAN_ARCHIVED',
  status: 409,
  details: z.strictObject({
    resource: z.literal('plan').describe('The type of the archived object.'),
    id: keyField().describe('The key of the plan.'),
  }),
}

/** Locks the plan until the transaction ends, and returns its key. Throws 404 if it is unknown, 409 if it is archived. */
export async function lockPlanInUse(sql: Sql, organizationId: string, key: string): Promise<string> {
  return assertAcceptsSubscriptions(key, await lockPlanRow(sql, organizationId, key, 'share'))
}

/** Returns the key of a plan that accepts subscriptions. Throws 404 if it is unknown, 409 if it is archived. */
export function assertAcceptsSubscriptions(key: string, plan: { archivedAt: Date | null } | null): string {
  if (!plan) throw notFound('plan', key)
  if (plan.archivedAt !== null) {
    throw new DomainError(
      planArchived,
      `Plan "${key}" is archived and takes no new subscriptions. Choose another plan, or unarchive it.`,
      { resource: 'plan', id: key },
    )
  }
  return key
}

/** The event for a change of the subscriber's plan, sent even if both plans have the same grants. */
export function subscriptionEvent({ organizationId, subscriberId }: OfSubscriber, now: Date): NewEvent {
  return newEvent(organizationId, now, { type: 'entitlements.stale', subscriberId, cause: 'subscription' })
}

type OfSubscriber = Pick<Subscription, 'organizationId' | 'subscriberId'>

/** `now` is the database's time after all rows were locked, which is the time of the write. */
export type LockedSubscription = { active: Subscription | null; now: Date }

const lockedColumns = combineColumns(
  nullableColumns(columnsOf(subscriptionTable, 'active')),
  computedColumns({ now: ['timestamptz', Prisma.sql`clock_timestamp()`] }),
)

/** Finds the subscriber's active subscription. The caller has locked the subscriber. */
export async function findActiveSubscription(
  sql: Sql,
  { organizationId, subscriberId }: OfSubscriber,
): Promise<LockedSubscription> {
  const [row] = await sql.query(query`
    select ${lockedColumns} from (select) as locked
      left join subscription active
        on active.organization_id = ${organizationId} and active.subscriber_id = ${subscriberId} and active.status = 'active'`)
  const { now, ...active } = row as NonNullable<typeof row>
  return { active: active.id === null ? null : (active as Subscription), now }
}

/** Finds the subscription of this subscriber, or throws 404. The caller has locked the subscriber. */
export async function findSubscription(
  sql: Sql,
  { organizationId, subscriberId }: OfSubscriber,
  id: string,
): Promise<Subscription> {
  const [subscription] = isUlid(id)
    ? await sql.query(query`
        select ${subscriptionTable.columns} from subscription
         where organization_id = ${organizationId} and subscription_id = ${id} and subscriber_id = ${subscriberId}`)
    : []
  return requireFound('subscription', id, subscription)
}

export function newSubscription({
  input,
  ...written
}: OfSubscriber & Pick<Subscription, 'createdAt' | 'createdBy'> & { input: SubscribeInput }): Subscription {
  return {
    ...written,
    ...subscribeFields.toNewRow(input),
    id: newId(),
    status: 'active',
    canceledAt: null,
    canceledBy: null,
  }
}

type SubscribeInput = z.output<z.ZodObject<typeof subscribeFields.input>>

/**
 * Returns the subscription as it is after its cancellation. It ends after it began, even if the clock has stepped back since,
 * but may begin and end at the time of the same import.
 */
export function toCanceledSubscription(subscription: Subscription, now: Date, memberId: string): Subscription {
  const { createdAt } = subscription
  const canceledAt = now < createdAt ? new Date(createdAt.getTime() + 1) : now
  return { ...subscription, status: 'canceled', canceledAt, canceledBy: memberId }
}
