import { ulid } from '../../core/fields.ts'
import { noInput } from '../../core/input.ts'
import { definePageInput, type Page, toPage } from '../../core/pagination.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadMember, type Member, memberAnswer, membersAnswer, withEmails } from './member.ts'

export const listMembers = defineRead({
  name: 'members',
  summary: 'List the members.',
  route: '/org/members',
  service: 'identity',
  labels: ['members:read'],
  input: definePageInput(ulid('a member id')),
  answer: membersAnswer,
  async run({ db, organizationId, input }): Promise<Page<Member>> {
    const rows = await db.member.findMany({
      where: { organizationId, ...(input.starting_after !== undefined && { id: { gt: input.starting_after } }) },
      orderBy: { id: 'asc' },
      take: input.limit + 1,
    })
    const { items, hasMore } = toPage(rows, input.limit)
    return { items: await withEmails(db, items), hasMore }
  },
})

export const readMember = defineRead({
  name: 'member',
  summary: 'Read a member.',
  route: '/org/members/{member_id}',
  service: 'identity',
  labels: ['members:read'],
  input: noInput,
  answer: memberAnswer,
  run: ({ db, organizationId, path }): Promise<Member> => loadMember(db, organizationId, path.member_id),
})
