import { unauthorized } from '../../core/errors.ts'
import { consoleCookieName, endedCookie } from '../../http/cookies.ts'
import { createOrganization } from '../../modules/memberships/create-organization.ts'
import { joinOrganization } from '../../modules/memberships/join-organization.ts'
import { leaveOrganization } from '../../modules/memberships/leave-organization.ts'
import type { Membership } from '../../modules/memberships/membership.ts'
import { listUserOrganizations } from '../../modules/memberships/read-user-organizations.ts'
import {
  consoleCookie,
  type OpenedSession,
  signInToOrganization,
} from '../../modules/memberships/sign-in-to-organization.ts'
import { signOutOfOrganization } from '../../modules/memberships/sign-out-of-organization.ts'
import { readOrganization } from '../../modules/organizations/read-organization.ts'
import { updateOrganization } from '../../modules/organizations/update-organization.ts'
import { builder } from '../builder.ts'
import { defineMutation, defineUserMutation } from '../mutation.ts'
import { RoleEnum } from './members.ts'
import { UserType } from './users.ts'

/** Its members and service accounts are fields that those modules add. */
const OrganizationType = builder.prismaObject('Organization', {
  description: 'The vendor.',
  fields: (t) => ({
    organizationId: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const MembershipType = builder.objectRef<Membership>('Membership').implement({
  description: 'An organization as one of its members sees it.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId'),
    name: t.exposeString('name'),
    memberId: t.exposeID('memberId'),
    role: t.field({ type: RoleEnum, resolve: ({ role }) => role }),
  }),
})

const ConsoleSessionType = builder.objectRef<OpenedSession>('ConsoleSession').implement({
  description: 'Its token is in a cookie; the header X-Organization-Id says which organization a request is for.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId'),
    sessionPrefix: t.exposeString('sessionPrefix'),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'At the latest; 12 hours without use end it too.',
    }),
  }),
})

builder.queryFields((t) => ({
  [readOrganization.name]: t.field({
    type: OrganizationType,
    resolve: (_root, _args, context) => context.run(readOrganization),
  }),
}))

builder.objectFields(UserType, (t) => ({
  [listUserOrganizations.name]: t.field({
    type: [MembershipType],
    description: 'Where the person may sign in.',
    resolve: ({ id }, _args, context) => {
      // After a sign-up or sign-in without a cookie there is a person to show, but nobody who asks.
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
  description: 'The person becomes its admin.',
})

defineUserMutation(joinOrganization, {
  type: MembershipType,
})

defineUserMutation(leaveOrganization, {
  type: 'ID',
  description: 'Takes the person out, with their console sessions there. Answers the id of the organization.',
  cookies: (organizationId, page) => page.setCookie(endedCookie(consoleCookieName(organizationId))),
})

defineUserMutation(signInToOrganization, {
  type: ConsoleSessionType,
  description: 'Sets the cookie of the session, on a page of the service itself.',
  cookies: (session, page) => page.setCookie(consoleCookie(session)),
})

defineUserMutation(signOutOfOrganization, {
  type: 'ID',
  description: 'Answers the id of the organization.',
  cookies: (organizationId, page) => page.setCookie(endedCookie(consoleCookieName(organizationId))),
})
