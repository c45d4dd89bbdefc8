import { firstIdAt } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { isPlainObject } from '../../core/json.ts'
import { type Page, type PageInput, pageShape, toPage } from '../../core/pagination.ts'
import type { Queries } from '../../database/prisma.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { maxIdSkewMs } from '../../recording/entry.ts'
import {
  type LoggedChange,
  loadFeatureChanges,
  loadPlanChanges,
  type ObjectChanges,
} from '../audit/read-logged-changes.ts'
import { loadFeature } from '../features/feature.ts'
import { loadActingMembers } from '../members/acting-member.ts'
import { toChange } from '../past/known.ts'
import { Backwards, OutOfReach, Reach, tooFarBack } from '../past/order.ts'
import { pastRate } from '../past/rate.ts'
import { loadPlan } from '../plans/plan.ts'
import { loadPlans } from '../plans/read-plans.ts'
import { type FieldItem, fieldHistoryAnswer } from './history.ts'
import { isBehind, itemCursor, type Place, toItemId, toPlace } from './place.ts'

const facts = {
  service: 'api',
  rate: pastRate,
  input: defineInput(pageShape(itemCursor()), { unknown: 'reject', noun: 'query parameter' }),
  answer: fieldHistoryAnswer,
  refusals: ['RATE_LIMITED'],
  about:
    'Read from the audit log, so it begins where the log does. `{ "too_large": true }` stands for a value that the log does not have.',
} as const

export const readFeatureHistory = defineRead({
  ...facts,
  name: 'featureHistory',
  summary: 'Read how the fields of a feature changed, newest first.',
  route: '/org/features/{key}/history',
  labels: ['features:read'],
  async run({ db, organizationId, path, input }): Promise<Page<FieldItem>> {
    const feature = await loadFeature(db, organizationId, path.key)
    return loadFieldHistory({ db, organizationId, input }, feature, loadFeatureChanges)
  },
})

export const readPlanHistory = defineRead({
  ...facts,
  name: 'planHistory',
  summary: 'Read how the fields and grants of a plan changed, newest first.',
  route: '/org/plans/{key}/history',
  labels: ['plans:read'],
  async run({ db, organizationId, path, input }): Promise<Page<FieldItem>> {
    const plan = await loadPlan(db, organizationId, path.key, {})
    return loadFieldHistory({ db, organizationId, input }, plan, loadAllPlanChanges)
  },
})

/** A page for each of several features, by key. */
export async function loadFeatureHistories(
  { db, organizationId }: ReadScope,
  keys: readonly string[],
  input: PageInput,
) {
  const features = await db.feature.findMany({ where: { organizationId, key: { in: [...keys] } } })
  return loadEach({ db, organizationId, input }, features, loadFeatureChanges)
}

/** A page for each of several plans, by key. */
export async function loadPlanHistories(scope: ReadScope, keys: readonly string[], input: PageInput) {
  const { db, organizationId } = scope
  return loadEach({ db, organizationId, input }, [...(await loadPlans(scope, keys)).values()], loadAllPlanChanges)
}

function loadAllPlanChanges(db: Queries, asked: ObjectChanges) {
  return loadPlanChanges(db, asked, { withArchived: true })
}

type Scope = { db: Queries; organizationId: string; input: PageInput }
type Subject = { key: string; createdAt: Date }
type Load = typeof loadFeatureChanges

async function loadEach(scope: Scope, subjects: readonly Subject[], load: Load): Promise<Map<string, Page<FieldItem>>> {
  const pages = new Map<string, Page<FieldItem>>()
  for (const subject of subjects) pages.set(subject.key, await loadFieldHistory(scope, subject, load))
  return pages
}

async function loadFieldHistory(
  { db, organizationId, input }: Scope,
  { key, createdAt }: Subject,
  load: Load,
): Promise<Page<FieldItem>> {
  const after = toPlace(input.starting_after)
  const changes = new Backwards(
    (before, limit) => load(db, { organizationId, key, before, limit }),
    new Reach(),
    // An entry's id may be that much later than its change.
    after && firstIdAt(Math.ceil(after.micros / 1000) + 2 * maxIdSkewMs),
  )
  const found: { place: Place; entry: LoggedChange; change: FieldChange }[] = []
  try {
    for (let entry = await changes.peek(); entry && found.length <= input.limit; entry = await changes.peek()) {
      changes.take()
      // An older object of this key.
      if (entry.micros < createdAt.getTime() * 1000) break
      for (const change of toFieldChanges(entry)) {
        const place = { micros: entry.micros, entryId: entry.id, part: partOf(change) }
        if (!after || isBehind(place, after)) found.push({ place, entry, change })
      }
    }
  } catch (error) {
    throw error instanceof OutOfReach ? tooFarBack('starting_after') : error
  }
  const { items, hasMore } = toPage(found, input.limit)
  const members = await loadActingMembers(db, organizationId, [...new Set(items.map(({ entry }) => entry.memberId))])
  return {
    hasMore,
    items: items.map(({ place, entry, change }) => ({
      ...change,
      id: toItemId(place),
      at: new Date(Math.floor(place.micros / 1000)),
      by: members.get(entry.memberId) ?? null,
      note: typeof entry.details?.note === 'string' ? entry.details.note : null,
    })),
  }
}

type FieldChange = Pick<FieldItem, 'feature' | 'field' | 'from' | 'to'>

function partOf({ field, feature }: FieldChange): string {
  return feature === null ? field : `${field}:${feature}`
}

/** What an entry changed, in the order of places within it. */
function toFieldChanges({ details }: LoggedChange): FieldChange[] {
  const { grants, note: _, ...own } = details ?? {}
  const fields = Object.entries(own).map(([field, recorded]) => ({ feature: null, field, ...toSides(recorded) }))
  const granted = isPlainObject(grants) ? Object.entries(grants) : []
  const changes = [
    ...fields,
    ...granted.map(([feature, recorded]) => ({ feature, field: 'grant', ...toSides(recorded) })),
  ]
  return changes.sort((one, other) => (partOf(one) < partOf(other) ? -1 : 1))
}

const tooLarge = { too_large: true }

function toSides(recorded: unknown): { from: unknown; to: unknown } {
  return toChange(recorded) ?? { from: tooLarge, to: tooLarge }
}
