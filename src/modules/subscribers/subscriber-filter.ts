import { z } from 'zod'
import { asScalar, note } from '../../core/field-type.ts'
import { keyPattern, lengthOf, name } from '../../core/fields.ts'
import { Prisma } from '../../database/generated/client.ts'

const maxFeatures = 100

/** All combined with AND. */
export const subscriberFilterShape = {
  search: note(name().optional(), {
    meaning: 'The start of the id or of the name, or, from 3 characters, any part of the name. Case is ignored.',
  }),
  plan_id: note(asScalar('ID', z.string().regex(keyPattern).describe('the key of a plan')).optional(), {
    meaning: 'Only subscribers with an active subscription to this plan.',
  }),
  without_plan: note(z.boolean().optional().describe('true or false'), {
    meaning: 'Only subscribers without an active subscription (true), or with one (false).',
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

/** From this length on a search finds any part of a name: the index has parts of three characters. */
const minPartLength = 3

/** The conditions of a search, each using one index. A row may meet several. */
export function conditionsOfSearch(search: string): Prisma.Sql[] {
  return [
    idStartsWith(search).condition,
    searchesParts(search) ? nameHasPart(search) : nameStartsWith(search).condition,
  ]
}

/** Whether a search finds any part of the name, not only its start. */
export function searchesParts(search: string): boolean {
  return lengthOf(search) >= minPartLength
}

/* The indexes have exactly these expressions. */
const idInLowerCase = Prisma.raw(`(lower(s.subscriber_id collate "default") collate "C")`)
const nameInLowerCase = Prisma.raw(`(lower(s.name) collate "C")`)

/** A condition that an index can find, and the order of that index. */
type Ordered = { condition: Prisma.Sql; order: Prisma.Sql }

export function idStartsWith(start: string): Ordered {
  return { condition: startsWith(idInLowerCase, start), order: idInLowerCase }
}

export function nameStartsWith(start: string): Ordered {
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

/** A range, because LIKE with a parameter cannot use an index. U+10FFFF is the last character. */
function startsWith(column: Prisma.Sql, start: string): Prisma.Sql {
  const first = Prisma.sql`lower(${start}::text collate "default") collate "C"`
  return Prisma.sql`(${column} >= ${first} and ${column} < (${first} || chr(1114111)))`
}
