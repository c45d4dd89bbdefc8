import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { dropInterimAnswers } from './interim-answers.ts'
import { type Address, resolveHost } from './resolve-host.ts'

/** Answers on Azure from within any machine there, at an address that looks public. */
const metadataAddresses = new Set(['168.63.129.16'])

/** All that is given out for unicast in IPv6. What lies outside, as an IPv4 address behind `::`, leads nowhere public. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** The connection was not made: it would have led to where a vendor's webhook has no business. */
export class AddressRefused extends Error {
  readonly address: string
  constructor(address: string) {
    super(`the address ${address} is not a public one`)
    this.name = 'AddressRefused'
    this.address = address
  }
}

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

export type GuardOptions = { allowPrivateNetworks: boolean; timeoutMs: number; resolve?: typeof resolveHost }

/**
 * Connects as undici does, over HTTP/1.1, once the address was looked at: a literal one, for which no look-up is made, or
 * every one that the name leads to at this moment. So a name that leads elsewhere a moment later helps nobody.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowPrivateNetworks, timeoutMs, resolve = resolveHost } = options
  const isAllowed = (address: string) => allowPrivateNetworks || isPublicAddress(address)

  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup(hostname, { all, family }, callback) {
      resolve(hostname).then(
        (found) => {
          const wanted = found.filter((each) => !family || each.family === family)
          const refused = found.find(({ address }) => !isAllowed(address))
          const first = wanted[0]
          if (refused) return callback(new AddressRefused(refused.address), [])
          if (!first) return callback(noAddress(hostname), [])
          return all ? callback(null, wanted) : callback(null, first.address, first.family)
        },
        (error) => callback(error, []),
      )
    },
  } as buildConnector.BuildOptions)

  return (target, callback) => {
    const { hostname } = target
    if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
      queueMicrotask(() => callback(new AddressRefused(hostname), null))
      return
    }
    connect(target, (...[error, socket]) =>
      error === null ? callback(null, dropInterimAnswers(socket)) : callback(error, null),
    )
  }
}

function noAddress(hostname: string): Error {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' })
}

export type { Address }
