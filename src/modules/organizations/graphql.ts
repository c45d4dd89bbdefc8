import { consoleCookieName, endedCookie } from '../../access/cookies.ts'
import { unauthorized } from '../../core/errors.ts'
import { builder } from '../../graphql/builder.ts'
import { RoleEnum } from '../members/graphql.ts'
import { UserType } from '../users/graphql.ts'
import { createOrganization } from './create-organization.ts'
import { joinOrganization } from './join-organization.ts'
import type { Membership } from './organization.ts'
import { readOrganization } from './read-organization.ts'
import { listUserOrganizations } from './read-user-organizations.ts'
import { consoleCookie, type OpenedSession, signInToOrganization } from './sign-in-to-organization.ts'
import { signOutOfOrganization } from './sign-out-of-organization.ts'
import { updateOrganization } from './update-organization.ts'

/** Its members and service accounts are fields that those modules add. */
const OrganizationType = builder.prismaObject('Organization', {
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
  [readOrganization.name]: t.prismaField({
    type: 'Organization',
    resolve: (selection, _root, _args, context) => context.read(readOrganization, {}, {}, selection),
  }),
}))

builder.objectFields(UserType, (t) => ({
  [listUserOrganizations.name]: t.field({
    type: [MembershipType],
    description: 'Where the person may sign in.',
    resolve: ({ id }, _args, context) => {
      // After a sign-up or sign-in without a cookie there is a person to show, but nobody who asks.
      if (context.user().userId !== id) throw unauthorized()
      return context.readUser(listUserOrganizations, {})
    },
  }),
}))

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  fields: (t) => ({ name: t.string() }),
})

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  fields: (t) => ({ name: t.string({ required: true }) }),
})

const JoinOrganizationInput = builder.inputType('JoinOrganizationInput', {
  fields: (t) => ({ invite: t.string({ required: true, description: 'The token of the link: inv_…' }) }),
})

const OrganizationIdInput = builder.inputType('OrganizationIdInput', {
  fields: (t) => ({ organizationId: t.string({ required: true }) }),
})

builder.mutationFields((t) => ({
  [updateOrganization.name]: t.field({
    type: OrganizationType,
    args: { input: t.arg({ type: UpdateOrganizationInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(updateOrganization, input),
  }),
  [createOrganization.name]: t.field({
    type: MembershipType,
    description: 'The person becomes its admin.',
    args: { input: t.arg({ type: CreateOrganizationInput, required: true }) },
    resolve: (_root, { input }, context) => context.writeUser(createOrganization, input),
  }),
  [joinOrganization.name]: t.field({
    type: MembershipType,
    args: { input: t.arg({ type: JoinOrganizationInput, required: true }) },
    resolve: (_root, { input }, context) => context.writeUser(joinOrganization, input),
  }),
  [signInToOrganization.name]: t.field({
    type: ConsoleSessionType,
    description: 'Sets the cookie of the session, on a page of the service itself.',
    args: { input: t.arg({ type: OrganizationIdInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const session = await context.writeUser(signInToOrganization, input)
      context.page.setCookie(consoleCookie(session))
      return session
    },
  }),
  [signOutOfOrganization.name]: t.id({
    description: 'Answers the id of the organization.',
    args: { input: t.arg({ type: OrganizationIdInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const organizationId = await context.writeUser(signOutOfOrganization, input)
      context.page.setCookie(endedCookie(consoleCookieName(organizationId)))
      return organizationId
    },
  }),
}))
