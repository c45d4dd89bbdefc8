import { z } from 'zod'
import { defineAnswer } from '../../core/answer.ts'
import { countField } from '../../core/answer-fields.ts'
import { defineInput } from '../../core/input.ts'
import { Prisma } from '../../database/generated/client.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { eventState } from './event.ts'
import { occurredConditions, occurredShape } from './read-events.ts'
import { dueInNumberOrder, isNotTestEvent, isNumbered, loadWebhook, numberedEvents } from './webhook.ts'

/** The maximum number of events that a request queues, so that its transaction ends soon. */
const maxEvents = 10_000

type ResendResult = { resent: number; hasMore: boolean }

export const resentAnswer = defineAnswer<ResendResult>('ResentEvents', 'How many failed events are queued again.', {
  resent: countField().describe('The number of events that are queued again.'),
  has_more: z.boolean().describe(`Whether more failed events match: one request queues at most ${maxEvents}.`),
})

const failedState = eventState()
  .refine((state) => state === 'failed')
  .describe('failed')

/** Sends all failed events of a period again, each with the same id and body, in one more attempt. */
export const resendEvents = defineWrite({
  name: 'resendEvents',
  summary: `Send the failed events of a period again, oldest first, up to ${maxEvents} at once. Tests are left out.`,
  method: 'POST',
  route: '/org/webhook/events/resend',
  service: 'api',
  labels: ['webhooks:write'],
  status: 200,
  input: defineInput({ state: failedState, ...occurredShape }, { unknown: 'ignore' }),
  answer: resentAnswer,
  refusals: ['NOT_FOUND'],
  async run({ tx, organizationId, input }): Promise<WriteOutcome<ResendResult>> {
    // Lock the endpoint, like every write that queues events: a deletion of it then waits, and deletes these events too.
    await tx.$queryRaw`select 1 from webhook_endpoint where organization_id = ${organizationId} for key share`
    await loadWebhook(tx, organizationId)
    const [{ resent, hasMore } = { resent: 0, hasMore: false }] = await tx.$queryRaw<ResendResult[]>(
      queueAgain(organizationId, input),
    )
    return {
      result: { resent, hasMore },
      details: resent === 0 ? null : { resent },
      mayBeDue: resent > 0,
    }
  },
})

type Occurred = Parameters<typeof occurredConditions>[0]

/** SQL: queues failed events in the order in which they were first queued. */
function queueAgain(organizationId: string, occurred: Occurred): Prisma.Sql {
  const conditions = [
    Prisma.sql`organization_id = ${organizationId} and state = 'failed' and ${isNotTestEvent}`,
    ...occurredConditions(occurred),
  ]
  return Prisma.sql`
    with found as materialized (
      select event_id, sequence from webhook_event
       where ${Prisma.join(conditions, ' and ')}
       order by event_id limit ${maxEvents + 1}
         for update),
    ${numberedEvents(Prisma.sql`
      select event_id, row_number() over (order by sequence) as number
        from (select * from found order by event_id limit ${maxEvents}) first`)},
    queued as (
      update webhook_event
         set state = 'queued', once = true, finished_at = null, due_at = ${dueInNumberOrder}
       where organization_id = ${organizationId} and state = 'failed' and ${isNumbered}
         and event_id <= (select max(event_id) from found)
      returning 1)
    select (select count(*) from queued)::int as resent, (select count(*) > ${maxEvents} from found) as "hasMore"`
}
