import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateKey, authenticateSession } from '../access/authenticate.ts'
import { authenticateToken, authenticateUserSession, noToken } from '../access/authenticate-user.ts'
import { hashSessions } from '../access/session.ts'
import { DomainError, unauthorized } from '../core/errors.ts'
import { isUlid } from '../core/ids.ts'
import { toDomainError } from '../database/outage.ts'
import {
  type Cookie,
  consoleCookieName,
  endedCookie,
  findCookieNames,
  isFromForeignPage,
  isFromOwnPage,
  markCookieName,
  readCookie,
  readSessionTokens,
  toSetCookie,
  userCookieName,
} from '../http/cookies.ts'
import type { Origin } from '../http/origin.ts'
import type { Services } from '../operation/services.ts'
import type { Callers, CallingPage } from './context.ts'

const noMember = unauthorized()

/** The refusals of requests from the service's own pages, where people sign in, or send a key in GraphiQL. */
const notSignedIn = unauthorized('Sign in first.')
const notInOrganization = unauthorized('Sign in to the organization first, or send an API key.')

/** The page and the IP address of a request. */
type Sender = { page: CallingPage } & Pick<Origin, 'ip'>

/** Finds the caller; `sessionToken` is the token of a session that this request itself has opened. */
export async function findCallers(
  services: Services,
  request: FastifyRequest,
  { page, ip }: Sender,
  sessionToken: string | null,
): Promise<Callers> {
  const callers = await findSentCallers(services, request, { page, ip })
  if (sessionToken === null) return callers
  return { ...callers, user: await callerOrRefusal(authenticateUserSession(services, sessionToken, ip)) }
}

/**
 * The refusal of a request whose key or token is not valid or cannot be checked, or which has both a key and a token. Null if the
 * key or token is valid, or none was sent.
 */
export async function findCredentialRefusal(
  services: Services,
  request: FastifyRequest,
  ip: Sender['ip'],
): Promise<DomainError | null> {
  try {
    services.assertCurrent()
    return (await findCallersByHeader(services, request, ip))?.credentialRefusal ?? null
  } catch (error) {
    return toDomainError(error)
  }
}

/** Finds the caller by a key, a Bearer token or cookies. Ignores cookies if a key or a token was sent. */
async function findSentCallers(services: Services, request: FastifyRequest, { page, ip }: Sender): Promise<Callers> {
  const callers = await findCallersByHeader(services, request, ip)
  if (callers) return callers
  if (page.from !== 'own') return { member: noMember, user: noToken, credentialRefusal: null }

  const { headers } = request
  const cookies = { header: headers.cookie, isHttps: page.isHttps }
  const organizationId = String(headers['x-organization-id'] ?? '')
  const token = isUlid(organizationId) ? readCookie(cookies, consoleCookieName(organizationId)) : null
  const signIn = readCookie(cookies, userCookieName)
  const [member, user] = await Promise.all([
    token ? callerOrRefusal(authenticateSession(services, { organizationId, token, signIn, ip })) : notInOrganization,
    signIn ? callerOrRefusal(authenticateUserSession(services, signIn, ip)) : notSignedIn,
  ])
  return { member, user, credentialRefusal: null }
}

/** Finds the caller by a key or a Bearer token; null if none was sent. */
async function findCallersByHeader(
  services: Services,
  { headers }: FastifyRequest,
  ip: Sender['ip'],
): Promise<Callers | null> {
  const key = headers['x-api-key']
  const bearer = /^Bearer\b/i.test(headers.authorization ?? '') ? headers.authorization : undefined
  if (key !== undefined && bearer !== undefined) throw unauthorized('Send an API key or a Bearer token, not both.')
  if (key !== undefined) {
    const member = await callerOrRefusal(authenticateKey(services, String(key), ip))
    return { member, user: noToken, credentialRefusal: refusalIn(member) }
  }
  if (bearer !== undefined) {
    const user = await callerOrRefusal(authenticateToken(services, bearer))
    return { member: noMember, user, credentialRefusal: refusalIn(user) }
  }
  return null
}

function refusalIn(caller: unknown): DomainError | null {
  return caller instanceof DomainError ? caller : null
}

/** Returns the caller or the refusal, because each field decides whether it needs a caller. */
async function callerOrRefusal<Caller>(authentication: Promise<Caller>): Promise<Caller | DomainError> {
  try {
    return await authentication
  } catch (error) {
    if (error instanceof DomainError && error.status === 401) return error
    throw error
  }
}

export function pageOf({ address }: Services, request: FastifyRequest, reply: FastifyReply): CallingPage {
  const pageOrigin = address.pageOrigin(request)
  const from = isFromOwnPage(request, pageOrigin) ? 'own' : isFromForeignPage(request, pageOrigin) ? 'foreign' : 'none'
  const isHttps = pageOrigin?.startsWith('https:') ?? false
  const received = { header: request.headers.cookie, isHttps }
  const cookiesToSet = new Map<string, Cookie>()

  function setCookies(added: Cookie[]): void {
    if (from !== 'own' || added.length === 0) return
    for (const cookie of added) cookiesToSet.set(cookie.name, cookie)
    reply.removeHeader('set-cookie')
    const headers = Array.from(cookiesToSet.values(), (cookie) => toSetCookie(cookie, isHttps))
    reply.header('set-cookie', headers)
  }

  return {
    from,
    isHttps,
    browserMark: from === 'own' ? readCookie(received, markCookieName) : null,
    sessions: () => (from === 'own' ? hashSessions(readSessionTokens(received)) : []),
    setCookie: (cookie) => setCookies([cookie]),
    endCookies: () => setCookies(findCookieNames(received).map(endedCookie)),
  }
}
