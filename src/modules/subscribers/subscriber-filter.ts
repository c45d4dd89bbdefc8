import { z } from 'zod'
import { asScalar, note } from '../../core/field-type.ts'
import { keyPattern, lengthOf, name } from '../../core/fields.ts'
import { Prisma } from '../../database/generated/client.ts'

const maxFeatures = 100

/** The filters, which are combined with AND. */
export const subscriberFilterShape = {
  search: note(name().optional(), {
    meaning: 'The start of the id or of the name, or, from 3 characters, any part of the name. Case is ignored.',
  }),
  text: note(name().optional(), {
    meaning:
      'Matches like `search`, and, from 3 characters, also the end of the id, or a name that contains all words of the text in any order.',
  }),
  plan_id: note(asScalar('ID', z.string().regex(keyPattern).describe('the key of a plan')).optional(), {
    meaning: 'Only subscribers with an active subscription to this plan.',
  }),
  without_plan: note(z.boolean().optional().describe('true or false'), {
    meaning: 'Only subscribers without an active subscription (true), or with one (false).',
  }),
  with_override_of: note(asScalar('ID', z.string().regex(keyPattern).describe('the key of a feature')).optional(), {
    meaning: 'Only subscribers with a live override of this feature.',
  }),
  without_override_of: note(
    z
      .array(asScalar('ID', z.string().regex(keyPattern)))
      .max(maxFeatures)
      .describe(`at most ${maxFeatures} keys of features`)
      .optional(),
    { meaning: 'Only subscribers without a live override of any of these features.' },
  ),
}

/** From this length, a search finds any part of a name, because the index contains parts of three characters. */
const minPartLength = 3

/** A text with more words is searched only as a whole. */
export const maxUnorderedWords = 6

/** The conditions of a search, each for one index. A row may meet several conditions. */
export function conditionsOfSearch(search: string): Prisma.Sql[] {
  return [
    idStartsWith(search).condition,
    searchesParts(search) ? nameHasPart(search) : nameStartsWith(search).condition,
  ]
}

/** The conditions of the filter `text`, whose words may come in any order, each for one index. */
export function conditionsOfText(text: string): Prisma.Sql[] {
  if (!searchesParts(text)) return conditionsOfSearch(text)
  const words = text.trim().split(/\s+/)
  const isDescription = words.length <= maxUnorderedWords && words.some(searchesParts)
  const name = isDescription ? Prisma.join(words.map(nameHasPart), ' and ', '(', ')') : nameHasPart(text)
  return [idStartsWith(text).condition, idEndsWith(text).condition, name]
}

/** Whether a search finds any part of the name, not only its start. */
export function searchesParts(search: string): boolean {
  return lengthOf(search) >= minPartLength
}

/* The indexes have exactly these expressions. */
const idInLowerCase = Prisma.raw(`(lower(s.subscriber_id collate "default") collate "C")`)
const nameInLowerCase = Prisma.raw(`(lower(s.name) collate "C")`)

const reversedId = Prisma.raw(`(reverse(lower(s.subscriber_id collate "default")) collate "C")`)

/** A condition whose rows an index can find, and the order of that index. */
type OrderedCondition = { condition: Prisma.Sql; order: Prisma.Sql }

/** A text that the caller sent, or an SQL column of such texts. */
type SearchedText = string | Prisma.Sql

export function idIs(id: SearchedText): Prisma.Sql {
  return Prisma.sql`${idInLowerCase} = ${toLowerCase(id)}`
}

export function idStartsWith(start: SearchedText): OrderedCondition {
  return { condition: startsWith(idInLowerCase, start), order: idInLowerCase }
}

export function idEndsWith(end: SearchedText): OrderedCondition {
  return { condition: hasPrefix(reversedId, Prisma.sql`reverse(${toLowerCase(end)})`), order: reversedId }
}

export function nameIs(name: SearchedText): Prisma.Sql {
  return Prisma.sql`(s.name is not null and ${nameInLowerCase} = ${toLowerCase(name)})`
}

export function nameStartsWith(start: SearchedText): OrderedCondition {
  return {
    condition: Prisma.sql`(s.name is not null and ${startsWith(nameInLowerCase, start)})`,
    order: nameInLowerCase,
  }
}

export function nameHasPart(part: string): Prisma.Sql {
  return Prisma.sql`(s.name is not null and lower(s.name) like lower(${`%${toPattern(part)}%`}::text))`
}

/** Escapes the text for a LIKE pattern. */
export function toPattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

function startsWith(column: Prisma.Sql, start: SearchedText): Prisma.Sql {
  return hasPrefix(column, toLowerCase(start))
}

/** A range, because LIKE with a parameter cannot use an index. U+10FFFF is the last character. */
function hasPrefix(column: Prisma.Sql, first: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${column} >= ${first} and ${column} < (${first} || chr(1114111)))`
}

function toLowerCase(text: SearchedText): Prisma.Sql {
  return Prisma.sql`(lower(${text}::text collate "default") collate "C")`
}
