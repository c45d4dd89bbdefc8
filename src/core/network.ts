import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address as callers are counted by it: an IPv6 address counts as its /64, which one caller owns as a whole. */
export function networkOf(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
