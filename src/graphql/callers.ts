import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateKey, authenticateSession } from '../access/authenticate.ts'
import { authenticateToken, authenticateUserSession, noToken } from '../access/authenticate-user.ts'
import { hashSessions } from '../access/session.ts'
import { DomainError, unauthorized } from '../core/errors.ts'
import { isUlid } from '../core/ids.ts'
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

/** Shown to callers on the service's own pages: people sign in there, and may send a key in GraphiQL. */
const notSignedIn = unauthorized('Sign in first.')
const notInOrganization = unauthorized('Sign in to the organization first, or send an API key.')

/** The page and the address of a request. */
type Sender = { page: CallingPage } & Pick<Origin, 'ip'>

/** The caller; `sessionToken` is that of a session that this request itself opened. */
export async function findCallers(
  services: Services,
  request: FastifyRequest,
  { page, ip }: Sender,
  sessionToken: string | null,
): Promise<Callers> {
  const callers = await findSentCallers(services, request, { page, ip })
  if (sessionToken === null) return callers
  return { ...callers, user: await known(authenticateUserSession(services, sessionToken, ip)) }
}

/** Reads a key, a Bearer token or cookies: only one counts, and cookies only without a key and a token. */
async function findSentCallers(
  services: Services,
  { headers }: FastifyRequest,
  { page, ip }: Sender,
): Promise<Callers> {
  const key = headers['x-api-key']
  const bearer = /^Bearer\b/i.test(headers.authorization ?? '') ? headers.authorization : undefined
  if (key !== undefined && bearer !== undefined) throw unauthorized('Send an API key or a Bearer token, not both.')
  if (key !== undefined) {
    const member = await known(authenticateKey(services, String(key), ip))
    return { member, user: noToken, refused: refusalIn(member) }
  }
  if (bearer !== undefined) {
    const user = await known(authenticateToken(services, bearer))
    return { member: noMember, user, refused: refusalIn(user) }
  }
  if (page.from !== 'own') return { member: noMember, user: noToken, refused: null }

  const sent = { header: headers.cookie, isHttps: page.isHttps }
  const organizationId = String(headers['x-organization-id'] ?? '')
  const session = isUlid(organizationId) ? readCookie(sent, consoleCookieName(organizationId)) : null
  const signIn = readCookie(sent, userCookieName)
  const [member, user] = await Promise.all([
    session ? known(authenticateSession(services, { organizationId, token: session, signIn, ip })) : notInOrganization,
    signIn ? known(authenticateUserSession(services, signIn, ip)) : notSignedIn,
  ])
  return { member, user, refused: null }
}

function refusalIn(caller: unknown): DomainError | null {
  return caller instanceof DomainError ? caller : null
}

/** The caller, or the refusal: each field decides whether that is an error. */
async function known<Caller>(authentication: Promise<Caller>): Promise<Caller | DomainError> {
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
  const sent = { header: request.headers.cookie, isHttps }
  const cookies = new Map<string, Cookie>()

  function setCookies(added: Cookie[]): void {
    if (from !== 'own' || added.length === 0) return
    for (const cookie of added) cookies.set(cookie.name, cookie)
    reply.removeHeader('set-cookie')
    reply.header(
      'set-cookie',
      Array.from(cookies.values(), (cookie) => toSetCookie(cookie, isHttps)),
    )
  }

  return {
    from,
    isHttps,
    browserMark: from === 'own' ? readCookie(sent, markCookieName) : null,
    sessions: () => (from === 'own' ? hashSessions(readSessionTokens(sent)) : []),
    setCookie: (cookie) => setCookies([cookie]),
    endCookies: () => setCookies(findCookieNames(sent).map(endedCookie)),
  }
}
