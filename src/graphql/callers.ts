import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateKey, authenticateSession } from '../access/authenticate.ts'
import { authenticateToken, authenticateUserSession, noToken } from '../access/authenticate-user.ts'
import {
  type Cookie,
  consoleCookieName,
  endedCookie,
  isFromForeignPage,
  isFromOwnPage,
  readCookie,
  toSetCookie,
  userCookieName,
} from '../access/cookies.ts'
import { DomainError, unauthorized } from '../core/errors.ts'
import { isUlid } from '../core/ids.ts'
import type { Origin } from '../modules/audit/record.ts'
import type { Services } from '../operation/run-operation.ts'
import type { Callers, Page } from './context.ts'

const noMember = unauthorized()

/** A key, a Bearer token, or cookies: each counts alone, and cookies only when there is neither of the others. */
export async function findCallers(services: Services, { headers }: FastifyRequest, page: Page): Promise<Callers> {
  const key = headers['x-api-key']
  const bearer = /^Bearer\b/i.test(headers.authorization ?? '') ? headers.authorization : undefined
  if (key !== undefined && bearer !== undefined) throw unauthorized('Send an API key or a Bearer token, not both.')
  if (key !== undefined) return { member: await known(authenticateKey(services, String(key))), user: noToken }
  if (bearer !== undefined) return { member: noMember, user: await known(authenticateToken(services, bearer)) }
  if (page.from !== 'own') return { member: noMember, user: noToken }

  const organizationId = String(headers['x-organization-id'] ?? '')
  const session = isUlid(organizationId) ? readCookie(headers.cookie, consoleCookieName(organizationId)) : null
  const signIn = readCookie(headers.cookie, userCookieName)
  const [member, user] = await Promise.all([
    session ? known(authenticateSession(services, organizationId, session)) : noMember,
    signIn ? known(authenticateUserSession(services, signIn)) : noToken,
  ])
  return { member, user }
}

/** The caller, or the refusal: what a field needs decides whether that is an error. */
async function known<Caller>(authentication: Promise<Caller>): Promise<Caller | DomainError> {
  try {
    return await authentication
  } catch (error) {
    if (error instanceof DomainError && error.status === 401) return error
    throw error
  }
}

export function pageOf(request: FastifyRequest, reply: FastifyReply, { baseUrl }: Origin): Page {
  const from = isFromOwnPage(request, baseUrl) ? 'own' : isFromForeignPage(request, baseUrl) ? 'foreign' : 'none'
  const cookies = new Map<string, Cookie>()

  function setCookie(cookie: Cookie): void {
    if (from !== 'own') return
    cookies.set(cookie.name, cookie)
    reply.removeHeader('set-cookie')
    for (const each of cookies.values()) reply.header('set-cookie', toSetCookie(each, baseUrl.startsWith('https:')))
  }

  return {
    from,
    setCookie,
    endCookies() {
      const names = request.headers.cookie?.match(/\bent_(user|session_[0-9A-Z]{26})(?==)/g) ?? []
      for (const name of new Set(names)) setCookie(endedCookie(name))
    },
  }
}
