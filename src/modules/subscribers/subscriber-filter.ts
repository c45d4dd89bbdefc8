import { z } from 'zod'
import { asScalar, note } from '../../core/field-type.ts'
import { keyPattern, lengthOf, text } from '../../core/fields.ts'
import { Prisma } from '../../database/generated/client.ts'

/** All combined with AND. */
export const subscriberFilterShape = {
  search: note(text(1, 255).optional(), {
    meaning: 'The start of the id or of the name, or from 3 characters on any part of the name; without case.',
  }),
  plan_id: note(asScalar('ID', z.string().regex(keyPattern).describe('the key of a plan')).optional(), {
    meaning: 'Those with an active subscription to this plan.',
  }),
  without_plan: note(z.boolean().optional().describe('true or false'), {
    meaning: 'Those without an active subscription, or with one.',
  }),
}

/** From this length on any part of a name is found: the index has parts of three characters. */
const minPartLength = 3

/** The rows that a search finds, as conditions that each use one index. A row may fit several. */
export function conditionsOfSearch(search: string): Prisma.Sql[] {
  const isPart = lengthOf(search) >= minPartLength
  return [startsWith(idInLowerCase, search), isPart ? hasPart(search) : startsWithName(search)]
}

/* The indexes have these very words. */
const idInLowerCase = Prisma.raw(`(lower(s.subscriber_id collate "default") collate "C")`)
const nameInLowerCase = Prisma.raw(`(lower(s.name) collate "C")`)

/** A range, because an index is no use to LIKE with a parameter. U+10FFFF is the last character. */
function startsWith(column: Prisma.Sql, start: string): Prisma.Sql {
  const first = Prisma.sql`lower(${start}::text collate "default") collate "C"`
  return Prisma.sql`(${column} >= ${first} and ${column} < (${first} || chr(1114111)))`
}

function startsWithName(start: string): Prisma.Sql {
  return Prisma.sql`(s.name is not null and ${startsWith(nameInLowerCase, start)})`
}

function hasPart(part: string): Prisma.Sql {
  const pattern = `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
  return Prisma.sql`(s.name is not null and lower(s.name) like lower(${pattern}::text))`
}
