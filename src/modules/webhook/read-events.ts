import { ulid } from '../../core/fields.ts'
import { defineInput, noInput } from '../../core/input.ts'
import { type Page, pageShape, toPage } from '../../core/pagination.ts'
import type { WebhookAttempt } from '../../database/generated/client.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { type EventCounts, eventCountsAnswer, eventState, eventsAnswer, type WebhookEvent } from './event.ts'

/** Newest first; `starting_after` pages to older ones. */
export const listEvents = defineRead({
  name: 'webhookEvents',
  summary: 'List the events, newest first.',
  route: '/org/webhook/events',
  service: 'api',
  labels: ['webhooks:read'],
  input: defineInput(
    {
      ...pageShape(ulid('an event id')),
      state: eventState().optional(),
    },
    { unknown: 'ignore' },
  ),
  answer: eventsAnswer,
  async run({ db, organizationId, input }): Promise<Page<WebhookEvent>> {
    const rows = await db.webhookEvent.findMany({
      where: {
        organizationId,
        ...(input.starting_after !== undefined && { id: { lt: input.starting_after } }),
        ...(input.state !== undefined && { state: input.state }),
      },
      orderBy: { id: 'desc' },
      take: input.limit + 1,
    })
    return toPage(rows, input.limit)
  },
})

/** The attempts made for each of several events, by event id, oldest first. */
export async function loadAttempts(
  { db, organizationId }: ReadScope,
  eventIds: readonly string[],
): Promise<Map<string, WebhookAttempt[]>> {
  const attempts = await db.webhookAttempt.findMany({
    where: { organizationId, eventId: { in: [...eventIds] } },
    orderBy: { number: 'asc' },
  })
  return Map.groupBy(attempts, ({ eventId }) => eventId)
}

/** The number of queued events, of queued events after a failed attempt, and of failed events. */
export const countEvents = defineRead({
  name: 'webhookEventCounts',
  summary: 'Count the queued events, those queued after a failed attempt, and the failed events.',
  route: '/org/webhook/event-counts',
  service: 'api',
  labels: ['webhooks:read'],
  input: noInput,
  answer: eventCountsAnswer,
  async run({ db, organizationId }): Promise<EventCounts> {
    // One statement for each state: each has its own index.
    const [queued] = await db.$queryRaw<{ queued: bigint; retrying: bigint }[]>`
      select count(*) as queued, count(*) filter (where attempts > 0) as retrying
        from webhook_event where organization_id = ${organizationId} and state = 'queued'`
    const failed = await db.$queryRaw<{ failed: bigint }[]>`
      select count(*) as failed from webhook_event where organization_id = ${organizationId} and state = 'failed'`
    return {
      queued: Number(queued?.queued),
      retrying: Number(queued?.retrying),
      failed: Number(failed[0]?.failed),
    }
  },
})
