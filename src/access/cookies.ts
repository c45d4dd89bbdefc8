/** A cookie to set, or with an empty value one to take away. */
export type Cookie = { name: string; value: string; maxAgeSeconds: number }

/** The personal sign-in of a browser. */
export const userCookieName = 'ent_user'

/** One for each organization, so that two tabs in two organizations do not mix. */
export function consoleCookieName(organizationId: string): string {
  return `ent_session_${organizationId}`
}

export function endedCookie(name: string): Cookie {
  return { name, value: '', maxAgeSeconds: 0 }
}

export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return null
}

/** No script reads it, no request from another site carries it, and behind https it never goes in the clear. */
export function toSetCookie({ name, value, maxAgeSeconds }: Cookie, secure: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

type PageRequest = {
  method: string
  headers: { origin?: string | undefined; 'content-type'?: string | undefined }
}

/**
 * Whether the request comes from the service's own pages: cookies count, and are set, in such a one alone. A form can
 * send neither this content type nor another page this Origin.
 */
export function isFromOwnPage({ method, headers }: PageRequest, baseUrl: string): boolean {
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  return method === 'POST' && isJson && headers.origin !== undefined && headers.origin === originOf(baseUrl)
}

/** Whether a browser says that a page from elsewhere sent the request. */
export function isFromForeignPage({ headers }: PageRequest, baseUrl: string): boolean {
  return headers.origin !== undefined && headers.origin !== originOf(baseUrl)
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}
