import { changePassword } from '../../src/modules/accounts/change-password.ts'
import { deleteUser } from '../../src/modules/accounts/delete-user.ts'
import { signIn } from '../../src/modules/accounts/sign-in.ts'
import { signUp } from '../../src/modules/accounts/sign-up.ts'
import { createOrganization } from '../../src/modules/memberships/create-organization.ts'
import { joinOrganization } from '../../src/modules/memberships/join-organization.ts'
import { leaveOrganization } from '../../src/modules/memberships/leave-organization.ts'
import { listUserOrganizations } from '../../src/modules/memberships/read-user-organizations.ts'
import { consoleCookie, signInToOrganization } from '../../src/modules/memberships/sign-in-to-organization.ts'
import { signOutOfOrganization } from '../../src/modules/memberships/sign-out-of-organization.ts'
import type { Membership } from '../../src/modules/organizations/organization.ts'
import { readUser } from '../../src/modules/users/read-user.ts'
import { updateUser } from '../../src/modules/users/update-user.ts'
import type { SignedIn, User } from '../../src/modules/users/user.ts'
import type { Services } from '../../src/operation/services.ts'
import { noBody, route } from '../route.ts'

export const userRoutes = [
  route(signUp, { reply: tokenBody }),
  route(signIn, { reply: tokenBody }),
  route(readUser, { reply: userBody }),
  route(updateUser, { reply: userBody }),
  route(changePassword, { reply: noBody }),
  route(deleteUser, { reply: noBody }),
  route(listUserOrganizations, { reply: (memberships) => ({ organizations: memberships.map(membershipBody) }) }),
  route(createOrganization, { reply: membershipBody }),
  route(joinOrganization, { reply: membershipBody }),
  route(leaveOrganization, { reply: noBody }),
  route(signInToOrganization, {
    reply: ({ sessionPrefix, expiresAt }) => ({ session_prefix: sessionPrefix, expires_at: expiresAt }),
    cookies: (session) => [consoleCookie(session)],
  }),
  route(signOutOfOrganization, { reply: noBody }),
]

async function tokenBody({ now, ...subject }: SignedIn, { identity }: Services) {
  const { token, expiresAt } = await identity.tokens.issue(subject, now)
  return { token, expires_at: expiresAt, user_id: subject.userId }
}

function userBody({ id, email, displayName, createdAt, updatedAt }: User) {
  return { user_id: id, email, display_name: displayName, created_at: createdAt, updated_at: updatedAt }
}

function membershipBody({ organizationId, name, memberId, role }: Membership) {
  return { organization_id: organizationId, name, member_id: memberId, role }
}
