import { noInput } from '../../core/input.ts'
import { definePageInput, type Page, toPage } from '../../core/pagination.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadSubscriber, type Subscriber, subscriberAnswer, subscriberId, subscribersAnswer } from './subscriber.ts'

export const listSubscribers = defineRead({
  name: 'subscribers',
  summary: 'List the subscribers, ordered by the code points of their ids.',
  route: '/org/subscribers',
  service: 'api',
  labels: ['subscribers:read'],
  input: definePageInput(subscriberId()),
  answer: subscribersAnswer,
  async run({ db, organizationId, input }): Promise<Page<Subscriber>> {
    const rows = await db.subscriber.findMany({
      where: { organizationId, ...(input.starting_after !== undefined && { id: { gt: input.starting_after } }) },
      orderBy: { id: 'asc' },
      take: input.limit + 1,
    })
    return toPage(rows, input.limit)
  },
})

export const readSubscriber = defineRead({
  name: 'subscriber',
  summary: 'Read a subscriber.',
  route: '/org/subscribers/{subscriber_id}',
  service: 'api',
  labels: ['subscribers:read'],
  input: noInput,
  answer: subscriberAnswer,
  async run({ db, organizationId, path }): Promise<Subscriber> {
    return loadSubscriber(db, organizationId, path.subscriber_id)
  },
})
