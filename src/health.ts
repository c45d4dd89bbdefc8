import Fastify, { type FastifyInstance } from 'fastify'
import type { Database } from './database/client.ts'
import { createWriteProbe } from './database/write-probe.ts'

type HealthDependencies = { database: Database; stopping?: AbortSignal | undefined }

/** `/healthz` while the process lives; `/readyz` while it should get requests, for balancers and orchestrators. */
export function registerHealth(app: FastifyInstance, { database, stopping }: HealthDependencies): void {
  const takesWrites = createWriteProbe(database.pool)
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (stopping?.aborted) return reply.code(503).send({ status: 'stopping' })
    try {
      if (await takesWrites()) return { status: 'ready' }
      return reply.code(503).send({ status: 'read_only' })
    } catch {
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}

/** For a process without doors: answers only its health, not listening yet. */
export function createHealthApp(dependencies: HealthDependencies): FastifyInstance {
  const app = Fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 'not found' }))
  registerHealth(app, dependencies)
  return app
}
