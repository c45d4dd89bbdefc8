import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { DomainError } from '../core/errors.ts'
import { refuse } from '../core/issues.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'

/*
 * An API key may be bound to networks. The stored networks are canonical, so that PostgreSQL can read them as `inet`; and they
 * never change, so that processes can remember which keys have no networks.
 */

export const maxNetworks = 20
/** The length of the longest IPv6 network. */
export const maxNetworkLength = 43

/**
 * 1 to 20 networks in CIDR notation. An invalid list causes one error detail, however many networks are wrong. IPv4-mapped IPv6
 * networks become IPv4 networks.
 */
export function networkList() {
  const allowed = `1 to ${maxNetworks} networks in CIDR notation, such as 203.0.113.0/24, 203.0.113.9/32 or 2001:db8::/32`
  return z
    .array(z.string().meta({ minLength: 1, maxLength: maxNetworkLength }))
    .min(1)
    .max(maxNetworks)
    .superRefine((networks, context) => {
      if (networks.some((network) => toNetwork(network) === null)) refuse(context, `must be ${allowed}.`)
    })
    .transform((networks) => networks.map((network) => toNetwork(network) as string))
    .describe(allowed)
}

/** The network in its canonical form; null if the text is invalid, such as an address without a length or with host bits. */
function toNetwork(text: string): string | null {
  const [, address = '', length = ''] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? []
  if (isIP(address) === 0 || Number(length) > (isIP(address) === 4 ? 32 : 128)) return null
  const given = ipaddr.parse(address)
  const isMapped = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress() && Number(length) >= 96
  const [base, bits] = isMapped ? [given.toIPv4Address(), Number(length) - 96] : [given, Number(length)]
  const network = `${base}/${bits}`
  const kind = base instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  return kind.networkAddressFromCIDR(network).toString() === base.toString() ? network : null
}

/**
 * SQL: whether the key `k` has networks and none of them contains the address. An unknown address is null: no network contains
 * it.
 */
export function isAddressNotAllowed(address: string): string {
  return `case when cardinality(k.allowed_networks) > 0
    then not coalesce(${address} <<= any(k.allowed_networks::inet[]), false) else false end`
}

/** Compares callers' addresses with the networks of their keys. */
export type KeyNetworks = {
  /** The address to compare with a key's networks, in PostgreSQL's form; null if a client may have forged it. */
  addressOf(ip: string): string | null
  /**
   * Called when a key was refused because of its networks. If TRUST_PROXY is the cause, logs what the operator must change, at
   * most once a minute.
   */
  refused(): void
}

export function createKeyNetworks(
  { trustProxy }: Pick<Config, 'trustProxy'>,
  logger: Pick<Logger, 'warn'>,
): KeyNetworks {
  const warn = warnAtIntervals(logger, 60_000)
  return {
    addressOf: (ip) => (trustProxy === true ? null : toAddress(ip)),
    refused() {
      if (trustProxy !== true) return
      warn(
        {},
        'a key that is bound to networks was refused: with TRUST_PROXY=true every client can forge its address. Set TRUST_PROXY to the number of proxies in front, or to their addresses',
      )
    },
  }
}

function toAddress(ip: string): string | null {
  if (isIP(ip) === 0) return null
  // PostgreSQL does not accept zones, and a key cannot name a network with a zone.
  return ip.includes('%') ? null : ipaddr.process(ip).toString()
}

/** Unlike other 401s, this one does not mean that the key has ended: it still works from its own networks. */
export class AddressNotAllowed extends DomainError {
  constructor() {
    super('UNAUTHORIZED', 'This API key may not be used from your address: it is bound to other networks.')
  }
}
