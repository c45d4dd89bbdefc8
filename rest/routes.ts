import { signIn } from '../src/modules/accounts/sign-in.ts'
import { signUp } from '../src/modules/accounts/sign-up.ts'
import { checkEntitlement } from '../src/modules/entitlements/check.ts'
import { readEntitlements } from '../src/modules/entitlements/read-entitlements.ts'
import { consoleCookie, signInToOrganization } from '../src/modules/memberships/sign-in-to-organization.ts'
import { resources } from '../src/modules/operations.ts'
import { type SignedIn, tokenAnswer } from '../src/modules/users/user.ts'
import type { Services } from '../src/operation/services.ts'
import { isSigned, replyToCheck, replyToFlag, replyToFlags, replyToSnapshot } from './eval-replies.ts'
import { evaluateFlag } from './ofrep/evaluate-flag.ts'
import { evaluateFlags } from './ofrep/evaluate-flags.ts'
import { type RestRoute, route } from './route.ts'

/** The routes that do more than send the operation's answer. */
const specialRoutes = [
  route(checkEntitlement, { reply: replyToCheck }),
  route(readEntitlements, { reply: replyToSnapshot, isForKeys: isSigned }),
  route(signUp, { reply: tokenBody }),
  route(signIn, { reply: tokenBody }),
  route(signInToOrganization, { cookies: (session) => [consoleCookie(session)] }),
]

const specialRowsByOperation = new Map(specialRoutes.map((row) => [row.operation.name, row]))

/** The rows of the REST table, by resource. */
export const restResources = [
  ...resources.map(({ resource, about, operations }) => ({
    resource,
    about,
    routes: operations.map((operation): RestRoute => specialRowsByOperation.get(operation.name) ?? route(operation)),
  })),
  {
    resource: 'OpenFeature',
    about:
      "Entitlements as flags, for the SDKs of OpenFeature. Give an SDK's OFREP provider the address of this server as its base " +
      "URL, and the header X-API-Key; the targeting key is a subscriber's id.",
    routes: [route(evaluateFlag, { reply: replyToFlag }), route(evaluateFlags, { reply: replyToFlags })],
  },
]

export const restRoutes: readonly RestRoute[] = restResources.flatMap(({ routes }) => routes)

async function tokenBody({ now, ...subject }: SignedIn, { identity }: Services) {
  return tokenAnswer.toBody({ ...(await identity.tokens.issue(subject, now)), userId: subject.userId })
}
