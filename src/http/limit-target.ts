import type { FastifyInstance } from 'fastify'
import { DomainError } from '../core/errors.ts'
import { isDecodable } from '../core/percent-encoding.ts'

/** The maximum bytes of a path with its query. */
export const maxTargetBytes = 8_192

/** The scheme and the host of a target that is a whole address, as clients send it to a proxy. */
const beginningOfAddress = /^https?:\/\/(?:[^/?#[\]]+|\[[\da-f:.]+\](?::\d+)?)/i

/**
 * The request target for the router. A target over the limit becomes a path without a route, and is never parsed.
 *
 * The router refuses a path with wrong percent-encoding, but by the contract the operation answers 404 for a malformed path
 * value. So such a segment is passed on unchanged, with a U+0000 at its end, so that it cannot be a key or id.
 */
export function toRoutedTarget(target = '/'): string {
  if (target.length > maxTargetBytes) return '/'
  const local = target.startsWith('/') ? target : withoutHost(target)
  const end = local.search(/[?#]/)
  const path = end === -1 ? local : local.slice(0, end)
  if (isDecodable(path)) return local
  const segments = path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : `${encodeURIComponent(segment)}%00`))
  return segments.join('/') + local.slice(path.length)
}

function withoutHost(target: string): string {
  const [schemeAndHost = ''] = beginningOfAddress.exec(target) ?? []
  const path = target.slice(schemeAndHost.length)
  return schemeAndHost === '' || path.startsWith('/') ? path : `/${path}`
}

/** Refuses targets longer than `maxTargetBytes` with 413, whatever the route. Contract: Errors 8. */
export function limitTarget(app: FastifyInstance): void {
  app.addHook('onRequest', ({ originalUrl }, _reply, done) => {
    if (originalUrl.length <= maxTargetBytes) return done()
    done(new DomainError('BODY_TOO_LARGE', `The address is longer than ${maxTargetBytes} bytes.`))
  })
}
