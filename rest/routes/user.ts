import { changePassword } from '../../src/modules/accounts/change-password.ts'
import { deleteUser } from '../../src/modules/accounts/delete-user.ts'
import { endOtherSessions } from '../../src/modules/accounts/end-other-sessions.ts'
import { endSession } from '../../src/modules/accounts/end-session.ts'
import { listUserSessions } from '../../src/modules/accounts/read-user-sessions.ts'
import { signIn } from '../../src/modules/accounts/sign-in.ts'
import { signUp } from '../../src/modules/accounts/sign-up.ts'
import { createOrganization } from '../../src/modules/memberships/create-organization.ts'
import { joinOrganization } from '../../src/modules/memberships/join-organization.ts'
import { leaveOrganization } from '../../src/modules/memberships/leave-organization.ts'
import { listUserOrganizations } from '../../src/modules/memberships/read-user-organizations.ts'
import { consoleCookie, signInToOrganization } from '../../src/modules/memberships/sign-in-to-organization.ts'
import { signOutOfOrganization } from '../../src/modules/memberships/sign-out-of-organization.ts'
import { readUser } from '../../src/modules/users/read-user.ts'
import { updateUser } from '../../src/modules/users/update-user.ts'
import { type SignedIn, tokenAnswer } from '../../src/modules/users/user.ts'
import type { Services } from '../../src/operation/services.ts'
import { route } from '../route.ts'

export const userRoutes = [
  route(signUp, { reply: tokenBody }),
  route(signIn, { reply: tokenBody }),
  route(readUser),
  route(updateUser),
  route(changePassword),
  route(deleteUser),
  route(listUserSessions),
  route(endOtherSessions),
  route(endSession),
  route(listUserOrganizations),
  route(createOrganization),
  route(joinOrganization),
  route(leaveOrganization),
  route(signInToOrganization, {
    cookies: (session) => [consoleCookie(session)],
  }),
  route(signOutOfOrganization),
]

async function tokenBody({ now, ...subject }: SignedIn, { identity }: Services) {
  return tokenAnswer.toBody({ ...(await identity.tokens.issue(subject, now)), userId: subject.userId })
}
