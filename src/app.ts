import Fastify, { type FastifyInstance } from 'fastify'
import { serveDocs } from '../rest/docs/serve.ts'
import { serveKeySet } from '../rest/key-set.ts'
import { followFlagsRoute } from '../rest/ofrep/follow-flags.ts'
import { serveOidc } from '../rest/oidc/serve.ts'
import { serveReference } from '../rest/openapi/serve.ts'
import { registerRestRoutes } from '../rest/router.ts'
import { restRoutes } from '../rest/routes.ts'
import { isApiKey } from './access/api-key.ts'
import type { Config } from './config.ts'
import { currentTime } from './core/clock.ts'
import { newRequestId } from './core/ids.ts'
import { registerGraphql } from './graphql/register-graphql.ts'
import { registerHealth } from './health.ts'
import { addAnswerHeaders, commonHeaders } from './http/answer-headers.ts'
import { boundParsedBodies } from './http/body.ts'
import { boundParsing } from './http/bound-parsing.ts'
import { boundStrangers } from './http/bound-strangers.ts'
import { allowPages } from './http/cors.ts'
import { drainRequests } from './http/drain-requests.ts'
import { endConnectionsAtClose } from './http/end-connections.ts'
import { watchForwardedHeaders } from './http/forwarded.ts'
import { requireHost } from './http/host.ts'
import { limitConnections } from './http/limit-connections.ts'
import { limitTarget, maxTargetBytes, toRoutedTarget } from './http/limit-target.ts'
import { sendError, unknownRoute } from './http/reply.ts'
import { traceRequests } from './http/trace-requests.ts'
import { trustedProxies } from './http/trusted-proxy.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { addServer } from './measure.ts'
import { onceAborted } from './operation/slots.ts'
import { createServices, type ServicesDependencies } from './services.ts'
import type { Tracing } from './tracing/tracing.ts'
import { loadPackages } from './web/packages.ts'
import { serveConsole } from './web/serve-console.ts'
import { servePackages } from './web/serve-packages.ts'

type AppDependencies = ServicesDependencies & {
  /** Aborted when the process must stop, some time before the app is closed: see drain-requests.ts. */
  stopping?: AbortSignal
  /** Aborted when another process takes this one's place, while the service stays ready. */
  leaving?: AbortSignal
}

/** Both APIs on one server, which does not listen yet. Closing it lets running requests end. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, database, logger, metrics, tracing, stopping, outdated } = dependencies
  const ending = AbortSignal.any([stopping, dependencies.leaving].filter((signal) => signal !== undefined))
  const { services, close } = createServices(dependencies)
  const app = createServer(config, tracing)
  if (metrics) addServer(metrics, app)
  boundParsing(app, config, logger)
  limitConnections(app, config, logger)
  boundStrangers(app, isApiKey)
  limitTarget(app)
  requireHost(app)
  watchForwardedHeaders(app, config, logger)
  app.addHook('onClose', close)
  drainRequests(app, ending)
  // Followers and exports go elsewhere at once; a stop waits for every other answer. An outdated process may read no more.
  const endStreams = () => {
    services.changes.end()
    services.ending.abort()
  }
  ending.addEventListener('abort', endStreams, { once: true })
  if (outdated) onceAborted(outdated, endStreams)
  app.addHook('preClose', async () => endStreams())
  endConnectionsAtClose(app)
  registerHealth(app, { database, stopping, outdated })
  serveReference(app)
  serveDocs(app, { address: services.address, loadPackages })
  boundParsedBodies(app, config)
  registerRestRoutes(app, services, [...restRoutes, followFlagsRoute], config.bodyLimitBytes)
  serveKeySet(app, services)
  serveOidc(app, services)
  serveConsole(app)
  servePackages(app)
  // Must be last: awaiting a plugin loads all plugins registered so far, and they keep the error handler that is set by
  // then.
  await registerGraphql(app, services, config)
  return app
}

/** The server without routes. Every answer has the common headers, even to unreadable requests. */
function createServer(config: Config, tracing: Tracing | undefined): FastifyInstance {
  const app = Fastify({
    // Fastify would create a logger for each request; the APIs log failures themselves.
    logger: false,
    trustProxy: config.trustProxy !== false && trustedProxies(config.trustProxy),
    genReqId: newRequestId,
    requestIdHeader: false,
    clientErrorHandler: answerUnreadable,
    // A path that the router cannot parse is an unknown route.
    frameworkErrors: (_error, request, reply) => sendError(reply.headers(commonHeaders(request.id)), unknownRoute()),
    // Node itself would refuse a request without Host, but without the contract's error body: see requireHost.
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 15_000, requireHostHeader: false },
    // No limit for whole requests, because a body of many lines may take long: see limit-connections.ts.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // While the server stops, a request on a busy connection is answered as usual, and then the connection ends.
    return503OnClosing: false,
    // Percent-encoding a target makes it three times as long.
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
  allowPages(app)
  // Ignores an unknown `Expect` header, which Node would refuse without an explanation.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}
