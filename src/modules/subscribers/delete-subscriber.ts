import { noInput } from '../../core/input.ts'
import { newEvent } from '../../events/event.ts'
import { defineWrite } from '../../operation/operation.ts'
import { lockSubscriber } from './subscriber.ts'

/** Also deletes the subscriber's subscriptions and overrides. The id may be used again. */
export const deleteSubscriber = defineWrite({
  name: 'deleteSubscriber',
  summary: 'Delete a subscriber with its subscriptions and overrides.',
  method: 'DELETE',
  route: '/org/subscribers/{subscriber_id}',
  service: 'api',
  labels: ['subscribers:write'],
  status: 204,
  input: noInput,
  answer: null,
  async run({ tx, sql, now, organizationId, path }) {
    const { id } = await lockSubscriber(sql, organizationId, path.subscriber_id)
    // Mark the plans, because a plan that ever had a subscription can never be deleted.
    await tx.$executeRaw`
      with marked as materialized (
        select plan_key from plan
         where organization_id = ${organizationId} and not had_deleted_subscriber
           and plan_key in (select plan_key from subscription
                             where organization_id = ${organizationId} and subscriber_id = ${id})
         order by plan_key for no key update)
      update plan set had_deleted_subscriber = true
        from marked
       where plan.organization_id = ${organizationId} and plan.plan_key = marked.plan_key`
    await tx.subscriber.delete({ where: { organizationId_id: { organizationId, id } } })
    const stale = newEvent(organizationId, now, { type: 'entitlements.stale', subscriberId: id, cause: 'subscriber' })
    return { result: id, details: null, events: [stale] }
  },
})
