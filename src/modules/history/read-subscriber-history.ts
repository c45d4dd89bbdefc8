import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { type Page, pageShape, toPage } from '../../core/pagination.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadActingMembers } from '../members/acting-member.ts'
import { OutOfReach, Reach, tooFarBack } from '../past/order.ts'
import { pastRate } from '../past/rate.ts'
import { withSubscriberPast } from '../past/subscriber-past.ts'
import { loadSubscriber, type Subscriber } from '../subscribers/subscriber.ts'
import { type HistoryItem, historyAnswer } from './history.ts'
import { isBehind, itemCursor, type Place, toItemId, toPlace } from './place.ts'
import { Walk, type Walked } from './walk.ts'

const historyInput = defineInput(
  {
    ...pageShape(itemCursor()),
    feature: asScalar('ID', z.string().regex(keyPattern).describe('the key of a feature')).optional(),
  },
  { unknown: 'reject', noun: 'query parameter' },
)

type HistoryInput = ReturnType<typeof historyInput.parse>

export const readSubscriberHistory = defineRead({
  name: 'subscriberHistory',
  summary: "Read how a subscriber's entitlements changed, newest first.",
  about:
    'Each item is a change of what a check answered for one feature, and says why it changed and who did it; the oldest is the ' +
    "creation of the subscriber. It is read from the audit log, so it begins where the log does, and it covers the subscriber's " +
    'newest 20,000 changes. `{ "too_large": true }` stands for a value that the log does not have. It is no eval.',
  route: '/org/subscribers/{subscriber_id}/history',
  service: 'api',
  labels: ['overrides:read'],
  rate: pastRate,
  input: historyInput,
  answer: historyAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ db, organizationId, path, input, now }): Promise<Page<HistoryItem>> {
    const subscriber = await loadSubscriber(db, organizationId, path.subscriber_id)
    return loadHistory(db, subscriber, input, now)
  },
})

/** A page for each of several subscribers, by subscriber id. */
export async function loadSubscriberHistories(
  { db, organizationId, now }: ReadScope,
  ids: readonly string[],
  input: HistoryInput,
): Promise<Map<string, Page<HistoryItem>>> {
  const pages = new Map<string, Page<HistoryItem>>()
  const subscribers = await db.subscriber.findMany({ where: { organizationId, id: { in: [...ids] } } })
  for (const subscriber of subscribers) pages.set(subscriber.id, await loadHistory(db, subscriber, input, now))
  return pages
}

async function loadHistory(
  db: Queries,
  subscriber: Subscriber,
  { feature, limit, starting_after }: HistoryInput,
  now: Date,
): Promise<Page<HistoryItem>> {
  const { organizationId } = subscriber
  const scope = { db, organizationId, feature, reach: new Reach() }
  const after = toPlace(starting_after)
  const kinds = once(() => loadKinds(db, organizationId))
  const isSkipped = (micros: number) => after !== null && micros > after.micros
  try {
    const found = await withSubscriberPast(scope, { subscriber, now }, async (past, isAll) => {
      const items: Walked[] = []
      for await (const item of new Walk({ scope, past, isSkipped, loadKinds: kinds }).items()) {
        if (feature !== undefined && item.feature !== feature) continue
        if (after === null || isBehind(placeOf(item), after)) items.push(item)
        if (items.length > limit) return items
      }
      return isAll ? items : null
    })
    return await withNames(db, organizationId, toPage(found, limit))
  } catch (error) {
    throw error instanceof OutOfReach ? tooFarBack('starting_after') : error
  }
}

function placeOf({ micros, entry, feature }: Walked): Place {
  return { micros, entryId: entry?.id ?? '', part: feature ?? '' }
}

async function withNames(db: Queries, organizationId: string, { items, hasMore }: Page<Walked>) {
  const memberIds = [...new Set(items.flatMap(({ entry }) => entry?.memberId ?? []))]
  const members = await loadActingMembers(db, organizationId, memberIds)
  return {
    hasMore,
    items: items.map((item): HistoryItem => {
      const { micros, entry, ...shown } = item
      return {
        ...shown,
        id: toItemId(placeOf(item)),
        at: new Date(Math.floor(micros / 1000)),
        by: members.get(entry?.memberId ?? '') ?? null,
      }
    }),
  }
}

async function loadKinds(db: Queries, organizationId: string): Promise<Map<string, FeatureKind>> {
  const features = await db.feature.findMany({ where: { organizationId }, select: { key: true, kind: true } })
  return new Map(features.map(({ key, kind }) => [key, kind]))
}

function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
