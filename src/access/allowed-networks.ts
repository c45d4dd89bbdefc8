import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { DomainError } from '../core/errors.ts'
import { refuse } from '../core/issues.ts'
import { warnNowAndThen } from '../core/warn-now-and-then.ts'

/*
 * Keys that may be used only from some networks. What is stored never changes and is canonical, so that PostgreSQL reads it
 * as an address type and processes may remember that a key has none.
 */

export const maxNetworks = 20
/** An IPv6 network of full length. */
export const maxNetworkLength = 43

/** 1 to 20 networks in CIDR notation; any error is one detail at the list. IPv4 in IPv6 becomes IPv4. */
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

/** The network in its canonical form, or null if it is none: an address alone, or one with bits behind its length. */
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

/** Whether the key `k` has networks, of which none has the address, which is null if it is not known. For SQL. */
export function isFromElsewhere(address: string): string {
  return `case when cardinality(k.allowed_networks) > 0
    then not coalesce(${address} <<= any(k.allowed_networks::inet[]), false) else false end`
}

/** Where keys come from. */
export type KeyOrigins = {
  /** The address that counts for the networks of a key, as PostgreSQL reads it; null if a client may have made it up. */
  addressOf(ip: string): string | null
  /** Called when a key was refused because of it; says in the log what a person must change, at most once a minute. */
  refused(): void
}

export function createKeyOrigins({ trustProxy }: Pick<Config, 'trustProxy'>, logger: Pick<Logger, 'warn'>): KeyOrigins {
  const warn = warnNowAndThen(logger, 60_000)
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
  // PostgreSQL knows no zones, and what is in a zone is no network that a key could name.
  return ip.includes('%') ? null : ipaddr.process(ip).toString()
}

/** The key is valid, and may go on to be used from its networks. */
export class FromElsewhere extends DomainError {
  constructor() {
    super('UNAUTHORIZED', 'This API key may not be used from your address: it is bound to other networks.')
  }
}
