import { z } from 'zod'
import { note } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { isSameJson } from '../../core/json.ts'
import { type Page, type PageInput, pageFields, toPage } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { combineColumns, computedColumns, nullableColumns, query, type Sql } from '../../database/sql.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadFieldChanges, toChange } from '../audit/read-field-changes.ts'
import { loadFeature } from '../features/feature.ts'
import { fromStoredValue } from '../features/stored-value.ts'
import { loadActingMembers } from '../members/acting-member.ts'
import { pastReadRate } from '../past/past-read-rate.ts'
import { grantAt, loadStartOfPast } from '../past/versions.ts'
import { loadPlan } from '../plans/plan.ts'
import { loadPlans } from '../plans/read-plans.ts'
import { type FieldItem, fieldHistoryAnswer } from './history.ts'
import { type HistoryPosition, itemCursor, newestFirst, toItemId, toPosition } from './position.ts'

const definition = {
  service: 'api',
  rate: pastReadRate,
  answer: fieldHistoryAnswer,
  refusals: ['RATE_LIMITED'],
} as const

const unknownParameter = { unknown: 'reject', term: 'query parameter' } as const

const featureInput = defineInput(
  {
    ...pageFields(itemCursor()),
    with_plans: note(z.boolean().default(false).describe('true, false, 1 or 0'), {
      meaning: "Whether to include the changes of plans' grants for the feature.",
    }),
  },
  unknownParameter,
)

type FeatureInput = ReturnType<typeof featureInput.parse>

export const readFeatureHistory = defineRead({
  ...definition,
  name: 'featureHistory',
  summary: 'Read how the fields of a feature changed, newest first.',
  about: 'The history is read from the audit log, so it begins where the log begins.',
  route: '/org/features/{key}/history',
  labels: ['features:read'],
  input: featureInput,
  async run({ db, readRows, organizationId, path, input, now }): Promise<Page<FieldItem>> {
    const feature = await loadFeature(db, organizationId, path.key)
    return loadHistory({ db, readRows, organizationId, input, now }, 'feature', feature)
  },
})

export const readPlanHistory = defineRead({
  ...definition,
  name: 'planHistory',
  summary: 'Read how the fields and grants of a plan changed, newest first.',
  about: "Changes of the plan's own fields are read from the audit log. Items of one change have the same `group`.",
  route: '/org/plans/{key}/history',
  labels: ['plans:read'],
  input: defineInput(pageFields(itemCursor()), unknownParameter),
  async run({ db, readRows, organizationId, path, input, now }): Promise<Page<FieldItem>> {
    const plan = await loadPlan(db, organizationId, path.key, {})
    return loadHistory({ db, readRows, organizationId, input, now }, 'plan', plan)
  },
})

/** Loads a page for each of several features, by key. */
export async function loadFeatureHistories(
  { db, readRows, organizationId, now }: ReadScope,
  keys: readonly string[],
  input: FeatureInput,
) {
  const features = await db.feature.findMany({ where: { organizationId, key: { in: [...keys] } } })
  return loadHistories({ db, readRows, organizationId, input, now }, 'feature', features)
}

/** Loads a page for each of several plans, by key. */
export async function loadPlanHistories(scope: ReadScope, keys: readonly string[], input: PageInput) {
  const { db, readRows, organizationId, now } = scope
  return loadHistories({ db, readRows, organizationId, input, now }, 'plan', [
    ...(await loadPlans(scope, keys)).values(),
  ])
}

type Scope = {
  db: Queries
  readRows: Sql['query']
  organizationId: string
  input: PageInput & { with_plans?: boolean }
  now: Date
}
type Kind = 'feature' | 'plan'
type Subject = { key: string; createdAt: Date }

async function loadHistories(
  scope: Scope,
  kind: Kind,
  subjects: readonly Subject[],
): Promise<Map<string, Page<FieldItem>>> {
  const pages = new Map<string, Page<FieldItem>>()
  for (const subject of subjects) pages.set(subject.key, await loadHistory(scope, kind, subject))
  return pages
}

/** An item before the name of its member is loaded. */
type ItemWithoutName = Omit<FieldItem, 'id' | 'group' | 'at' | 'by'> & {
  position: HistoryPosition
  memberId: string | null
}

async function loadHistory(scope: Scope, kind: Kind, { key, createdAt }: Subject): Promise<Page<FieldItem>> {
  const { db, readRows, organizationId, input, now } = scope
  const from = toPosition(input.starting_after, now)
  const beginning = await loadStartOfPast(db, { organizationId, createdAt })
  const after = kind === 'plan' ? beginning : createdAt
  const hasGrants = kind === 'plan' || input.with_plans
  const grants = hasGrants
    ? await loadGrantChanges(scope, { kind, key }, { from, after: beginning })
    : { items: [], reached: null }
  // Earlier entries are not needed for this page, and there may be many that changed only grants.
  const since = grants.reached ? new Date(grants.reached.ms) : after
  const entries = await loadFieldChanges(
    readRows,
    { organizationId, kind, key },
    { since, until: new Date(from.ms), limit: input.limit + 1 },
  )
  const fields = entries.flatMap(({ at, memberId, details: { note, ...own } }) =>
    Object.entries(own).map(([field, recorded]): ItemWithoutName => {
      const position = { ms: at.getTime(), part: field }
      const sides = toChange(recorded) ?? { from: tooLarge, to: tooLarge }
      return { position, feature: null, field, ...sides, memberId, note: typeof note === 'string' ? note : null }
    }),
  )
  const candidates = [...grants.items, ...fields]
    .filter(
      ({ position }) =>
        newestFirst(from, position) < 0 && (!grants.reached || newestFirst(position, grants.reached) <= 0),
    )
    .sort((one, other) => newestFirst(one.position, other.position))
  const { items, hasMore } = toPage(candidates, input.limit)
  const members = await loadActingMembers(db, organizationId, [
    ...new Set(items.flatMap(({ memberId }) => memberId ?? [])),
  ])
  return {
    hasMore,
    items: items.map(({ position, memberId, ...item }) => ({
      ...item,
      id: toItemId(position),
      group: toItemId({ ms: position.ms, part: item.plan === undefined ? kind : `plan:${item.plan}` }),
      at: new Date(position.ms),
      by: members.get(memberId ?? '') ?? null,
    })),
  }
}

const tooLarge = { too_large: true }

const changed = combineColumns(
  computedColumns({
    at: ['timestamptz', Prisma.sql`boundary.at`],
    plan: ['text', Prisma.sql`boundary.plan_key`],
    feature: ['text', Prisma.sql`boundary.feature_key`],
  }),
  nullableColumns(
    computedColumns({
      kindBefore: ['feature_kind', Prisma.sql`b.kind`],
      limitBefore: ['bigint', Prisma.sql`b."limit"`],
      valueBefore: ['text', Prisma.sql`b.value`],
      kind: ['feature_kind', Prisma.sql`a.kind`],
      limit: ['bigint', Prisma.sql`a."limit"`],
      value: ['text', Prisma.sql`a.value`],
      memberId: ['text', Prisma.sql`case when a.valid_from = boundary.at then a.set_by else b.ended_by end`],
      note: ['text', Prisma.sql`case when a.valid_from = boundary.at then a.note else b.end_note end`],
    }),
  ),
)

/**
 * Loads changes of the grants of a plan, or of a feature on all plans. `reached` is the position of the last change that was
 * loaded, or null if there are no more changes.
 */
async function loadGrantChanges(
  { readRows, organizationId, input: { limit } }: Scope,
  { kind, key }: { kind: Kind; key: string },
  { from, after }: { from: HistoryPosition; after: Date },
): Promise<{ items: ItemWithoutName[]; reached: HistoryPosition | null }> {
  const until = new Date(from.ms)
  const other = Prisma.raw(kind === 'plan' ? 'feature_key' : 'plan_key')
  const newest = (column: 'valid_from' | 'valid_to') => {
    const at = Prisma.raw(column)
    const newestOf = (version: Prisma.Sql) => Prisma.sql`(
      select ${at} as at, plan_key, feature_key from plan_grant_version
       where organization_id = ${organizationId} and ${version}
         and ${at} > ${after} and ${at} <= ${until} and (${at} < ${until} or 'grant:' || ${other} > ${from.part})
       order by ${at} desc, ${other} limit ${limit + 1})`
    if (kind === 'plan') return newestOf(Prisma.sql`plan_key = ${key}`)
    // Reads the versions of one plan after another, through an index.
    return Prisma.sql`(
      select newest.* from plan p
        cross join lateral ${newestOf(Prisma.sql`plan_key = p.plan_key and feature_key = ${key}`)} as newest
       where p.organization_id = ${organizationId}
       order by at desc, ${other} limit ${limit + 1})`
  }
  const [plan, feature] = [Prisma.sql`boundary.plan_key`, Prisma.sql`boundary.feature_key`]
  const rows = await readRows(query`
    select ${changed}
      from (select * from (${newest('valid_from')} union ${newest('valid_to')}) as each
             order by at desc, ${other} limit ${limit + 1}) as boundary
      left join lateral (
        ${grantAt(organizationId, plan, feature, Prisma.sql`boundary.at - interval '1 millisecond'`)}) as b on true
      left join lateral (${grantAt(organizationId, plan, feature, Prisma.sql`boundary.at`)}) as a on true
     order by boundary.at desc, boundary.${other}`)
  const positions = rows.map(({ at, plan, feature }) => {
    return { ms: at.getTime(), part: `grant:${kind === 'plan' ? feature : plan}` }
  })
  const items = rows.flatMap((row, index): ItemWithoutName[] => {
    const { feature, plan, memberId, note, kindBefore, limitBefore, valueBefore } = row
    const before = kindBefore && fromStoredValue({ kind: kindBefore, limit: limitBefore, value: valueBefore })
    const after = row.kind && fromStoredValue({ kind: row.kind, limit: row.limit, value: row.value })
    if (isSameJson(before, after)) return []
    const item = {
      position: positions[index] as HistoryPosition,
      feature,
      field: 'grant',
      from: before,
      to: after,
      memberId,
      note,
    }
    return [kind === 'feature' ? { ...item, plan } : item]
  })
  return { items, reached: positions.length > limit ? (positions.at(-1) ?? null) : null }
}
