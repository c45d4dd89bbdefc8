import { z } from 'zod'
import { defineAnswer, from, pageOf } from '../../core/answer.ts'
import { anyIdField, nameField, timeFields } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { asScalar, note } from '../../core/field-type.ts'
import { lengthOf, maxNameLength, name } from '../../core/fields.ts'
import { isStorableText } from '../../core/json.ts'
import { Prisma, type Subscriber } from '../../database/generated/client.ts'
import { lockRow } from '../../database/lock-row.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Sql } from '../../database/sql.ts'

export type { Subscriber } from '../../database/generated/client.ts'

/** The fields that create and update share. Each is stored in the column of its name in camel case. */
export const subscriberFields = { name: note(name().nullable().optional(), { meaning: 'Null means no name.' }) }

export const subscriberAnswer = defineAnswer<Subscriber>('Subscriber', "One of the vendor's customers.", {
  subscriber_id: from('id', anyIdField().describe('Chosen by the vendor; never changes.')),
  name: nameField().nullable().describe('For people; null when none was set.'),
  ...timeFields,
})

export const subscribersAnswer = pageOf('subscribers', subscriberAnswer)

/** Means the same without the flag `u` and in other languages, because generated validators use it as they do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: `\p{Cc}` needs the flag.
const subscriberIdPattern = /^[^\s/\x00-\x1F\x7F-\x9F]+$/

/** Chosen by the vendor: no white space, no slash, no control character. */
export function isSubscriberId(text: string): boolean {
  return subscriberIdPattern.test(text) && isStorableText(text) && lengthOf(text) <= maxNameLength
}

export function subscriberId() {
  const schema = z
    .string()
    .refine(isSubscriberId)
    .describe(`a subscriber id: 1 to ${maxNameLength} characters without white space, slashes or control characters`)
    .meta({ minLength: 1, maxLength: maxNameLength, pattern: subscriberIdPattern.source })
  return asScalar('ID', schema)
}

/** The subscriber, or 404. A malformed id names no subscriber. */
export async function loadSubscriber(db: Queries, organizationId: string, id: string): Promise<Subscriber> {
  const subscriber = isSubscriberId(id)
    ? await db.subscriber.findUnique({ where: { organizationId_id: { organizationId, id } } })
    : null
  if (!subscriber) throw notFound('subscriber', id)
  return subscriber
}

/**
 * The subscriber, locked until the transaction ends, or 404. First in every write to a subscriber, its subscriptions and
 * overrides: those of one subscriber wait for each other.
 */
export async function lockSubscriber(sql: Sql, organizationId: string, id: string): Promise<Subscriber> {
  const subscriber = isSubscriberId(id)
    ? await lockRow<Subscriber>(
        sql,
        { table: 'subscriber', columns: subscriberColumns },
        { organizationId, key: id },
        'update',
      )
    : null
  if (!subscriber) throw notFound('subscriber', id)
  return subscriber
}

/** For selects in SQL. */
export const subscriberColumns = Prisma.raw(
  'organization_id as "organizationId", subscriber_id as id, name, created_at as "createdAt", updated_at as "updatedAt"',
)

/** The new subscriber, or null if the id is taken. Its times are when it is inserted. */
export async function insertSubscriber(
  sql: Sql,
  { organizationId, id, name }: Pick<Subscriber, 'organizationId' | 'id' | 'name'>,
): Promise<Subscriber | null> {
  const [subscriber] = await sql.query<Subscriber>(Prisma.sql`
    insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
    select ${organizationId}, ${id}, ${name}, moment.now, moment.now
      from (select date_trunc('milliseconds', clock_timestamp()) as now) moment
        on conflict (organization_id, subscriber_id) do nothing
    returning ${subscriberColumns}`)
  return subscriber ?? null
}
