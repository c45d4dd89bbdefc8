import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Answers on Azure from within any machine there, at an address that looks public. */
const metadataAddresses = new Set(['168.63.129.16'])

/** All that is given out for unicast in IPv6. What lies outside, as an IPv4 address behind `::`, leads nowhere public. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Plain public unicast, and nothing else: not private, loopback, link-local, unique-local, shared, multicast, reserved or
 * translated (NAT64, 6to4, Teredo). An IPv4 address in an IPv6 one counts as what it is.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  // 2001:db8::%eth0 and its like name an interface of this machine.
  if (address.includes('%')) return false
  const plain = ipaddr.process(address)
  if (plain.kind() === 'ipv6' && !plain.match(publicIpv6)) return false
  return plain.range() === 'unicast' && !metadataAddresses.has(plain.toString())
}
