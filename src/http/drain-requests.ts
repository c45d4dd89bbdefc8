import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * The first part of a stop: `/readyz` answers 503, so that load balancers send new requests elsewhere, and each answer asks its
 * client to close the connection. All requests are still served. The second part is in end-connections.ts.
 */
export function drainRequests(app: FastifyInstance, stopping: AbortSignal): void {
  const closeAfterAnswer = (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
  }
  stopping.addEventListener('abort', () => app.server.prependListener('request', closeAfterAnswer), { once: true })
}
