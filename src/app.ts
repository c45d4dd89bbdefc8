import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { registerRestRoutes } from '../rest/router.ts'
import { restRoutes } from '../rest/routes.ts'
import type { Identity } from './access/identity.ts'
import { createLastUses } from './access/last-uses.ts'
import { createUnknownIds } from './access/outside-account.ts'
import { createOutsideIssuer } from './access/outside-issuer.ts'
import { createPasswordWork } from './access/password-work.ts'
import { hasAnyLabel } from './access/roles.ts'
import { createUserTokens } from './access/user-token.ts'
import type { Config } from './config.ts'
import { FairQueue } from './core/fair-queue.ts'
import { newRequestId } from './core/ids.ts'
import type { Vault } from './core/vault.ts'
import type { Database } from './database/client.ts'
import { limits } from './database/limits.ts'
import type { Jobs } from './events/jobs.ts'
import { createGate } from './gate/gate.ts'
import { createLimitNotices } from './gate/limit-notices.ts'
import { registerGraphql } from './graphql/door.ts'
import { registerHealth } from './health.ts'
import { boundParsedBodies } from './http/body.ts'
import { createBodyBudget } from './http/body-budget.ts'
import { drainRequests } from './http/drain-requests.ts'
import { endConnectionsAtClose } from './http/end-connections.ts'
import { createFailureLog } from './http/failure-log.ts'
import { watchForwardedHeaders } from './http/forwarded.ts'
import { requireHost } from './http/host.ts'
import { limitConnections } from './http/limit-connections.ts'
import { createOwnAddress } from './http/own-address.ts'
import { sendError, unknownRoute } from './http/reply.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { logFailures, notifyAll, type Observer } from './operation/observation.ts'
import type { Services } from './operation/services.ts'
import { servePages } from './pages.ts'
import { recordOutcome } from './recording/record.ts'
import { createSettler } from './recording/settler.ts'

export type AppDependencies = {
  config: Config
  database: Database
  vault: Vault
  jobs: Jobs
  logger: Logger
  /** Aborted when the process is asked to stop, some time before the app is closed: see drain-requests.ts. */
  stopping?: AbortSignal
  /** Is notified of every request for an operation, in addition to the log. */
  observe?: Observer
}

/**
 * Uses a part of the pool's 20 connections: the others are for evals, authentication, and reads outside the queue. While
 * nothing ends, work waits for its turn as long as for a connection, so that in an outage every request is answered in time.
 */
const queueOfDatabase = { atOnce: 12, waiting: 2000, maxWaitMs: 10_000, maxStallMs: limits.connectTimeoutMs }

/** Both doors on one server, not listening yet. Closing it lets running requests end. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, database, vault, jobs, logger, stopping, observe } = dependencies
  const evalLimits = {
    rateLimitPerSecond: config.evalRateLimitPerSecond,
    monthlyAllotment: config.evalMonthlyAllotment,
  }
  const limitNotices = createLimitNotices({ pool: database.pool, logger, ...evalLimits })
  const gate = createGate({
    pool: database.pool,
    ...evalLimits,
    onRateLimited: limitNotices.rateLimited,
    answerTimeoutMs: config.answerTimeoutMs,
    mayEvaluate: (role) => hasAnyLabel(role, ['entitlements:read']),
  })
  const identity: Identity = {
    tokens: createUserTokens(vault),
    outsideIssuer: config.outsideIssuer && createOutsideIssuer(config.outsideIssuer),
    unknownId: createUnknownIds(vault),
    signUp: config.signUp,
    passwords: createPasswordWork(config.maxPasswordsAtOnce),
  }
  const lastUses = createLastUses(database, logger)
  const settler = createSettler({ record: (entry, outcome) => recordOutcome(database, entry, outcome), logger })
  const queue = new FairQueue({
    ...queueOfDatabase,
    atOnceOfOne: config.maxRunningRequests,
    waitingOfOne: config.maxWaitingRequests,
  })
  const failures = createFailureLog(logger)
  const services: Services = {
    database,
    gate,
    jobs,
    vault,
    logger,
    limits: config,
    identity,
    lastUses,
    settler,
    queue,
    address: createOwnAddress({ config, logger }),
    failures,
    observe: notifyAll(logFailures(failures), observe),
  }

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
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // A request that arrives on a busy connection while the server stops is answered as usual, and then the connection ends.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url }) => decodable(url ?? '/'),
  })

  app.decorateRequest('receivedAt', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.receivedAt = new Date()
    reply.headers(commonHeaders(request.id))
    done()
  })
  requireHost(app)
  watchForwardedHeaders(app, config, logger)
  limitConnections(app, config, logger)
  app.addHook('onClose', async () => {
    await Promise.all([gate.close(), lastUses.close(), settler.close(), limitNotices.close()])
  })
  // An unknown expectation is not a reason to refuse: Node would refuse it without an explanation.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  if (stopping) drainRequests(app, stopping)
  endConnectionsAtClose(app)
  registerHealth(app, { database, stopping })
  servePages(app, config)
  boundParsedBodies(app, createBodyBudget(config.maxParsedBytes))
  registerRestRoutes(app, services, restRoutes, config.bodyLimitBytes)
  await registerGraphql(app, services, config)
  return app
}

/** The headers of every answer. Answers that may be cached set their own. */
function commonHeaders(requestId: string) {
  return { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
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
