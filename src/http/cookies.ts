import { parseCookie } from 'cookie'
import { unauthorized } from '../core/errors.ts'

/** A cookie to set, or to remove if its value is empty. */
export type Cookie = { name: string; value: string; maxAgeSeconds: number }

/** The cookie with the token of a personal sign-in, which belongs to no organization. */
export const userCookieName = 'ent_user'

/** Marks a browser in which somebody signed in. It outlives the sign-in, and grants no access (access/known-devices.ts). */
export const markCookieName = 'ent_mark'

/** The state that a browser keeps while the person is at the identity provider. */
const oidcCookieName = 'ent_oidc'
/** The path below which the cookie `ent_oidc` is needed. */
export const oidcPath = '/auth/oidc'

/** Each organization has its own cookie, so that tabs with different organizations do not interfere. */
export function consoleCookieName(organizationId: string): string {
  return `ent_session_${organizationId}`
}

export function endedCookie(name: string): Cookie {
  return { name, value: '', maxAgeSeconds: 0 }
}

/** With this prefix, browsers do not let another host of the domain set the cookie. */
const prefixBehindHttps = '__Host-'

type SentCookies = { header: string | undefined; isHttps: boolean }

export function readCookie({ header, isHttps }: SentCookies, name: string): string | null {
  const prefix = isHttps ? prefixBehindHttps : ''
  return parse(header)[prefix + name] ?? null
}

export function readOidcCookie(sent: SentCookies): string | null {
  return readCookie(sent, oidcCookieName)
}

/**
 * `SameSite=Lax`, because the browser must send the cookie when the provider sends the browser back to the service. The prefix,
 * which requires the path `/`, keeps other hosts of the domain from inserting a sign-in that they began.
 */
export function toOidcCookie(value: string, maxAgeSeconds: number, isHttps: boolean): string {
  const [prefix, path, secure] = isHttps ? [prefixBehindHttps, '/', '; Secure'] : ['', oidcPath, '']
  return `${prefix}${oidcCookieName}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The names of the service's cookies in the request. */
export function findCookieNames(sent: SentCookies): string[] {
  return findOwnCookies(sent).map(({ name }) => name)
}

/** The tokens of the personal sign-in and of the console sessions in the request. */
export function readSessionTokens(sent: SentCookies): string[] {
  return findOwnCookies(sent).map(({ value }) => value)
}

/** Parses the header only once, because it may contain hundreds of the service's cookies. */
function findOwnCookies({ header, isHttps }: SentCookies): { name: string; value: string }[] {
  const prefix = isHttps ? prefixBehindHttps : ''
  return Object.entries(parse(header)).flatMap(([sentName, value = '']) => {
    const name = sentName.slice(prefix.length)
    return sentName.startsWith(prefix) && ownCookiePattern.test(name) ? [{ name, value }] : []
  })
}

const ownCookiePattern = /^ent_(user|session_[0-9A-Z]{26})$/

/** Does not decode values, because the service's own values need no decoding. */
function parse(header = '') {
  return parseCookie(header, { decode: (value) => value })
}

/**
 * Scripts cannot read the cookie, requests from other sites do not carry it, and with https it is only sent encrypted.
 * Formatted here, because the package `cookie` would change the order of the attributes.
 */
export function toSetCookie({ name, value, maxAgeSeconds }: Cookie, isHttps: boolean): string {
  const [prefix, secure] = isHttps ? [prefixBehindHttps, '; Secure'] : ['', '']
  return `${prefix}${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

type PageRequest = {
  method: string
  headers: { origin?: string | undefined; 'content-type'?: string | undefined }
}

/**
 * Whether one of the service's own pages sent the request: cookies are accepted and set only for such requests. A form cannot
 * send the content type of JSON, and a page of another site cannot send the Origin of the service's pages. `pageOrigin` is null
 * if the service has no pages at this address.
 */
export function isFromOwnPage({ method, headers }: PageRequest, pageOrigin: string | null): boolean {
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  return method === 'POST' && isJson && headers.origin !== undefined && headers.origin === pageOrigin
}

/** Whether the browser says that a page of another site sent the request. */
export function isFromForeignPage({ headers }: Pick<PageRequest, 'headers'>, pageOrigin: string | null): boolean {
  return headers.origin !== undefined && headers.origin !== pageOrigin
}

/**
 * Without this refusal, a page of another site could sign up, and so control a server that only its visitor's machine can
 * access.
 */
export const crossSiteSignInRefused = unauthorized(
  "Nobody can sign in from another site's page. If this is an address of the service, PUBLIC_URL must name it.",
)
