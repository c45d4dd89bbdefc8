import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { dropInterimAnswers } from '../src/core/interim-answers.ts'
import { isPublicAddress } from '../src/core/public-address.ts'
import { openTunnel } from './open-tunnel.ts'
import { type Address, resolveHost } from './resolve-host.ts'

/** Thrown instead of connecting to an address that webhooks must not reach. */
export class AddressRefused extends Error {
  readonly address: string
  constructor(address: string) {
    super(`the address ${address} is not public`)
    this.name = 'AddressRefused'
    this.address = address
  }
}

/**
 * The wait before the first request on a new connection, so that the receiver can accept the connection. Otherwise, the
 * receiver might first handle requests that are sent later on other connections.
 */
const waitForAcceptMs = 1

type GuardOptions = {
  allowPrivateNetworks: boolean
  timeoutMs: number
  /** An http or https proxy that opens all connections. */
  proxyUrl?: string | undefined
  resolve?: typeof resolveHost
}

/**
 * Connects as undici does, over HTTP/1.1, but first checks the target's IP address or, for a host name, every address that it
 * resolves to. The connection uses the checked addresses, so a later change of the name's DNS records has no effect.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowPrivateNetworks, timeoutMs, proxyUrl, resolve = resolveHost } = options
  const isAllowed = (address: string) => allowPrivateNetworks || isPublicAddress(address)

  async function findAllowedAddresses(hostname: string): Promise<Address[]> {
    const found = await resolve(hostname)
    const refused = found.find(({ address }) => !isAllowed(address))
    if (refused) throw new AddressRefused(refused.address)
    return found
  }

  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup(hostname, { all, family }, callback) {
      findAllowedAddresses(hostname).then(
        (found) => {
          const wanted = found.filter((each) => !family || each.family === family)
          const first = wanted[0]
          if (!first) return callback(noAddress(hostname), [])
          return all ? callback(null, wanted) : callback(null, first.address, first.family)
        },
        (error) => callback(error, []),
      )
    },
  } as buildConnector.BuildOptions)

  /** Gives the proxy the address that was checked, because the proxy might resolve the name to another address. */
  async function connectThroughProxy(proxy: string, target: buildConnector.Options): Promise<Socket> {
    const { hostname, protocol, port } = target
    const [first] = isIP(hostname) === 0 ? await findAllowedAddresses(hostname) : [{ address: hostname }]
    if (!first) throw noAddress(hostname)
    const socket = await openTunnel(
      proxy,
      { ...first, port: port || (protocol === 'https:' ? '443' : '80') },
      timeoutMs,
    )
    if (protocol !== 'https:') return socket
    return new Promise((resolve, reject) => {
      const servername = isIP(hostname) === 0 ? hostname : ''
      connect({ ...target, servername, httpSocket: socket }, (error, secure) =>
        secure ? resolve(secure) : reject(error),
      )
    })
  }

  return (target, callback) => {
    const { hostname } = target
    if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
      queueMicrotask(() => callback(new AddressRefused(hostname), null))
    } else if (proxyUrl !== undefined) {
      connectThroughProxy(proxyUrl, target).then(
        (socket) => callback(null, dropInterimAnswers(socket)),
        (error) => callback(error, null),
      )
    } else {
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        setTimeout(() => {
          if (socket.destroyed)
            callback(Object.assign(new Error('the connection is closed'), { code: 'ECONNRESET' }), null)
          else callback(null, dropInterimAnswers(socket))
        }, waitForAcceptMs)
      })
    }
  }
}

function noAddress(hostname: string): Error {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' })
}
