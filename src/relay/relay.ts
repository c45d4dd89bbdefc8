import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createApi } from '../client/api/api.ts'
import { silenceMs } from '../client/feed.ts'
import type { Environment } from '../client/platform.ts'
import type { RelayConfig } from '../config.ts'
import { DomainError, Overloaded } from '../core/errors.ts'
import { version } from '../core/version.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { toDomainError } from '../database/outage.ts'
import { Semaphore } from '../fairness/semaphore.ts'
import { limitParsedBodies, readJsonBodies, toBodyRefusal } from '../http/body.ts'
import { createServer } from '../http/create-server.ts'
import { drainRequests } from '../http/drain-requests.ts'
import { endConnectionsAtClose } from '../http/end-connections.ts'
import { createFailureLog, type FailureLog } from '../http/failure-log.ts'
import { requireHost } from '../http/host.ts'
import { limitAnonymousClients } from '../http/limit-anonymous-clients.ts'
import { limitConnections } from '../http/limit-connections.ts'
import { limitParsing } from '../http/limit-parsing.ts'
import { limitTarget } from '../http/limit-target.ts'
import { sendError } from '../http/reply.ts'
import { Answers } from './answers.ts'
import { Callers } from './callers.ts'
import { RelayChanges } from './changes.ts'
import { registerChanges } from './follow.ts'
import { answerQuickChecks } from './quick-checks.ts'
import { RelayCache } from './relay-cache.ts'
import { RelayMetrics } from './relay-metrics.ts'
import { registerEvalRoutes } from './routes.ts'
import { StoredAnswers } from './stored-answers.ts'
import { followUpstream, relayEnvironment } from './upstream.ts'
import { warmAllSubscribers, warmStoredSubscribers } from './warm.ts'

type Options = {
  config: RelayConfig
  logger: Logger
  /** Aborts when the process must stop, some time before the app is closed. */
  stopping?: AbortSignal
  /** The time and the network, which tests replace. */
  environment?: Environment
}

export type Relay = { app: FastifyInstance; metrics: RelayMetrics }

const warningIntervalMs = 60_000
/** Low, because checks are answered as they arrive, unless they are too many for one turn of the event loop. */
const maxUnanswered = 20

/** Creates a server that answers evals from memory, and asks its upstream for unknown answers. It does not listen yet. */
export async function createRelay({
  config,
  logger,
  stopping,
  environment = relayEnvironment(),
}: Options): Promise<Relay> {
  const { upstreamUrl, maxSubscribers } = config
  const metrics = new RelayMetrics()
  const changes = new RelayChanges()
  const ending = new AbortController()
  let stored: StoredAnswers | null = null
  const cache = new RelayCache(maxSubscribers, (subscriberId) => stored?.storeSoon(subscriberId))
  const knowledge = followUpstream({
    config,
    cache,
    logger: toClientLogger(logger),
    ready: () => logger.info('the relay follows the changes of RELAY_UPSTREAM_URL'),
    follower: changes,
    environment,
  })
  if (config.store !== undefined) {
    const owner = `${upstreamUrl} ${config.apiKey}`
    const get = (subscriberId: string) => knowledge.get(subscriberId)
    stored = new StoredAnswers({ folder: config.store, owner, logger, get, now: environment.now })
  }
  const recall = async (subscriberId: string) => (await stored?.read(subscriberId)) ?? null
  const answers = new Answers({ knowledge, config, recall })
  const callers = new Callers(config.tokens)
  const slots = new Semaphore({ ofOne: config.maxFollowers, ofAll: Number.POSITIVE_INFINITY })
  const failures = withoutOutages(createFailureLog(logger))

  metrics.subscribers.addSource(() => [{ value: cache.size }])
  metrics.bytes.addSource(() => [{ value: cache.bytes }])
  metrics.silence.addSource(() => (Number.isFinite(knowledge.silentMs) ? [{ value: knowledge.silentMs / 1_000 }] : []))
  metrics.followers.addSource(() => [{ value: slots.unitsHeldBy('relay') }])

  const app = createServer({ trustProxy: false, publicUrl: undefined }, { takesPages: false })
  answerQuickChecks(app, { answers, callers, metrics })
  limitParsing(app, { trustProxy: false }, logger)
  limitConnections(app, { ...config, maxUnanswered }, logger)
  limitAnonymousClients(app, (text) => callers.isToken(text))
  limitTarget(app)
  requireHost(app)
  if (stopping) drainRequests(app, stopping)
  const end = () => ending.abort()
  stopping?.addEventListener('abort', end, { once: true })
  app.addHook('preClose', async () => end())
  endConnectionsAtClose(app)
  app.addHook('onClose', async () => {
    knowledge.close()
    await stored?.close()
  })
  const hasAnswers = () => cache.size > 0 || stored !== null
  registerHealth(app, { config, knowledge, hasAnswers, stopping })
  limitParsedBodies(app, config)
  readJsonBodies(app, config.bodyLimitBytes)
  refuseUnknownRoutes(app, upstreamUrl)
  app.setErrorHandler((error, request, reply) => {
    const failure = toBodyRefusal(error, config.bodyLimitBytes) ?? toDomainError(error)
    failures.log(failure, request.id)
    return sendError(reply, failure)
  })
  registerChanges(app, { changes, knowledge, callers, failures, slots, ending: ending.signal })
  await app.register(async (scope) => {
    scope.addHook('onRequest', callers.admit)
    registerEvalRoutes(scope, { ...config, answers, failures, metrics })
  })
  void warm().catch((error) => logger.error({ err: error }, 'subscribers could not be cached in advance'))
  return { app, metrics }

  async function warm(): Promise<void> {
    const options = { knowledge, maxSubscribers, logger, signal: ending.signal }
    if (stored && config.warm !== 'none') await warmStoredSubscribers(stored, options)
    if (config.warm !== 'all') return
    const { baseUrl, authorization, renewing } = knowledge.server
    await warmAllSubscribers(createApi({ baseUrl, authorization, renewing }, environment), options)
  }
}

type Health = {
  config: RelayConfig
  knowledge: ReturnType<typeof followUpstream>
  hasAnswers(): boolean
  stopping: AbortSignal | undefined
}

/** A relay is ready if its answers are known to be right, or if it may answer without its upstream. */
function registerHealth(
  app: FastifyInstance,
  { config: { onUnavailable }, knowledge, hasAnswers, stopping }: Health,
): void {
  app.get('/healthz', () => ({ status: 'ok', version }))
  app.get('/readyz', (_request, reply) => {
    if (stopping?.aborted) return reply.code(503).send({ status: 'stopping' })
    if (knowledge.silentMs <= silenceMs) return { status: 'ready' }
    const mayAnswer = onUnavailable === 'deny' || (onUnavailable === 'last-known' && hasAnswers())
    return mayAnswer ? { status: 'degraded' } : reply.code(503).send({ status: 'unavailable' })
  })
}

/** Refuses all other routes with 404. */
function refuseUnknownRoutes(app: FastifyInstance, upstreamUrl: string): void {
  const unknownRoute = new DomainError('NOT_FOUND', `A relay has no such route. Ask ${upstreamUrl} itself.`)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendError(reply, unknownRoute)
    else done()
  })
  app.setNotFoundHandler((_request, reply) => sendError(reply, unknownRoute))
}

/** Does not log outages of the upstream for each request: they are logged once a minute. */
function withoutOutages(failures: FailureLog): FailureLog {
  return {
    log(failure, requestId) {
      const isOutage = failure.code === 'SERVICE_UNAVAILABLE' && !(failure instanceof Overloaded)
      if (!isOutage) failures.log(failure, requestId)
    },
  }
}

/** Logs warnings of the client about its requests, at most once a minute each. */
function toClientLogger(logger: Logger) {
  const warn = warnAtIntervals(logger, warningIntervalMs)
  return {
    debug() {},
    info() {},
    warn: (message: string, details: object = {}) => warn(details, message),
    error: (message: string, details: object = {}) => logger.error(details, message),
  }
}
