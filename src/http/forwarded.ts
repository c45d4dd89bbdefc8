import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { DomainError } from '../core/errors.ts'
import { isHost } from './own-address.ts'

/**
 * Checks `X-Forwarded-…`: refuses invalid values from a trusted proxy, because they would end up in links and decide
 * about cookies. If no proxy is trusted, warns at the first such header that TRUST_PROXY may be missing.
 */
export function watchForwardedHeaders(app: FastifyInstance, { trustProxy }: Config, logger: Logger): void {
  if (trustProxy === false || trustProxy === 0) warnAtFirstForwarded(app, logger)
  else app.addHook('onRequest', (request, _reply, done) => done(findFault(request)))
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

function warnAtFirstForwarded(app: FastifyInstance, logger: Logger): void {
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
