import { z } from 'zod'
import { defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { anyIdField, nameField, timeFields } from '../../core/answer-fields.ts'
import { requireFound } from '../../core/errors.ts'
import { asScalar, note } from '../../core/field-type.ts'
import { hasAtMostCharacters, maxNameLength, name } from '../../core/fields.ts'
import { isStorableText } from '../../core/json.ts'
import { Prisma, type Subscriber } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { query, type Sql } from '../../database/sql.ts'
import { insertRow, lockRow, subscriberTable } from '../../database/table.ts'
import { defineFields } from '../../database/written-fields.ts'

export type { Subscriber } from '../../database/generated/client.ts'

/** The fields that create, update and import share. */
export const subscriberFields = defineFields('Subscriber', {
  name: {
    input: note(name().nullable().optional(), { meaning: 'Null means no name.' }),
    answer: nameField().nullable().describe('The display name; null if none was set.'),
  },
})

export type SubscriberInput = z.output<z.ZodObject<typeof subscriberFields.input>>

export const subscriberAnswer = defineAnswer<Subscriber>('Subscriber', "One of the vendor's customers.", {
  subscriber_id: fieldFrom('id', anyIdField().describe('Chosen by the vendor; never changes.')),
  ...subscriberFields.answer,
  ...timeFields,
})

export const subscribersAnswer = pageOf('subscribers', subscriberAnswer)

/** Must mean the same without the flag `u` and in other languages, because generated validators use the pattern, too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: `\p{Cc}` needs the flag.
const subscriberIdPattern = /^[^\s/\x00-\x1F\x7F-\x9F]+$/

/** Whether the text can be a subscriber id: the vendor chooses ids, without white space, slashes or control characters. */
export function isSubscriberId(text: string): boolean {
  return hasAtMostCharacters(text, maxNameLength) && subscriberIdPattern.test(text) && isStorableText(text)
}

export function subscriberId() {
  const schema = z
    .string()
    .refine(isSubscriberId)
    .describe(`a subscriber id: 1 to ${maxNameLength} characters without white space, slashes or control characters`)
    .meta({ minLength: 1, maxLength: maxNameLength, pattern: subscriberIdPattern.source })
  return asScalar('ID', schema)
}

/** The pattern for the API descriptions, which also excludes `.` and `..`. Has no look-ahead, which some languages lack. */
const newIdPattern = ['^(<no dot><any>*', String.raw`\.<no dot><any>*`, String.raw`\.\.<any>+)$`]
  .join('|')
  .replaceAll('<no dot>', String.raw`[^\s/.\x00-\x1F\x7F-\x9F]`)
  .replaceAll('<any>', String.raw`[^\s/\x00-\x1F\x7F-\x9F]`)

/** The id of a new subscriber. Refuses `.` and `..`, which clients remove from the paths of URLs. */
export function newSubscriberId() {
  const schema = z
    .string()
    .refine((text) => isSubscriberId(text) && text !== '.' && text !== '..')
    .describe(
      `a subscriber id: 1 to ${maxNameLength} characters without white space, slashes or control characters, other than "." and ".."`,
    )
    .meta({ minLength: 1, maxLength: maxNameLength, pattern: newIdPattern })
  return asScalar('ID', schema)
}

/** Loads the subscriber, or throws 404, also for a malformed id. */
export async function loadSubscriber(db: Queries, organizationId: string, id: string): Promise<Subscriber> {
  const where = { organizationId_id: { organizationId, id } }
  return requireFound('subscriber', id, isSubscriberId(id) && (await db.subscriber.findUnique({ where })))
}

/**
 * Locks the subscriber until the transaction ends, or throws 404. Every write to a subscriber, its subscriptions or overrides
 * takes this lock before it locks their rows, so that writes to a subscriber wait for each other.
 */
export async function lockSubscriber(sql: Sql, organizationId: string, id: string): Promise<Subscriber> {
  const rowKey = { organizationId, id }
  return requireFound('subscriber', id, isSubscriberId(id) && (await lockRow(sql, subscriberTable, rowKey, 'update')))
}

type NewSubscriber = { organizationId: string; id: string; input: SubscriberInput }

/** The row of a new subscriber, without `createdAt` and `updatedAt`. */
export function newSubscriber({ organizationId, id, input }: NewSubscriber) {
  return { organizationId, id, ...subscriberFields.toNewRow(input) }
}

/** Inserts the subscriber with the time of the insert; null if the id is taken. */
export async function insertSubscriber(sql: Sql, written: NewSubscriber): Promise<Subscriber | null> {
  const row = { ...newSubscriber(written), createdAt: insertedAt, updatedAt: insertedAt }
  const [subscriber] = await sql.query(query`
    ${insertRow(subscriberTable, row)} on conflict do nothing returning ${subscriberTable.columns}`)
  return subscriber ?? null
}

const insertedAt = Prisma.raw("date_trunc('milliseconds', statement_timestamp())")
