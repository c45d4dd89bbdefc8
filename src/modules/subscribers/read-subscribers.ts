import { defineInput, noInput } from '../../core/input.ts'
import { type Page, pageShape, toPage } from '../../core/pagination.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { findSubscribers } from './find-subscribers.ts'
import { loadSubscriber, type Subscriber, subscriberAnswer, subscriberId, subscribersAnswer } from './subscriber.ts'
import { subscriberFilterShape } from './subscriber-filter.ts'

export const listSubscribers = defineRead({
  name: 'subscribers',
  summary: 'List the subscribers, ordered by the code points of their ids.',
  route: '/org/subscribers',
  service: 'api',
  labels: ['subscribers:read'],
  input: defineInput(
    { ...pageShape(subscriberId()), ...subscriberFilterShape },
    { unknown: 'ignore', noun: 'query parameter' },
  ),
  answer: subscribersAnswer,
  refusals: ['RATE_LIMITED'],
  searches: ({ search, without_override_of }) => search !== undefined || without_override_of !== undefined,
  async run({ input, ...scope }): Promise<Page<Subscriber>> {
    const rows = await findSubscribers(scope, input)
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

/** Several subscribers by id. */
export async function loadSubscribers(
  { db, organizationId }: ReadScope,
  ids: readonly string[],
): Promise<Map<string, Subscriber>> {
  const subscribers = await db.subscriber.findMany({ where: { organizationId, id: { in: [...ids] } } })
  return new Map(subscribers.map((subscriber) => [subscriber.id, subscriber]))
}
