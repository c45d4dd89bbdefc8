import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { httpDate } from '../core/clock.ts'

/**
 * The headers of every answer; answers that may be cached set their own `cache-control`. Pages of other sites cannot embed
 * an answer. These headers do not affect CORS requests, for which browsers look at other headers.
 */
export function commonHeaders(requestId: string) {
  return {
    date: httpDate(),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** The headers of pages: windows of other sites cannot access a page, and browsers never send its address as a referrer. */
export const pageHeaders = { 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'no-referrer' }

/** For a year, a browser that has reached the service over https does not use http. */
const strictTransport = ['strict-transport-security', 'max-age=31536000'] as const

/**
 * The challenge in `WWW-Authenticate` of a 401, by the prefix of the path. GraphQL accepts keys and tokens, and so do routes
 * with `cors`.
 */
const challenges: readonly [prefix: RegExp, challenge: string][] = [
  [/^\/user\b/, 'Bearer'],
  [/^\/graphql\b/, 'ApiKey, Bearer'],
  [/^/, 'ApiKey'],
]

const retryAfterSeconds = 1

/** Adds the headers of the contract to answers. Contract: Errors 6. */
export function addAnswerHeaders(
  app: FastifyInstance,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
): void {
  const isAlwaysHttps = publicUrl?.startsWith('https:') ?? false
  const isNeverHttps = !isAlwaysHttps && !trustProxy

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    if (!isNeverHttps && (isAlwaysHttps || request.protocol === 'https')) reply.header(...strictTransport)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeOf(request))
    else if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds)
    done()
  })
}

function challengeOf({ url, routeOptions }: FastifyRequest): string {
  if (routeOptions.config.cors) return 'ApiKey, Bearer'
  return challenges.find(([prefix]) => prefix.test(url))?.[1] as string
}
