import { createInvite } from '../../src/modules/invites/create-invite.ts'
import { deleteInvite } from '../../src/modules/invites/delete-invite.ts'
import type { Invite } from '../../src/modules/invites/invite.ts'
import { listInvites } from '../../src/modules/invites/read-invites.ts'
import { pageParameters } from '../query.ts'
import { noBody, route } from '../route.ts'

export const inviteRoutes = [
  route(listInvites, {
    query: pageParameters,
    reply: ({ items, hasMore }) => ({ invites: items.map(inviteBody), has_more: hasMore }),
  }),
  route(createInvite, { reply: inviteBody }),
  route(deleteInvite, { reply: noBody }),
]

function inviteBody({ id, role, email, link, expiresAt, createdAt }: Invite) {
  return { invite_id: id, role, email, link, expires_at: expiresAt, created_at: createdAt }
}
