import { importSubscribers } from '../../src/modules/imports/import-subscribers.ts'
import { createSubscriber } from '../../src/modules/subscribers/create-subscriber.ts'
import { deleteSubscriber } from '../../src/modules/subscribers/delete-subscriber.ts'
import { listSubscribers, readSubscriber } from '../../src/modules/subscribers/read-subscribers.ts'
import { updateSubscriber } from '../../src/modules/subscribers/update-subscriber.ts'
import { route } from '../route.ts'

export const subscriberRoutes = [
  route(createSubscriber),
  route(importSubscribers),
  route(listSubscribers),
  route(readSubscriber),
  route(updateSubscriber),
  route(deleteSubscriber),
]
