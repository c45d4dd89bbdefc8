import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { baseUrlOf, type Config } from '../config.ts'
import { isLoopback } from '../core/public-address.ts'

/** A request with the address to which it was sent; behind a trusted proxy, the address that the proxy reports. */
type AddressedRequest = { protocol: string; host: string; headers: { origin?: string | undefined } }

/** The addresses of this service. */
export type OwnAddress = {
  /** The base URL of links, without a trailing slash: PUBLIC_URL, or the address that the client used. */
  baseUrl(request: AddressedRequest): string
  /** The Origin of the service's pages at the address that the client used; null if that may not be the service's address. */
  pageOrigin(request: AddressedRequest): string | null
}

type Options = { config: Pick<Config, 'publicUrl' | 'host' | 'port'>; logger: Pick<Logger, 'warn'> }

/**
 * The owner of a DNS name can make it resolve to 127.0.0.1 or into a private network, and a page under that name then sends a
 * matching Host and Origin. So without PUBLIC_URL, the service accepts only names that nobody else can own.
 * Contract: Identity 2.
 */
export function createOwnAddress({ config, logger }: Options): OwnAddress {
  const { publicUrl } = config
  if (publicUrl !== undefined) {
    const { origin } = new URL(publicUrl)
    return { baseUrl: () => publicUrl, pageOrigin: () => origin }
  }
  let hasWarned = false

  function warnOnce(address: string): void {
    if (hasWarned) return
    hasWarned = true
    logger.warn(
      { address },
      'a browser reached the service at an address that is not known as its own, and cannot sign in there: set PUBLIC_URL to the address that people use',
    )
  }

  return {
    baseUrl: ({ protocol, host }) => (isHost(host) ? `${protocol}://${host}` : baseUrlOf(config)),
    pageOrigin({ protocol, host, headers }) {
      if (!isHost(host)) return null
      const { hostname, origin } = new URL(`${protocol}://${host}`)
      if (isLoopback(hostname) || hostname === hostnameOf(config.host)) return origin
      if (headers.origin === origin) warnOnce(origin)
      return null
    },
  }
}

/** The maximum length of a DNS name with a port. */
const maxHostLength = 253 + 6

/** Whether the text is a name or an address, optionally with a port, as in a Host header. */
export function isHost(text: string): boolean {
  return (
    text.length <= maxHostLength &&
    /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(text) &&
    URL.canParse(`http://${text}`)
  )
}

/** The setting HOST as it appears in a URL. */
function hostnameOf(host: string): string {
  const text = isIP(host) === 6 ? `[${host}]` : host
  return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : host
}
