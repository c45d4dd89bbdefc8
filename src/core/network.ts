import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Stands for the address of a client whose proxy reports no readable address. No network contains it. */
export const unknownAddress = 'unknown'

/** The address to store, or null if it is unknown. */
export function toStoredAddress(ip: string): string | null {
  return ip === unknownAddress ? null : ip
}

/** The network by which callers are counted: for IPv6 the /64, because one caller usually has all of its addresses. */
export function networkOf(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
