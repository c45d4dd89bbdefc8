import type { FastifyInstance } from 'fastify'

/**
 * The first part of a stop: `/readyz` is 503, and each answer asks its client to close the connection, while a balancer
 * finds out and sends new requests elsewhere. Everything is still served; what follows is end-connections.ts.
 */
export function drainRequests(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (stopping.aborted) reply.header('connection', 'close')
    done()
  })
}
