import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address of Azure's metadata service looks public, but only machines in Azure can reach it. */
const metadataAddresses = new Set(['168.63.129.16'])

/** All IPv6 addresses assigned for unicast. Others, such as an IPv4 address after `::`, are not public. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether this is a plain public unicast address: not private, loopback, link-local, unique-local, shared, multicast, reserved
 * or translated (NAT64, 6to4, Teredo). An IPv4 address inside an IPv6 address counts as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  // Addresses such as 2001:db8::%eth0 name an interface of this machine.
  if (address.includes('%')) return false
  const plain = ipaddr.process(address)
  if (plain.kind() === 'ipv6' && !plain.match(publicIpv6)) return false
  return plain.range() === 'unicast' && !metadataAddresses.has(plain.toString())
}

/** Whether only this machine can reach the host name or address (IPv6 with or without brackets). */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'
}

/** Whether an address to listen on is the path of a Unix socket. */
export function isSocketPath(host: string): boolean {
  return host.startsWith('/')
}

/** The address for another port beside that of `host`: a Unix socket has no ports, so then this machine's own. */
export function hostForPort(host: string): string {
  return isSocketPath(host) ? '127.0.0.1' : host
}
