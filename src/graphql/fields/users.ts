import { labelsByRole } from '../../access/roles.ts'
import { unauthorized } from '../../core/errors.ts'
import { type EnumType, fieldOf } from '../../core/field-type.ts'
import { endedCookie, markCookieName } from '../../http/cookies.ts'
import { changePassword } from '../../modules/accounts/change-password.ts'
import { deleteUser } from '../../modules/accounts/delete-user.ts'
import { endOtherSessions } from '../../modules/accounts/end-other-sessions.ts'
import { endSession } from '../../modules/accounts/end-session.ts'
import { browserMarkCookie, openUserSession } from '../../modules/accounts/open-user-session.ts'
import { listUserSessions } from '../../modules/accounts/read-user-sessions.ts'
import { signIn } from '../../modules/accounts/sign-in.ts'
import { signOut } from '../../modules/accounts/sign-out.ts'
import { signUp } from '../../modules/accounts/sign-up.ts'
import { type UserSession, userSessionAnswer } from '../../modules/accounts/user-session.ts'
import { loadMember, role } from '../../modules/members/member.ts'
import { readUser } from '../../modules/users/read-user.ts'
import { updateUser } from '../../modules/users/update-user.ts'
import { loadUser, type SignedIn, type User, userAnswer } from '../../modules/users/user.ts'
import { builder, enumOf } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'
import { defineUserMutation, inputArgs } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { MemberType } from './members.ts'

/** Only the caller. Other modules add the fields of what belongs to them. */
export const UserType = builder.objectRef<User>('User').implement({
  description: userAnswer.description,
  fields: (t) => answerFields(t, userAnswer),
})

const UserSessionType = builder.objectRef<UserSession>('UserSession').implement({
  description: userSessionAnswer.description,
  fields: (t) => answerFields(t, userSessionAnswer),
})

builder.objectFields(UserType, (t) => ({
  [listUserSessions.name]: t.field({
    type: [UserSessionType],
    description: 'Those that have not ended, the newest first.',
    resolve: ({ id }, _args, context) => {
      // After a sign-up or sign-in without a cookie there is a person to show, but no caller.
      if (context.viewer().user?.userId !== id) throw unauthorized()
      return context.run(listUserSessions)
    },
  }),
}))

const Viewer = builder.objectRef<object>('Viewer').implement({
  description: 'The caller: a member by key or console session, a person by personal sign-in, or both.',
  fields: (t) => ({
    member: t.field({
      type: MemberType,
      nullable: true,
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
      resolve: (_viewer, _args, context) => (context.viewer().user ? context.run(readUser) : null),
    }),
    role: t.field({
      type: enumOf(fieldOf(role()).type as EnumType),
      nullable: true,
      description: 'The role of the member.',
      resolve: (_viewer, _args, context) => context.viewer().member?.role ?? null,
    }),
    labels: t.stringList({
      description: 'The labels of the role, as refusals name them.',
      resolve: (_viewer, _args, context) => {
        const { member } = context.viewer()
        return member ? [...labelsByRole[member.role]] : []
      },
    }),
  }),
})

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    resolve: (_root, _args, context) => context.viewer(),
  }),
  [readUser.name]: t.field({
    type: UserType,
    description: readUser.summary,
    resolve: (_root, _args, context) => context.run(readUser),
  }),
}))

builder.mutationFields((t) => ({
  [signUp.name]: t.field({
    type: UserType,
    description: `${signUp.summary} Signs the browser in as well: with a cookie, on a page of the service itself.`,
    args: inputArgs(signUp),
    resolve: async (_root, { input }, context) => welcome(context, await context.run(signUp, input as object)),
  }),
  [signIn.name]: t.field({
    type: UserType,
    description: `${signIn.summary} Sets a cookie, on a page of the service itself. For a token use POST /user/sign-in.`,
    args: inputArgs(signIn),
    resolve: async (_root, { input }, context) => welcome(context, await context.run(signIn, input as object)),
  }),
}))

defineUserMutation(signOut, {
  type: 'ID',
  note: 'Answers the id of the person.',
  cookies: (_id, page) => page.endCookies(),
})

defineUserMutation(endSession, {
  type: 'ID',
  note: 'Answers the id that is gone.',
})

defineUserMutation(endOtherSessions, {
  type: 'ID',
  note: 'Answers the id of the person.',
})

defineUserMutation(updateUser, {
  type: UserType,
})

defineUserMutation(changePassword, {
  type: UserType,
  cookies: (_user, page) => page.endCookies(),
})

defineUserMutation(deleteUser, {
  type: 'ID',
  note: 'Answers the id that is gone.',
  cookies(_id, page) {
    page.endCookies()
    page.setCookie(endedCookie(markCookieName))
  },
})

/** A sign-in's token is only in a cookie, which scripts cannot read: without a page no session can be opened. */
async function welcome(context: GraphqlContext, signedIn: SignedIn): Promise<User> {
  const { userId } = signedIn
  if (context.page.from === 'own') {
    const { user, cookie } = await context.asPerson(userId, (database) =>
      openUserSession(database, signedIn, context.origin),
    )
    context.page.setCookie(cookie)
    context.page.setCookie(browserMarkCookie(context.marks.of(user.userId)))
    context.actAs(user, cookie.value)
  }
  return context.asPerson(userId, ({ prisma }) => loadUser(prisma, userId))
}
