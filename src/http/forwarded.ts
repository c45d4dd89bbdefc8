import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { DomainError } from '../core/errors.ts'
import { unknownAddress } from '../core/network.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { findClientAddress } from './client-address.ts'
import { isHost } from './own-address.ts'
import { type IsTrustedProxy, trustedProxies } from './trusted-proxy.ts'

const quietMs = 60_000

/**
 * Checks `X-Forwarded-…`: refuses invalid values from a trusted proxy, because links contain them and cookies depend on them,
 * and reduces `X-Forwarded-For` to the client's address, so that `request.ip` is that address. If no proxy is trusted, warns at
 * the first such header that TRUST_PROXY may be missing.
 */
export function watchForwardedHeaders(app: FastifyInstance, { trustProxy }: Config, logger: Logger): void {
  if (trustProxy === false || trustProxy === 0) {
    warnOnFirstForwardedRequest(app, logger)
    return
  }
  reduceToClientAddress(app, trustedProxies(trustProxy), logger)
  app.addHook('onRequest', (request, _reply, done) => done(findFault(request)))
}

/**
 * Replaces the value of `X-Forwarded-For` with the client's address, because Fastify would ignore empty entries, and accept any
 * text as an address.
 */
function reduceToClientAddress(app: FastifyInstance, isTrusted: IsTrustedProxy, logger: Logger): void {
  const warn = warnAtIntervals(logger, quietMs)
  app.server.prependListener('request', ({ headers, socket: { remoteAddress = '' } }: IncomingMessage) => {
    const header = headers['x-forwarded-for']
    if (header === undefined || !isTrusted(remoteAddress)) return
    const address = findClientAddress(String(header), remoteAddress, isTrusted)
    headers['x-forwarded-for'] = address
    if (address !== unknownAddress) return
    warn(
      {},
      "a trusted proxy did not send its client's address in X-Forwarded-For: all such clients count as one address, and keys that are bound to networks are refused",
    )
  })
}

function findFault(request: FastifyRequest): DomainError | undefined {
  const { protocol, host, headers } = request
  if (protocol !== 'http' && protocol !== 'https') {
    return new DomainError('INVALID_JSON', 'The proxy must send http or https in X-Forwarded-Proto.')
  }
  if (host !== headers.host && headers['x-forwarded-host'] && !isHost(host)) {
    return new DomainError('INVALID_JSON', 'The proxy must send a host, with or without a port, in X-Forwarded-Host.')
  }
  return undefined
}

function warnOnFirstForwardedRequest(app: FastifyInstance, logger: Logger): void {
  let hasWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!hasWarned && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)) {
      hasWarned = true
      logger.warn(
        'a request came through a proxy that is not trusted: all clients behind it count as one address, with one counter of sign-in attempts. Set TRUST_PROXY to the number of proxies in front, or to their addresses',
      )
    }
    done()
  })
}
