import { createInvite } from '../../src/modules/invites/create-invite.ts'
import { deleteInvite } from '../../src/modules/invites/delete-invite.ts'
import { listInvites } from '../../src/modules/invites/read-invites.ts'
import { pageParameters } from '../query.ts'
import { route } from '../route.ts'

export const inviteRoutes = [
  route(listInvites, {
    query: pageParameters,
  }),
  route(createInvite),
  route(deleteInvite),
]
