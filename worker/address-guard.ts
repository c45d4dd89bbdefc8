import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { dropInterimAnswers } from '../src/core/interim-answers.ts'
import { isPublicAddress } from '../src/core/public-address.ts'
import { resolveHost } from './resolve-host.ts'

/** Thrown instead of connecting: a vendor's webhook must not reach this address. */
export class AddressRefused extends Error {
  readonly address: string
  constructor(address: string) {
    super(`the address ${address} is not a public one`)
    this.name = 'AddressRefused'
    this.address = address
  }
}

type GuardOptions = { allowPrivateNetworks: boolean; timeoutMs: number; resolve?: typeof resolveHost }

/**
 * Connects as undici does, over HTTP/1.1, but checks the address first: a literal one, which needs no look-up, or every
 * address of the name at this moment. An attacker gains nothing by changing the name's address a moment later.
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
