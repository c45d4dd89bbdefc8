import { z } from 'zod'
import { pageOf } from '../../core/answer.ts'
import { validationError } from '../../core/errors.ts'
import { asScalar, namedEnum, note } from '../../core/field-type.ts'
import { keyPattern, timestamp } from '../../core/fields.ts'
import { isUlid } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { type Page, pageFields, toPage } from '../../core/pagination.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import { currentOverride, isLiveAt, overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import { query, viaPrisma } from '../../database/sql.ts'
import { overrideTable } from '../../database/table.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { isSubscriberId, subscriberId } from '../subscribers/subscriber.ts'
import { findDeletedOverride, type OverridePosition } from './deleted-override.ts'
import { type OverrideWithSetter, overrideWithSetterAnswer, withSetters } from './override.ts'

const orders = {
  feature: 'By feature, then by subscriber.',
  expires: 'By expiry, soonest first; overrides without expiry last.',
}
type Order = keyof typeof orders

/** A position in a list of overrides: the sort order, and the values by which it sorts. */
type Cursor = readonly [Order, ...string[]]

const overrideFilterShape = {
  feature: asScalar('ID', z.string().regex(keyPattern).describe('the key of a feature')).optional(),
  subscriber_id: subscriberId().optional(),
  live: note(z.boolean().optional().describe('true or false'), {
    meaning: 'Only live overrides (true), or overrides that have expired or not started (false).',
  }),
  permanent: note(z.boolean().optional().describe('true or false'), {
    meaning: 'Only overrides without expiry (true), or with an expiry (false).',
  }),
  expires_after: note(timestamp().optional().describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z'), {
    meaning: 'Inclusive.',
  }),
  expires_before: note(timestamp().optional().describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z'), {
    meaning: 'Exclusive.',
  }),
}

const maxCursorLength = 2048

const input = defineInput(
  {
    ...pageFields(
      z
        .string()
        .refine((text) => isUlid(text) || fromCursor(text) !== null)
        .describe('the id of an override: a ULID of 26 upper-case characters')
        .meta({ maxLength: maxCursorLength }),
    ),
    ...overrideFilterShape,
    order: namedEnum('OverrideOrder', orders, 'The order of a list of overrides.').default('feature'),
  },
  { unknown: 'reject', term: 'query parameter' },
)

type Filter = ReturnType<typeof input.parse>

/** Lists the overrides of all subscribers. */
export const listAllOverrides = defineRead({
  name: 'allOverrides',
  summary: 'List the overrides of all subscribers.',
  route: '/org/overrides',
  service: 'api',
  labels: ['overrides:read'],
  input,
  answer: pageOf('overrides', overrideWithSetterAnswer),
  async run({ db, organizationId, input, now }): Promise<Page<OverrideWithSetter>> {
    const after = await findCursor({ db, organizationId, now }, input)
    const conditions = toConditions(input, now)
    if (after) conditions.push(toCursorCondition(after))
    const rows = await viaPrisma(db).query(query`
      select ${overrideTable.columns} from ${overridesAt(organizationId, now)} as override
       where ${Prisma.join([Prisma.raw('true'), ...conditions], ' and ')}
       order by ${input.order === 'feature' ? Prisma.sql`feature_key, subscriber_id` : Prisma.sql`${expiry}, override_id`}
       limit ${input.limit + 1}`)
    const { items, hasMore } = toPage(rows, input.limit)
    return { items: await withSetters(db, items), hasMore }
  },
})

/** Sorts overrides without expiry last. The index has exactly this expression. */
const expiry = Prisma.raw(`coalesce(expires_at, 'infinity'::timestamptz)`)

function toConditions(
  { feature, subscriber_id, live, permanent, expires_after, expires_before }: Filter,
  now: Date,
): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = []
  if (feature !== undefined) conditions.push(Prisma.sql`feature_key = ${feature}`)
  if (subscriber_id !== undefined) conditions.push(Prisma.sql`subscriber_id = ${subscriber_id}`)
  if (live === true) conditions.push(isLiveAt(now))
  if (live === false) conditions.push(Prisma.sql`not ${isLiveAt(now)}`)
  if (permanent === true) conditions.push(Prisma.sql`${expiry} = 'infinity'::timestamptz`)
  if (permanent === false) conditions.push(Prisma.sql`${expiry} < 'infinity'::timestamptz`)
  if (expires_after) conditions.push(Prisma.sql`${expiry} >= ${expires_after.toISOString()}::timestamptz`)
  if (expires_before) conditions.push(Prisma.sql`${expiry} < ${expires_before.toISOString()}::timestamptz`)
  // A time range means only overrides that expire.
  if (expires_after || expires_before) conditions.push(Prisma.sql`expires_at is not null`)
  return conditions
}

/**
 * Finds the position after which the page begins. Throws 422 if no present or past override has the id, because its position is
 * then unknown.
 */
async function findCursor(
  { db, organizationId, now }: Pick<ReadScope, 'db' | 'organizationId' | 'now'>,
  { starting_after: after, order }: Filter,
): Promise<Cursor | null> {
  if (after === undefined) return null
  const cursor = fromCursor(after)
  if (cursor?.[0] === order) return cursor
  const override = isUlid(after)
    ? ((await findOverride({ db, organizationId, now }, after)) ??
      (await findDeletedOverride(db, organizationId, after)))
    : null
  if (override) return cursorOf(order, override)
  throw validationError([
    {
      path: 'starting_after',
      message: 'starting_after is not the id of a present or past override. Start again with the first page.',
    },
  ])
}

async function findOverride({ db, organizationId, now }: Pick<ReadScope, 'db' | 'organizationId' | 'now'>, id: string) {
  const stored = await db.override.findUnique({ where: { organizationId_id: { organizationId, id } } })
  return stored && currentOverride(stored, now)
}

function toCursorCondition([order, first, second]: Cursor): Prisma.Sql {
  return order === 'feature'
    ? Prisma.sql`(feature_key, subscriber_id) > (${first}, ${second})`
    : Prisma.sql`(${expiry}, override_id) > (${first}::timestamptz, ${second})`
}

export function cursorOf(order: Order, { featureKey, subscriberId, expiresAt, id }: OverridePosition): Cursor {
  return order === 'feature' ? [order, featureKey, subscriberId] : [order, expiresAt?.toISOString() ?? 'infinity', id]
}

/** Encodes a cursor. It still works after its override is deleted. */
export function toCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** Null unless the text is exactly what `toCursor` writes: Node ignores characters that are not in base64url. */
function fromCursor(text: string): Cursor | null {
  if (text.length > maxCursorLength) return null
  try {
    const cursor = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return toCursor(cursor) === text ? cursor : null
  } catch {
    return null
  }
}

const cursorSchema = z.union([
  z.tuple([z.literal('feature'), z.string().regex(keyPattern), z.string().refine(isSubscriberId)]),
  z.tuple([
    z.literal('expires'),
    // PostgreSQL refuses some times of RFC 3339, such as those with an offset of 16 hours.
    z.string().refine((text) => text === 'infinity' || parseTimestamp(text)?.toISOString() === text),
    z.string().refine(isUlid),
  ]),
])
