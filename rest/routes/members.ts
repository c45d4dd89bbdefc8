import { createMember } from '../../src/modules/members/create-member.ts'
import { deleteMember } from '../../src/modules/members/delete-member.ts'
import { listMembers, readMember } from '../../src/modules/members/read-members.ts'
import { updateMember } from '../../src/modules/members/update-member.ts'
import { route } from '../route.ts'

export const memberRoutes = [
  route(listMembers),
  route(createMember),
  route(readMember),
  route(updateMember),
  route(deleteMember),
]
