/** A longer address would not fit into a cookie. */
const maxLength = 2_000

/**
 * The address on this service's host for the path `to`, or its start page if `to` is not such a path. The address is absolute,
 * so that no browser takes a part of the path for another host.
 */
export function localAddress(to: unknown, origin: string): string {
  const start = `${origin}/`
  if (typeof to !== 'string' || to.length > maxLength) return start
  if (!/^\/(?!\/)/.test(to) || /[\\\p{Cc}]/u.test(to)) return start
  const { href, pathname } = new URL(`${origin}${to}`)
  // Returning to one of these paths would start the sign-in again.
  const isOurs = href.startsWith(start) && !pathname.startsWith('/auth/')
  return isOurs && href.length <= maxLength ? href : start
}
