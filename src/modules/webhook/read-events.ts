import { note } from '../../core/field-type.ts'
import { timestamp, ulid } from '../../core/fields.ts'
import { firstIdAt, isUlid } from '../../core/ids.ts'
import { defineInput, noInput } from '../../core/input.ts'
import { type Page, pageFields, toPage } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import { maxIdSkewMs } from '../../events/event.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { subscriberId } from '../subscribers/subscriber.ts'
import {
  type EventCounts,
  eventCountsAnswer,
  eventNotFound,
  eventState,
  eventsAnswer,
  eventType,
  eventTypeList,
  eventWithAttemptsAnswer,
  type WebhookEvent,
  type WebhookEventWithAttempts,
} from './event.ts'
import { isNotTestEvent } from './webhook.ts'

/** The filters by the time at which events occurred. */
export const occurredShape = {
  occurred_after: note(occurredAt(), { meaning: 'Inclusive.' }),
  occurred_before: note(occurredAt(), { meaning: 'Exclusive.' }),
}

/** All filters except the state, which is a separate argument in GraphQL. */
const eventFilterShape = {
  type: eventType().describe(`one of ${eventTypeList}`).optional(),
  subscriber_id: subscriberId().optional(),
  ...occurredShape,
}

function occurredAt() {
  return timestamp().optional().describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z')
}

const listEventsInput = defineInput(
  {
    ...pageFields(ulid('an event id')),
    state: eventState().optional(),
    ...eventFilterShape,
  },
  { unknown: 'ignore' },
)

/** Lists events, newest first. Each page is older than the one before. */
export const listEvents = defineRead({
  name: 'webhookEvents',
  summary: 'List the events, newest first.',
  route: '/org/webhook/events',
  service: 'api',
  labels: ['webhooks:read'],
  input: listEventsInput,
  answer: eventsAnswer,
  async run({ db, organizationId, input, selection }): Promise<Page<WebhookEvent>> {
    const found = await db.$queryRaw<{ id: string }[]>(idsQuery(organizationId, input))
    const where = { organizationId, id: { in: found.map(({ id }) => id) } }
    return toPage(await db.webhookEvent.findMany({ where, orderBy: { id: 'desc' }, ...selection }), input.limit)
  },
})

type Filter = ReturnType<typeof listEventsInput.parse>
type OccurredRange = Pick<Filter, 'occurred_after' | 'occurred_before'>

/** SQL: the ids of a page. Each part of the condition reads at most a page of ids, in their order. */
function idsQuery(organizationId: string, filter: Filter): Prisma.Sql {
  const conditions = [Prisma.sql`organization_id = ${organizationId}`, ...toConditions(filter)]
  const parts = toIdRanges(filter).map(
    (part) => Prisma.sql`
      (select event_id as id from webhook_event
        where ${Prisma.join([...conditions, part], ' and ')}
        order by event_id desc limit ${filter.limit + 1})`,
  )
  return Prisma.sql`
    select id from (${Prisma.join(parts, ' union all ')}) found order by id desc limit ${filter.limit + 1}`
}

/** Events before a time have earlier ids, except late events, which are much older than their ids and have their own index. */
function toIdRanges({ occurred_before }: Filter): Prisma.Sql[] {
  if (!occurred_before) return [Prisma.raw('true')]
  const firstLater = firstIdAt(occurred_before.getTime() + maxIdSkewMs)
  return [Prisma.sql`event_id < ${firstLater}`, Prisma.sql`event_id >= ${firstLater} and is_late`]
}

function toConditions(filter: Filter): Prisma.Sql[] {
  const { starting_after, state, type, subscriber_id } = filter
  const conditions: Prisma.Sql[] = []
  if (starting_after !== undefined) conditions.push(Prisma.sql`event_id < ${starting_after}`)
  // A literal from a fixed set, not a parameter, so that the planner can use the partial indexes of the rare states.
  if (state !== undefined) conditions.push(Prisma.raw(`state = '${state}'`))
  if (type !== undefined) conditions.push(Prisma.sql`type = ${type}`)
  if (subscriber_id !== undefined) conditions.push(Prisma.sql`subscriber_id = ${subscriber_id}`)
  return [...conditions, ...occurredConditions(filter)]
}

export function occurredConditions({ occurred_after, occurred_before }: OccurredRange): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = []
  if (occurred_after) {
    // An id is never much older than its event, so the scan can end here. It may be newer if an expiry was found late.
    conditions.push(Prisma.sql`event_id >= ${firstIdAt(occurred_after.getTime() - maxIdSkewMs)}`)
    conditions.push(Prisma.sql`occurred_at >= ${occurred_after.toISOString()}::timestamptz`)
  }
  if (occurred_before) conditions.push(Prisma.sql`occurred_at < ${occurred_before.toISOString()}::timestamptz`)
  return conditions
}

export const readEvent = defineRead({
  name: 'webhookEvent',
  summary: 'Read one event, with its body and the attempts made.',
  route: '/org/webhook/events/{event_id}',
  service: 'api',
  labels: ['webhooks:read'],
  input: noInput,
  answer: eventWithAttemptsAnswer,
  run: (call) => loadEvent(call, { include: { attemptsMade: { orderBy: { number: 'asc' } } } }),
  runWithoutParts: (call) => loadEvent(call, call.selection),
})

type EventCall = Pick<ReadScope, 'db' | 'organizationId'> & { path: { event_id: string } }

async function loadEvent(
  { db, organizationId, path: { event_id: id } }: EventCall,
  relations: object,
): Promise<WebhookEventWithAttempts> {
  const where = { organizationId_id: { organizationId, id } }
  const event = isUlid(id) ? await db.webhookEvent.findUnique({ where, ...relations }) : null
  if (!event) throw eventNotFound(id)
  return event as WebhookEventWithAttempts
}

/** Counts queued events, queued events whose last attempt failed, and failed events, without tests. */
export const countEvents = defineRead({
  name: 'webhookEventCounts',
  summary: 'Count the queued events, those queued after a failed attempt, and the failed events. Tests are left out.',
  route: '/org/webhook/event-counts',
  service: 'api',
  labels: ['webhooks:read'],
  input: noInput,
  answer: eventCountsAnswer,
  async run({ db, organizationId }): Promise<EventCounts> {
    // One statement for each state, because each state has its own index.
    const [queued] = await db.$queryRaw<{ queued: bigint; retrying: bigint }[]>`
      select count(*) as queued, count(*) filter (where attempts > 0) as retrying
        from webhook_event
       where organization_id = ${organizationId} and state = 'queued' and ${isNotTestEvent}`
    const failed = await db.$queryRaw<{ failed: bigint }[]>`
      select count(*) as failed from webhook_event
       where organization_id = ${organizationId} and state = 'failed' and ${isNotTestEvent}`
    return {
      queued: Number(queued?.queued),
      retrying: Number(queued?.retrying),
      failed: Number(failed[0]?.failed),
    }
  },
})
