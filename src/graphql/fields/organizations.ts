import { unauthorized } from '../../core/errors.ts'
import { consoleCookieName, endedCookie } from '../../http/cookies.ts'
import { createOrganization } from '../../modules/memberships/create-organization.ts'
import { joinOrganization } from '../../modules/memberships/join-organization.ts'
import { leaveOrganization } from '../../modules/memberships/leave-organization.ts'
import { type Membership, membershipAnswer } from '../../modules/memberships/membership.ts'
import { listUserOrganizations } from '../../modules/memberships/read-user-organizations.ts'
import {
  consoleCookie,
  consoleSessionAnswer,
  type OpenedSession,
  signInToOrganization,
} from '../../modules/memberships/sign-in-to-organization.ts'
import { signOutOfOrganization } from '../../modules/memberships/sign-out-of-organization.ts'
import { organizationAnswer } from '../../modules/organizations/organization.ts'
import { readOrganization } from '../../modules/organizations/read-organization.ts'
import { updateOrganization } from '../../modules/organizations/update-organization.ts'
import { builder } from '../builder.ts'
import { defineMutation, defineUserMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { UserType } from './users.ts'

/** Its members and service accounts are fields that those modules add. */
const OrganizationType = builder.prismaObject('Organization', {
  description: organizationAnswer.description,
  fields: (t) => answerFields(t, organizationAnswer),
})

const MembershipType = builder.objectRef<Membership>('Membership').implement({
  description: membershipAnswer.description,
  fields: (t) => answerFields(t, membershipAnswer),
})

const ConsoleSessionType = builder.objectRef<OpenedSession>('ConsoleSession').implement({
  description: consoleSessionAnswer.description,
  fields: (t) => ({
    ...answerFields(t, consoleSessionAnswer),
    organizationId: t.exposeID('organizationId'),
  }),
})

builder.queryFields((t) => ({
  [readOrganization.name]: t.field({
    type: OrganizationType,
    description: readOrganization.summary,
    resolve: (_root, _args, context) => context.run(readOrganization),
  }),
}))

builder.objectFields(UserType, (t) => ({
  [listUserOrganizations.name]: t.field({
    type: [MembershipType],
    description: 'The organizations where the person may sign in.',
    resolve: ({ id }, _args, context) => {
      // After a sign-up or sign-in without a cookie there is a person to show, but no caller.
      if (context.viewer().user?.userId !== id) throw unauthorized()
      return context.run(listUserOrganizations)
    },
  }),
}))

defineMutation(updateOrganization, {
  type: OrganizationType,
})

defineUserMutation(createOrganization, {
  type: MembershipType,
})

defineUserMutation(joinOrganization, {
  type: MembershipType,
})

defineUserMutation(leaveOrganization, {
  type: 'ID',
  note: 'Answers the id of the organization.',
  cookies: (organizationId, page) => page.setCookie(endedCookie(consoleCookieName(organizationId))),
})

defineUserMutation(signInToOrganization, {
  type: ConsoleSessionType,
  note: 'Sets the cookie of the session, on a page of the service itself.',
  cookies: (session, page) => page.setCookie(consoleCookie(session)),
})

defineUserMutation(signOutOfOrganization, {
  type: 'ID',
  note: 'Answers the id of the organization.',
  cookies: (organizationId, page) => page.setCookie(endedCookie(consoleCookieName(organizationId))),
})
