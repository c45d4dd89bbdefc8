import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Answers on Azure from within any machine there, at an address that looks public. */
const metadataAddresses = new Set(['168.63.129.16'])

/** All of IPv6 that is assigned for unicast. Anything outside, such as an IPv4 address behind `::`, is not public. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether this is a plain public unicast address: not private, loopback, link-local, unique-local, shared, multicast, reserved
 * or translated (NAT64, 6to4, Teredo). An IPv4 address within an IPv6 one is judged as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  // 2001:db8::%eth0 and the like name an interface of this machine.
  if (address.includes('%')) return false
  const plain = ipaddr.process(address)
  if (plain.kind() === 'ipv6' && !plain.match(publicIpv6)) return false
  return plain.range() === 'unicast' && !metadataAddresses.has(plain.toString())
}

/** Whether only this machine can reach it: the name or address of a host, an IPv6 address with or without brackets. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
}
