import { hasAnyLabel, type Label } from '../../access/roles.ts'
import { listOf } from '../../core/answer.ts'
import { note } from '../../core/field-type.ts'
import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { pageSize } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import { defineRead } from '../../operation/operation.ts'
import { findById } from './find-by-id.ts'
import { findByPart } from './find-by-part.ts'
import { findInLine } from './find-in-line.ts'
import { type Hit, type HitType, hitAnswer, hitTypes, mergeHits, type RankedHit } from './hit.ts'
import { parseSearch } from './parse-search.ts'

export const maxHits = 50

const labelOf: Record<HitType, Label> = {
  subscriber: 'subscribers:read',
  feature: 'features:read',
  plan: 'plans:read',
  member: 'members:read',
  service_account: 'service-accounts:read',
  audit_event: 'org:audit:read',
}

/** Meant for search boxes: runs a single statement, and has a lower rate limit than other reads. */
export const search = defineRead({
  name: 'search',
  summary: 'Find subscribers, features, plans, members and service accounts by id, key or name.',
  route: '/org/search',
  service: 'api',
  labels: ['subscribers:read', 'features:read', 'plans:read', 'members:read'],
  searches: () => true,
  input: defineInput(
    {
      text: note(text(1, 2000), {
        meaning:
          'An id, a key, the beginning of an API key, a request id, or a part of a name; or a line that contains any of these. Case is ignored. ' +
          'If the text has several lines, each of its first 50 words is looked up as an id or key.',
      }),
      limit: note(pageSize(maxHits, 10), { alias: 'first' }),
    },
    { unknown: 'reject', term: 'query parameter' },
  ),
  answer: listOf('hits', hitAnswer, maxHits),
  refusals: ['RATE_LIMITED'],
  async run({ db, organizationId, role, input: { text, limit } }): Promise<Hit[]> {
    const { words, part, line } = parseSearch(text)
    const types = hitTypes.filter((type) => hasAnyLabel(role, [labelOf[type]]))
    const statements = types.flatMap((type) => [
      ...findById(type, organizationId, words),
      ...(part === null ? [] : findByPart(type, organizationId, part)),
      ...(line === null ? [] : findInLine(type, organizationId, line)),
    ])
    if (statements.length === 0) return []
    const bounded = statements.map((statement) => Prisma.sql`(${statement} limit ${limit})`)
    const found = await db.$queryRaw<RankedHit[]>`${Prisma.join(bounded, ' union all ')}`
    return mergeHits(found, limit)
  },
})
