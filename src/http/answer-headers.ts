import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { httpDate } from '../core/clock.ts'

/**
 * The headers of every answer; answers that may be cached set their own `cache-control`. No page of another site may embed
 * an answer. This says nothing of requests with CORS, which browsers allow by other headers.
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

/** For pages: windows of other sites cannot reach them, and their address goes nowhere. */
export const pageHeaders = { 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'no-referrer' }

/** Browsers that once reached the service by https do not use http again for a year. */
const strictTransport = ['strict-transport-security', 'max-age=31536000'] as const

/** Which credentials are missing, by the beginning of the path. GraphQL takes either. */
const schemes: readonly [prefix: RegExp, challenge: string][] = [
  [/^\/user\b/, 'Bearer'],
  [/^\/graphql\b/, 'ApiKey, Bearer'],
  [/^/, 'ApiKey'],
]

const retryAfterSeconds = 1

/** What answers say beside their bodies. Contract: Errors 6. */
export function addAnswerHeaders(app: FastifyInstance, { publicUrl, trustProxy }: Config): void {
  const isAlwaysHttps = publicUrl?.startsWith('https:') ?? false
  const isNeverHttps = !isAlwaysHttps && !trustProxy

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    if (!isNeverHttps && (isAlwaysHttps || request.protocol === 'https')) reply.header(...strictTransport)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeOf(request.url))
    else if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds)
    done()
  })
}

function challengeOf(url: string): string {
  return schemes.find(([prefix]) => prefix.test(url))?.[1] as string
}
