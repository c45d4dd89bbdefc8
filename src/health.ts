import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { version } from './core/version.ts'
import type { Database } from './database/client.ts'
import { shareUsability } from './database/write-probe.ts'

type HealthDependencies = {
  database: Database
  stopping?: AbortSignal | undefined
  /** Aborted once the database has a migration that does not allow this version: see database/watch.ts. */
  outdated?: AbortSignal | undefined
}

/**
 * For load balancers and orchestrators: `/healthz` is 200 while the process lives, `/readyz` while it should get requests,
 * that is, while it answers evals. `/readyz?writes=true` also requires that it answers writes.
 */
export function registerHealth(app: FastifyInstance, { database, stopping, outdated }: HealthDependencies): void {
  const usability = shareUsability(database.pool)
  app.get('/healthz', () => ({ status: 'ok', version }))
  app.get<{ Querystring: { writes?: unknown } }>('/readyz', async ({ query }, reply) => {
    if (stopping?.aborted) return notReady(reply, 'stopping')
    if (outdated?.aborted) return notReady(reply, 'outdated')
    try {
      const usable = await usability()
      if (usable === 'ready') return { status: 'ready' }
      if (usable === 'read_only') return notReady(reply, 'read_only')
      return reply.code(query.writes === 'true' ? 503 : 200).send({ status: 'degraded', writes: false })
    } catch {
      return notReady(reply, 'unavailable')
    }
  })
}

function notReady(reply: FastifyReply, status: 'stopping' | 'outdated' | 'read_only' | 'unavailable'): FastifyReply {
  return reply.code(503).send({ status })
}

/** For a process without the APIs: serves only the health routes, and does not listen yet. */
export function createHealthApp(dependencies: HealthDependencies): FastifyInstance {
  const app = Fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 'not found' }))
  registerHealth(app, dependencies)
  return app
}
