import { defineInput, noInput } from '../../core/input.ts'
import { type Page, pageFields, toPage } from '../../core/pagination.ts'
import type { ExportPage } from '../../operation/export.ts'
import { allColumns, defineRead, type ReadScope } from '../../operation/operation.ts'
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
    { ...pageFields(subscriberId()), ...subscriberFilterShape },
    { unknown: 'ignore', term: 'query parameter' },
  ),
  answer: subscribersAnswer,
  refusals: ['RATE_LIMITED'],
  searches: ({ search, text, with_override_of, without_override_of }) =>
    [search, text, with_override_of, without_override_of].some((filter) => filter !== undefined),
  exports: { columns: ['subscriber_id', 'name', 'plan_id', 'created_at', 'updated_at'], page: exportPage },
  async run({ input, ...scope }): Promise<Page<Subscriber>> {
    const rows = await findSubscribers(scope, input)
    return toPage(rows, input.limit)
  },
})

type ExportCall = Pick<ReadScope, 'db' | 'organizationId' | 'now'> & { input: Parameters<typeof findSubscribers>[1] }

const exportPageSize = 1_000

/** Loads a page of an export. Leaves out subscribers created since the export began. */
async function exportPage({ input, ...scope }: ExportCall, after: string | undefined): Promise<ExportPage> {
  const { db, organizationId, now } = scope
  const page = { ...input, limit: exportPageSize, starting_after: after ?? input.starting_after }
  const { items, hasMore } = toPage(await findSubscribers(scope, page), exportPageSize)
  const active = await db.subscription.findMany({
    where: { organizationId, status: 'active', subscriberId: { in: items.map(({ id }) => id) } },
    select: { subscriberId: true, planKey: true },
  })
  const planOf = new Map(active.map(({ subscriberId, planKey }) => [subscriberId, planKey]))
  const rows = items
    .filter(({ createdAt }) => createdAt <= now)
    .map(({ id, name, createdAt, updatedAt }) => ({
      subscriber_id: id,
      name,
      plan_id: planOf.get(id) ?? null,
      created_at: createdAt,
      updated_at: updatedAt,
    }))
  return { rows, last: hasMore ? (items.at(-1)?.id ?? null) : null }
}

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

/** Loads several subscribers by id. */
export async function loadSubscribers(
  { db, organizationId }: ReadScope,
  ids: readonly string[],
  selectionWith = allColumns,
): Promise<Map<string, Subscriber>> {
  const where = { organizationId, id: { in: [...ids] } }
  const subscribers = await db.subscriber.findMany({ where, ...selectionWith('id') })
  return new Map(subscribers.map((subscriber) => [subscriber.id, subscriber]))
}
