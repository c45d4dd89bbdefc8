import { unauthorized } from '../../core/errors.ts'
import { consoleCookieName, endedCookie } from '../../http/cookies.ts'
import { leaveOrganization } from '../../modules/memberships/leave-organization.ts'
import { membershipAnswer } from '../../modules/memberships/membership.ts'
import { listUserOrganizations } from '../../modules/memberships/read-user-organizations.ts'
import {
  consoleCookie,
  consoleSessionAnswer,
  signInToOrganization,
} from '../../modules/memberships/sign-in-to-organization.ts'
import { signOutOfOrganization } from '../../modules/memberships/sign-out-of-organization.ts'
import { organizationAnswer } from '../../modules/organizations/organization.ts'
import { builder } from '../builder.ts'
import { answerFields, defineType, registerType } from '../output-type.ts'
import { adjustRootField, markNestedOnly } from '../root-fields.ts'
import { UserType } from './users.ts'

/** members.ts and service-accounts.ts add fields to this type. */
const OrganizationType = builder.prismaObject('Organization', {
  description: organizationAnswer.description,
  fields: (t) => answerFields(t, organizationAnswer),
})

registerType(OrganizationType, organizationAnswer)

const MembershipType = defineType(membershipAnswer)

defineType(consoleSessionAnswer, {
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of the session.' }),
  }),
})

markNestedOnly(listUserOrganizations)

builder.objectFields(UserType, (t) => ({
  [listUserOrganizations.name]: t.field({
    type: [MembershipType],
    description: 'The organizations where the person may sign in.',
    resolve: ({ id }, _args, context) => {
      // A sign-up or sign-in without a cookie returns a person who is not the caller.
      if (context.viewer().user?.userId !== id) throw unauthorized()
      return context.run(listUserOrganizations)
    },
  }),
}))

adjustRootField(leaveOrganization, {
  note: 'Returns the id of the organization.',
  finish: (organizationId, { page }) => page.setCookie(endedCookie(consoleCookieName(organizationId))),
})

adjustRootField(signInToOrganization, {
  note: "Called from one of the service's own pages, it sets the cookie of the session.",
  finish: (session, { page }) => page.setCookie(consoleCookie(session)),
})

adjustRootField(signOutOfOrganization, {
  note: 'Returns the id of the organization.',
  finish: (organizationId, { page }) => page.setCookie(endedCookie(consoleCookieName(organizationId))),
})
