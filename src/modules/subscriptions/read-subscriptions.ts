import { ulid } from '../../core/fields.ts'
import { definePageInput, type Page, type PageInput } from '../../core/pagination.ts'
import { readPages } from '../../database/read-pages.ts'
import { subscriptionTable } from '../../database/table.ts'
import { allColumns, defineRead, type ReadScope } from '../../operation/operation.ts'
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
    const pages = await loadSubscriptionPages({ db, organizationId }, [subscriberId], input)
    return pages.get(subscriberId) as Page<Subscription>
  },
})

/** Loads a page for each of several subscribers, by subscriber id. */
export function loadSubscriptionPages(
  { db, organizationId }: Pick<ReadScope, 'db' | 'organizationId'>,
  ids: readonly string[],
  page: PageInput,
): Promise<Map<string, Page<Subscription>>> {
  return readPages(db, subscriptionTable, { organizationId, owner: 'subscriberId', ids }, page)
}

/** Loads the active subscriptions of several subscribers, by subscriber id. */
export async function loadActiveSubscriptions(
  { db, organizationId }: ReadScope,
  subscriberIds: readonly string[],
  selectionWith = allColumns,
): Promise<Map<string, Subscription>> {
  const active = await db.subscription.findMany({
    where: { organizationId, subscriberId: { in: [...subscriberIds] }, status: 'active' },
    ...selectionWith('subscriberId'),
  })
  return new Map(active.map((subscription) => [subscription.subscriberId, subscription]))
}
