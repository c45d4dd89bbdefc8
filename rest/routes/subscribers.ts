import { createSubscriber } from '../../src/modules/subscribers/create-subscriber.ts'
import { deleteSubscriber } from '../../src/modules/subscribers/delete-subscriber.ts'
import { listSubscribers, readSubscriber } from '../../src/modules/subscribers/read-subscribers.ts'
import type { Subscriber } from '../../src/modules/subscribers/subscriber.ts'
import { updateSubscriber } from '../../src/modules/subscribers/update-subscriber.ts'
import { pageParameters } from '../query.ts'
import { noBody, route } from '../route.ts'

export const subscriberRoutes = [
  route(createSubscriber, { reply: subscriberBody }),
  route(listSubscribers, {
    query: pageParameters,
    reply: ({ items, hasMore }) => ({ subscribers: items.map(subscriberBody), has_more: hasMore }),
  }),
  route(readSubscriber, { reply: subscriberBody }),
  route(updateSubscriber, { reply: subscriberBody }),
  route(deleteSubscriber, { reply: noBody }),
]

function subscriberBody({ id, name, createdAt, updatedAt }: Subscriber) {
  return { subscriber_id: id, name, created_at: createdAt, updated_at: updatedAt }
}
