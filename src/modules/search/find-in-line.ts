import { Prisma } from '../../database/generated/client.ts'
import {
  idEndsWith,
  idIs,
  nameHasPart,
  nameIs,
  nameStartsWith,
  searchesParts,
  toPattern,
} from '../subscribers/subscriber-filter.ts'
import { findById } from './find-by-id.ts'
import { type HitType, ranks } from './hit.ts'
import { hitColumns } from './hit-columns.ts'
import { findRowsByName } from './named-rows.ts'
import type { Line } from './parse-search.ts'

/** SQL: statements that find the objects that a line names. With a limit, each reads a bounded number of rows. */
export function findInLine(type: HitType, organizationId: string, line: Line): Prisma.Sql[] {
  const byId = findById(type, organizationId, line.words, ranks.idInLine)
  if (type === 'audit_event') return byId
  if (type === 'subscriber') return [...byId, ...findSubscribers(organizationId, line)]
  if (line.phrases.length === 0) return byId
  const byName = findRowsByName(type, organizationId, ({ searched }) => {
    const names = searched.map((column) => `lower(${column})`)
    const isNamed = Prisma.sql`array[${Prisma.raw(names.join(', '))}] && (select array_agg(lower(phrase)) from unnest(${line.phrases}::text[]) phrase)`
    const hasAll = line.all.map(
      (word) =>
        Prisma.sql`lower(concat_ws(' ', ${Prisma.raw(searched.join(', '))})) like lower(${`%${toPattern(word)}%`})`,
    )
    return {
      condition: hasAll.length === 0 ? isNamed : Prisma.sql`(${isNamed} or (${Prisma.join(hasAll, ' and ')}))`,
      rank: Prisma.sql`case when ${isNamed} then ${Prisma.raw(`${ranks.nameInLine} else ${ranks.allWords}`)} end`,
    }
  })
  return [...byId, byName]
}

/** The maximum number of subscribers that a word or phrase finds. */
const maxFound = { exact: 10, similar: 3 }

function findSubscribers(organizationId: string, { words, phrases, starts, ends, all }: Line): Prisma.Sql[] {
  const requested = Prisma.raw('requested.text')
  const [byEnd, byStart] = [idEndsWith(requested), nameStartsWith(requested)]
  const find = (rank: number, texts: string[], condition: Prisma.Sql, limit: number) =>
    texts.length === 0
      ? []
      : [
          Prisma.sql`
            select ${hitColumns.subscriber}, ${Prisma.raw(`${rank} as rank`)}, requested.ordinal::int as ordinal
              from unnest(${texts}::text[]) with ordinality as requested (text, ordinal)
              cross join lateral (
                select * from subscriber s
                 where s.organization_id = ${organizationId} and ${condition} limit ${limit}) s
             order by requested.ordinal`,
        ]
  return [
    ...find(ranks.idInLine, words, idIs(requested), maxFound.exact),
    ...find(ranks.nameInLine, phrases, nameIs(requested), maxFound.exact),
    ...find(ranks.endOfId, ends, byEnd.condition, maxFound.exact),
    ...find(ranks.startInLine, starts, byStart.condition, maxFound.similar),
    ...(all.some(searchesParts)
      ? [
          Prisma.sql`
            select ${hitColumns.subscriber}, ${Prisma.raw(`${ranks.allWords} as rank`)}, 0 as ordinal
              from subscriber s
             where s.organization_id = ${organizationId} and ${Prisma.join(all.map(nameHasPart), ' and ')}`,
        ]
      : []),
  ]
}
