import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OidcProvider, OidcRefusal } from '../../src/access/oidc-provider.ts'
import { hashSessions } from '../../src/access/session.ts'
import { DomainError, Overloaded, unauthorized } from '../../src/core/errors.ts'
import { networkOf } from '../../src/core/network.ts'
import { toDomainError } from '../../src/database/outage.ts'
import { Semaphore } from '../../src/fairness/semaphore.ts'
import {
  endedCookie,
  findCookieNames,
  oidcPath,
  readCookie,
  readOidcCookie,
  readSessionTokens,
  toOidcCookie,
  toSetCookie,
  userCookieName,
} from '../../src/http/cookies.ts'
import { prefersPage } from '../../src/http/negotiation.ts'
import { originOf } from '../../src/http/origin.ts'
import { sendError } from '../../src/http/reply.ts'
import { browserMarkCookie } from '../../src/modules/accounts/open-user-session.ts'
import { signInByProvider } from '../../src/modules/accounts/sign-in-by-provider.ts'
import type { Services } from '../../src/operation/services.ts'
import { failureHeaders, renderFailure } from './failure-page.ts'
import { localAddress } from './local-path.ts'
import { decryptOidcChecks, encryptOidcChecks, signInSeconds } from './sealed-checks.ts'

/** The maximum number of sign-ins that wait for the provider, each for a few seconds at most. */
const exchangeLimits = { ofOne: 20, ofAll: 100 }

/** Serves the routes where browsers begin a sign-in with OpenID Connect, and where the identity provider sends them back. */
export function serveOidc(app: FastifyInstance, services: Services, provider: OidcProvider): void {
  const slots = new Semaphore(exchangeLimits)
  registerRoute(app, services, '/start', (request, reply) => startSignIn(services, provider, request, reply))
  registerRoute(app, services, '/callback', (request, reply) => finishSignIn(services, provider, slots, request, reply))
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Registers a route. After a refusal, a browser gets a page that says what to do next; a program gets the usual error. */
function registerRoute(app: FastifyInstance, services: Services, path: string, handler: Handler): void {
  app.get(oidcPath + path, { exposeHeadRoute: false }, async (request, reply) => {
    try {
      services.assertCurrent()
      return await handler(request, reply)
    } catch (error) {
      const refusal = toRefusal(error)
      const { code, status, message: text } = refusal
      services.failures.log(refusal, request.id)
      const err = error === refusal ? refusal.cause : error
      services.logger.warn({ requestId: request.id, code, status, err }, 'a sign-in with OpenID Connect failed')
      if (!prefersPage(request)) return sendError(reply, refusal)
      if (status === 429) reply.header('retry-after', String(refusal.details?.retry_after_seconds ?? 1))
      const page = renderFailure({ text, again: `${oidcPath}/start`, requestId: request.id })
      return reply.code(status).headers(failureHeaders).type('text/html; charset=utf-8').send(page)
    }
  })
}

async function startSignIn(
  { address, identity, vault }: Services,
  provider: OidcProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await identity.throttle.countProviderStep('start', request.ip)
  const origin = ownOrigin({ address }, request)
  const { to } = request.query as { to?: unknown }
  const { url, checks } = await provider.start(`${origin}${oidcPath}/callback`)
  // Read the session now: the browser does not send this cookie when the provider redirects it back to the service.
  const signIn = readCookie({ header: request.headers.cookie, isHttps: isHttps(origin) }, userCookieName)
  const replaced = hashSessions(signIn === null ? [] : [signIn]).map((hash) => hash.toString('hex'))
  const sealed = encryptOidcChecks(vault, { ...checks, to: localAddress(to, origin), replaced })
  reply.header('set-cookie', toOidcCookie(sealed, signInSeconds, isHttps(origin)))
  return reply.redirect(url, 303)
}

async function finishSignIn(
  services: Services,
  provider: OidcProvider,
  slots: Semaphore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { address, identity, vault } = services
  await identity.throttle.countProviderStep('callback', request.ip)
  const origin = ownOrigin({ address }, request)
  const requestCookies = { header: request.headers.cookie, isHttps: isHttps(origin) }
  const decryptedChecks = decryptOidcChecks(vault, readOidcCookie(requestCookies))
  // Remove the cookie of this attempt to sign in, which ends now, whatever its outcome.
  const removalCookie = toOidcCookie('', 0, isHttps(origin))
  reply.header('set-cookie', removalCookie)
  if (!decryptedChecks) throw unauthorized(notStartedMessage)

  const owner = networkOf(request.ip)
  if (slots.exceededLimit(owner))
    throw new Overloaded('too_many_places', 'Too many people are signing in. Try again soon.')
  return slots.run(owner, async () => {
    const person = await provider.finish(new URL(`${origin}${request.url}`), decryptedChecks)
    const atStart = (decryptedChecks.replaced ?? []).map((hash) => Buffer.from(hash, 'hex'))
    const replaced = [...atStart, ...hashSessions(readSessionTokens(requestCookies))]
    const { userId, cookie } = await signInByProvider(services, person, {
      origin: originOf(request, services),
      replaced,
    })
    const others = findCookieNames(requestCookies).filter((name) => name !== cookie.name)
    const cookies = [...others.map(endedCookie), cookie, browserMarkCookie(identity.marks.of(userId))]
    reply.removeHeader('set-cookie')
    reply.header('set-cookie', [removalCookie, ...cookies.map((each) => toSetCookie(each, isHttps(origin)))])
    return reply.redirect(decryptedChecks.to, 303)
  })
}

const notStartedMessage =
  'This sign-in was not started in this browser within the last ten minutes, or it has been used. Start it again.'

function toRefusal(error: unknown): DomainError {
  if (!(error instanceof OidcRefusal)) return toDomainError(error)
  return unauthorized(
    error.by === 'provider'
      ? 'The identity provider did not let you in. Ask its administrator whether you may use this service.'
      : 'The answer of the identity provider does not belong to this sign-in. Start the sign-in again.',
  )
}

/** The provider sends browsers back only to the registered address, so the request must use it. */
function ownOrigin({ address }: Pick<Services, 'address'>, request: FastifyRequest): string {
  const origin = address.pageOrigin(request)
  if (origin !== null) return origin
  throw new DomainError(
    'UNAUTHORIZED',
    "You cannot sign in at this address. If it is the service's public address, the operator must set PUBLIC_URL to it.",
  )
}

function isHttps(origin: string): boolean {
  return origin.startsWith('https:')
}
