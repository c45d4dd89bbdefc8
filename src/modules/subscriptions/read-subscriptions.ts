import { ulid } from '../../core/fields.ts'
import { definePageInput, type Page, type PageInput, toPage } from '../../core/pagination.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { type Subscription, subscriptionsAnswer } from './subscription.ts'

const subscriptionPageInput = definePageInput(ulid('a subscription id'))

export const listSubscriptions = defineRead({
  name: 'subscriptions',
  summary: 'List the subscriptions of a subscriber, oldest first, including canceled ones.',
  route: '/org/subscribers/{subscriber_id}/subscriptions',
  service: 'api',
  labels: ['subscribers:read'],
  input: subscriptionPageInput,
  answer: subscriptionsAnswer,
  async run({ db, organizationId, path, input }): Promise<Page<Subscription>> {
    const { id: subscriberId } = await loadSubscriber(db, organizationId, path.subscriber_id)
    const rows = await db.subscription.findMany({
      where: {
        organizationId,
        subscriberId,
        ...(input.starting_after !== undefined && { id: { gt: input.starting_after } }),
      },
      orderBy: { id: 'asc' },
      take: input.limit + 1,
    })
    return toPage(rows, input.limit)
  },
})

/** A page for each of several subscribers, by subscriber id: two statements, however many there are. */
export async function loadSubscriptionPages(
  { db, organizationId }: ReadScope,
  subscriberIds: readonly string[],
  { limit, starting_after: after = '' }: PageInput,
): Promise<Map<string, Page<Subscription>>> {
  const rows = await db.$queryRaw<{ subscription_id: string }[]>`
    select page.subscription_id
      from unnest(${subscriberIds}::text[]) as asked (subscriber_id)
     cross join lateral (
           select s.subscription_id from subscription s
            where s.organization_id = ${organizationId} and s.subscriber_id = asked.subscriber_id
              and s.subscription_id > ${after}
            order by s.subscription_id
            limit ${limit + 1}) page`
  const subscriptions = await db.subscription.findMany({
    where: { organizationId, id: { in: rows.map((row) => row.subscription_id) } },
    orderBy: { id: 'asc' },
  })
  const bySubscriber = Map.groupBy(subscriptions, ({ subscriberId }) => subscriberId)
  return new Map(subscriberIds.map((id) => [id, toPage(bySubscriber.get(id) ?? [], limit)]))
}

/** The active subscription of each of several subscribers, by subscriber id. */
export async function loadActiveSubscriptions(
  { db, organizationId }: ReadScope,
  subscriberIds: readonly string[],
): Promise<Map<string, Subscription>> {
  const active = await db.subscription.findMany({
    where: { organizationId, subscriberId: { in: [...subscriberIds] }, status: 'active' },
  })
  return new Map(active.map((subscription) => [subscription.subscriberId, subscription]))
}
