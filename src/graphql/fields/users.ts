import { labelsByRole } from '../../access/roles.ts'
import { unauthorized } from '../../core/errors.ts'
import { type EnumType, fieldOf } from '../../core/field-type.ts'
import { endedCookie, markCookieName } from '../../http/cookies.ts'
import { changePassword } from '../../modules/accounts/change-password.ts'
import { deleteUser } from '../../modules/accounts/delete-user.ts'
import { endOtherSessions } from '../../modules/accounts/end-other-sessions.ts'
import { browserMarkCookie, openUserSession } from '../../modules/accounts/open-user-session.ts'
import { listUserSessions } from '../../modules/accounts/read-user-sessions.ts'
import { signIn } from '../../modules/accounts/sign-in.ts'
import { signOut } from '../../modules/accounts/sign-out.ts'
import { signUp } from '../../modules/accounts/sign-up.ts'
import { userSessionAnswer } from '../../modules/accounts/user-session.ts'
import { loadMember, role } from '../../modules/members/member.ts'
import { readUser } from '../../modules/users/read-user.ts'
import { loadUser, type SignedIn, type User, userAnswer } from '../../modules/users/user.ts'
import { builder, enumOf } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'
import { defineType } from '../output-type.ts'
import { adjustRootField, markNestedOnly } from '../root-fields.ts'
import { MemberType } from './members.ts'

/** The person who calls. audit.ts and organizations.ts add fields to this type. */
export const UserType = defineType(userAnswer)

const UserSessionType = defineType(userSessionAnswer)

markNestedOnly(listUserSessions)

builder.objectFields(UserType, (t) => ({
  [listUserSessions.name]: t.field({
    type: [UserSessionType],
    description: 'Sessions that have not ended, newest first.',
    resolve: ({ id }, _args, context) => {
      // A sign-up or sign-in without a cookie returns a person who is not the caller.
      if (context.viewer().user?.userId !== id) throw unauthorized()
      return context.run(listUserSessions)
    },
  }),
}))

const Viewer = builder.objectRef<object>('Viewer').implement({
  description: 'The caller: a member (by key or console session), a person (by personal sign-in), or both.',
  fields: (t) => ({
    member: t.field({
      type: MemberType,
      nullable: true,
      description: 'The member whose key or console session was sent; null if there is none.',
      resolve: async (_viewer, _args, context, info) => {
        const { member } = context.viewer()
        if (!member) return null
        const { memberId } = member
        const loaded = await context.nested(
          info,
          memberId,
          async ({ db, organizationId }) => new Map([[memberId, await loadMember(db, organizationId, memberId)]]),
        )
        return loaded ?? null
      },
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The person who signed in; null for a caller with an API key.',
      resolve: (_viewer, _args, context) => (context.viewer().user ? context.run(readUser) : null),
    }),
    role: t.field({
      type: enumOf(fieldOf(role()).type as EnumType),
      nullable: true,
      description: 'The role of the member.',
      resolve: (_viewer, _args, context) => context.viewer().member?.role ?? null,
    }),
    sendsWebhooks: t.boolean({
      description: 'Whether this server sends webhooks: false if it was started with `--no-delivery`.',
      resolve: (_viewer, _args, { sendsWebhooks }) => sendsWebhooks,
    }),
    labels: t.stringList({
      description: 'The labels of the role, in the same form as `required_labels` in a 403.',
      resolve: (_viewer, _args, context) => {
        const { member } = context.viewer()
        return member ? [...labelsByRole[member.role]] : []
      },
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Read who you are, and what you may do.',
    resolve: (_root, _args, context) => context.viewer(),
  }),
)

adjustRootField(signUp, {
  type: UserType,
  note: "Called from one of the service's own pages, it also signs in the browser, with a cookie.",
  resolve: async (_root, { input }: { input: object }, context) =>
    openSession(context, await context.run(signUp, input)),
})

adjustRootField(signIn, {
  type: UserType,
  note: "Called from one of the service's own pages, it sets a cookie. For a token, use POST /user/sign-in.",
  resolve: async (_root, { input }: { input: object }, context) =>
    openSession(context, await context.run(signIn, input)),
})

adjustRootField(signOut, { note: 'Returns the id of the person.', finish: (_id, { page }) => page.endCookies() })

adjustRootField(endOtherSessions, { note: 'Returns the id of the person.' })

adjustRootField(changePassword, { type: UserType, finish: (_user, { page }) => page.endCookies() })

adjustRootField(deleteUser, {
  finish(_id, { page }) {
    page.endCookies()
    page.setCookie(endedCookie(markCookieName))
  },
})

/** Opens a session only for the service's own pages. Its token is only in a cookie, which scripts cannot read. */
async function openSession(context: GraphqlContext, signedIn: SignedIn): Promise<User> {
  const { userId } = signedIn
  if (context.page.from === 'own') {
    await context.replaceSessions(userId)
    const { user, cookie } = await context.asPerson(userId, (database) =>
      openUserSession(database, signedIn, context.origin),
    )
    context.page.setCookie(cookie)
    context.page.setCookie(browserMarkCookie(context.marks.of(user.userId)))
    context.actAs(user, cookie.value)
  }
  return context.asPerson(userId, ({ prisma }) => loadUser(prisma, userId))
}
