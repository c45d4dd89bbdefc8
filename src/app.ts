import Fastify, { type FastifyInstance } from 'fastify'
import { serveReference } from '../rest/openapi/serve.ts'
import { registerRestRoutes } from '../rest/router.ts'
import { restRoutes } from '../rest/routes.ts'
import { hashApiKey } from './access/api-key.ts'
import type { Config } from './config.ts'
import { currentTime } from './core/clock.ts'
import { newRequestId } from './core/ids.ts'
import { registerGraphql } from './graphql/door.ts'
import { registerHealth } from './health.ts'
import { addAnswerHeaders, commonHeaders } from './http/answer-headers.ts'
import { boundParsedBodies } from './http/body.ts'
import { boundParsing } from './http/bound-parsing.ts'
import { boundStrangers } from './http/bound-strangers.ts'
import { drainRequests } from './http/drain-requests.ts'
import { endConnectionsAtClose } from './http/end-connections.ts'
import { watchForwardedHeaders } from './http/forwarded.ts'
import { requireHost } from './http/host.ts'
import { limitConnections } from './http/limit-connections.ts'
import { sendError, unknownRoute } from './http/reply.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { createServices, type ServicesDependencies } from './services.ts'
import { serveConsole } from './web/serve-console.ts'

type AppDependencies = ServicesDependencies & {
  /** Aborted when the process is asked to stop, some time before the app is closed: see drain-requests.ts. */
  stopping?: AbortSignal
}

/** Both doors on one server, not listening yet. Closing it lets running requests end. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, database, logger, stopping, outdated } = dependencies
  const { services, close } = createServices(dependencies)
  const app = createServer(config)
  boundParsing(app, config, logger)
  limitConnections(app, config, logger)
  boundStrangers(app, (text) => hashApiKey(text) !== null)
  requireHost(app)
  watchForwardedHeaders(app, config, logger)
  app.addHook('onClose', close)
  if (stopping) drainRequests(app, stopping)
  endConnectionsAtClose(app)
  registerHealth(app, { database, stopping, outdated })
  serveReference(app)
  boundParsedBodies(app, config.maxParsedBytes)
  registerRestRoutes(app, services, restRoutes, config.bodyLimitBytes)
  serveConsole(app)
  // Last: waiting for it loads what was registered so far, and it keeps the error handler that it has then.
  await registerGraphql(app, services, config)
  return app
}

/** The server without routes: every answer has the common headers, the unreadable ones too. */
function createServer(config: Config): FastifyInstance {
  const app = Fastify({
    // Fastify would make a logger for each request; the doors log failures themselves.
    logger: false,
    trustProxy: toTrust(config.trustProxy),
    genReqId: newRequestId,
    requestIdHeader: false,
    clientErrorHandler: answerUnreadable,
    // A path that the router cannot read is an unknown route.
    frameworkErrors: (_error, request, reply) => sendError(reply.headers(commonHeaders(request.id)), unknownRoute()),
    // Node itself would refuse a request without Host, but not in the error contract: see requireHost.
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 15_000, requireHostHeader: false },
    // A limit for whole requests, which a body of many lines may exceed: see limit-connections.ts.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // A request that arrives on a busy connection while the server stops is answered as usual, and then the connection ends.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url }) => decodable(url ?? '/'),
  })
  app.decorateRequest('receivedAt', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.receivedAt = currentTime()
    done()
  })
  addAnswerHeaders(app, config)
  // An unknown expectation is not a reason to refuse: Node would refuse it without an explanation.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** With a number of proxies in front, each is trusted to report the one before it. */
function toTrust(trustProxy: Config['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}

/**
 * The router refuses a path with wrong percent-encoding, but a malformed path value is a 404 of its
 * operation. Such a segment is passed on as it was written, with a U+0000, so that it cannot be a key or id.
 */
function decodable(url: string): string {
  if (!url.includes('%')) return url
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const segments = path.split('/').map((segment) => {
    try {
      decodeURIComponent(segment)
      return segment
    } catch {
      return `${encodeURIComponent(segment)}%00`
    }
  })
  return segments.join('/') + url.slice(path.length)
}
