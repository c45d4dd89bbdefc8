import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { currentTime } from '../core/clock.ts'
import { newRequestId } from '../core/ids.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { addAnswerHeaders, commonHeaders } from './answer-headers.ts'
import { allowPages } from './cors.ts'
import { maxTargetBytes, toRoutedTarget } from './limit-target.ts'
import { sendError, unknownRoute } from './reply.ts'
import { traceRequests } from './trace-requests.ts'
import { trustedProxies } from './trusted-proxy.ts'
import { answerUnreadable } from './unreadable.ts'

type ServerConfig = Pick<Config, 'trustProxy' | 'publicUrl'>

/** `takesPages`: whether pages of other sites may send requests to routes that allow it. */
type ServerOptions = { tracing?: Tracing | undefined; takesPages: boolean }

/** The server without routes. Every answer has the common headers, even the answer to an unreadable request. */
export function createServer(config: ServerConfig, { tracing, takesPages }: ServerOptions): FastifyInstance {
  const app = Fastify({
    // Fastify would create a logger for each request; the APIs log failures themselves.
    logger: false,
    trustProxy: config.trustProxy !== false && trustedProxies(config.trustProxy),
    genReqId: newRequestId,
    requestIdHeader: false,
    clientErrorHandler: answerUnreadable,
    // A path that the router cannot parse is an unknown route.
    frameworkErrors: (_error, request, reply) => sendError(reply.headers(commonHeaders(request.id)), unknownRoute()),
    // Node itself would refuse a request that has no Host header, but not with the contract's error body: see requireHost.
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 15_000, requireHostHeader: false },
    // No limit for whole requests, because a body of many lines may take long: see limit-connections.ts.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // While the server stops, a request on a busy connection is answered as usual, and then the connection ends.
    return503OnClosing: false,
    // Percent-encoding can make a parameter three times as long.
    routerOptions: { maxParamLength: 3 * maxTargetBytes },
    rewriteUrl: ({ url }) => toRoutedTarget(url),
  })
  traceRequests(app, tracing)
  app.decorateRequest('receivedAt', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.receivedAt = currentTime()
    done()
  })
  addAnswerHeaders(app, config)
  if (takesPages) allowPages(app)
  // Ignores an unknown `Expect` header, which Node would refuse without an explanation.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}
