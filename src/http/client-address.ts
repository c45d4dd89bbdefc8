import { isIPv4, isIPv6 } from 'node:net'
import { unknownAddress } from '../core/network.ts'
import type { IsTrustedProxy } from './trusted-proxy.ts'

/** The maximum number of proxies in front of the service. */
const maxHops = 100
/** The longest entry, an IPv6 address in brackets with a port, has 53 characters; blanks may surround it. */
const maxEntryLength = 100

/**
 * Finds the client's address in `X-Forwarded-For`, to which each proxy appends the address from which it got the request.
 * Returns the last address that is not a trusted proxy's, or `unknownAddress` if that entry or a later one is not an address.
 * Earlier entries are ignored, because the client may have sent them.
 */
export function findClientAddress(header: string, ownPeer: string, isTrusted: IsTrustedProxy): string {
  let address = ownPeer
  let end = header.length
  for (let hop = 0; end >= 0 && isTrusted(address, hop); hop++) {
    const start = header.slice(0, end).lastIndexOf(',') + 1
    const reported = hop < maxHops && end - start <= maxEntryLength ? readAddress(header.slice(start, end)) : null
    if (reported === null) return unknownAddress
    address = reported
    end = start - 1
  }
  return address
}

/** Parses an address with or without a port; null for anything else, such as `unknown`, a name, or an address with a zone. */
function readAddress(entry: string): string | null {
  const text = entry.trim()
  const [, inBrackets, bare, port] = /^(?:\[([^\]]*)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (Number(port ?? 0) > 65_535) return null
  if (bare !== undefined) return isIPv4(bare) ? bare : null
  const address = inBrackets ?? text
  return isIPv6(address) && !address.includes('%') ? address : null
}
