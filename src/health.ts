import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { Overloaded } from './core/errors.ts'
import { newRequestId } from './core/ids.ts'
import { version } from './core/version.ts'
import type { Database } from './database/client.ts'
import { createUsabilityProbe } from './database/write-probe.ts'
import { addAnswerHeaders } from './http/answer-headers.ts'
import { sendError } from './http/reply.ts'

type HealthDependencies = {
  database: Database
  stopping?: AbortSignal | undefined
  /** Aborts once the database has a migration that does not allow this version: see database/watch.ts. */
  outdated?: AbortSignal | undefined
}

/**
 * Registers the routes for load balancers and orchestrators. `/healthz` is 200 while the process is alive, and `/readyz` while
 * it answers evals and so should get requests. `/readyz?writes=true` also requires that it answers writes.
 */
export function registerHealth(app: FastifyInstance, dependencies: HealthDependencies): void {
  registerLiveness(app)
  registerReadiness(app, dependencies, { answersEvals: true })
}

function registerLiveness(app: FastifyInstance): void {
  app.get('/healthz', () => ({ status: 'ok', version }))
}

function registerReadiness(
  app: FastifyInstance,
  { database, stopping, outdated }: HealthDependencies,
  { answersEvals }: { answersEvals: boolean },
): void {
  const probeDatabase = createUsabilityProbe(database.pool)
  app.get<{ Querystring: { writes?: unknown } }>('/readyz', async ({ query }, reply) => {
    if (stopping?.aborted) return notReady(reply, 'stopping')
    if (outdated?.aborted) return notReady(reply, 'outdated')
    const isDegraded = () => reply.code(query.writes === 'true' ? 503 : 200).send({ status: 'degraded', writes: false })
    if (answersEvals && database.standby?.isInUse) return isDegraded()
    try {
      const databaseState = await probeDatabase()
      if (databaseState === 'ready') return { status: 'ready' }
      if (databaseState === 'read_only' && !answersEvals) return notReady(reply, 'read_only')
      return isDegraded()
    } catch {
      return notReady(reply, 'unavailable')
    }
  })
}

type NotReady = 'stopping' | 'outdated' | 'unmigrated' | 'read_only' | 'unavailable'

function notReady(reply: FastifyReply, status: NotReady): FastifyReply {
  return reply.code(503).send({ status })
}

/** For a process that waits for `npm run migrate`: it is alive but not ready, and other routes are 503. Does not listen yet. */
export function createWaitingApp(): FastifyInstance {
  const app = createLivenessApp()
  app.get('/readyz', (_request, reply) => notReady(reply, 'unmigrated'))
  app.setNotFoundHandler((_request, reply) => sendError(reply.headers({ connection: 'close' }), unmigratedRefusal))
  return app
}

const unmigratedRefusal = new Overloaded(
  'outdated',
  'This process waits until the database is migrated, and answers afterwards. Try again in a moment.',
)

/** For a process without the APIs: serves only the health routes. Does not listen yet. */
export function createHealthApp(dependencies: HealthDependencies): FastifyInstance {
  const app = createLivenessApp()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 'not found' }))
  registerReadiness(app, dependencies, { answersEvals: false })
  return app
}

function createLivenessApp(): FastifyInstance {
  const app = Fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true, genReqId: newRequestId })
  addAnswerHeaders(app, { publicUrl: undefined, trustProxy: false })
  registerLiveness(app)
  return app
}
