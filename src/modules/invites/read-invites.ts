import { ulid } from '../../core/fields.ts'
import { definePageInput, type Page, toPage } from '../../core/pagination.ts'
import { defineRead } from '../../operation/operation.ts'
import { type Invite, invitesAnswer, toInvite } from './invite.ts'

/**
 * Lists the invites that can still be used. Whoever sees a link can join with it, so the audit log records who read the list.
 */
export const listInvites = defineRead({
  name: 'invites',
  summary: 'List the invites that can still be used. Reading the list is recorded.',
  route: '/org/invites',
  service: 'identity',
  labels: ['invites:read'],
  recorded: true,
  input: definePageInput(ulid('an invite id')),
  answer: invitesAnswer,
  async run({ db, organizationId, input, now, vault, baseUrl }): Promise<Page<Invite>> {
    const rows = await db.invite.findMany({
      where: {
        organizationId,
        expiresAt: { gt: now },
        ...(input.starting_after !== undefined && { id: { gt: input.starting_after } }),
      },
      orderBy: { id: 'asc' },
      take: input.limit + 1,
    })
    const { items, hasMore } = toPage(rows, input.limit)
    return { items: items.map((row) => toInvite(row, { vault, baseUrl })), hasMore }
  },
})
