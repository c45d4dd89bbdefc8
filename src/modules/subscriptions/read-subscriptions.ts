import { isUlid } from '../../core/ids.ts'
import { definePageInput, type Page, toPage } from '../../core/pagination.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import type { Subscription } from './subscription.ts'

export const subscriptionPageInput = definePageInput(isUlid, 'a subscription id: a ULID of 26 upper-case characters')

export const listSubscriptions = defineRead({
  name: 'subscriptions',
  route: '/org/subscribers/{subscriber_id}/subscriptions',
  service: 'api',
  labels: ['subscribers:read'],
  input: subscriptionPageInput,
  async run({ db, organizationId, path, input, selection }): Promise<Page<Subscription>> {
    const { id: subscriberId } = await loadSubscriber(db, organizationId, path.subscriber_id)
    const rows = await db.subscription.findMany({
      ...selection,
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
