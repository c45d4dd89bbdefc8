import { createInvite } from '../../src/modules/invites/create-invite.ts'
import { deleteInvite } from '../../src/modules/invites/delete-invite.ts'
import { listInvites } from '../../src/modules/invites/read-invites.ts'
import { route } from '../route.ts'

export const inviteRoutes = [route(listInvites), route(createInvite), route(deleteInvite)]
