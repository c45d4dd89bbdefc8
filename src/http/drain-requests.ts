import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Once `stopping` aborts, lets each answer ask its client to close the connection. This is the first part of a stop: `/readyz`
 * answers 503, so that load balancers send new requests elsewhere, but all requests are still served. The second part is in
 * end-connections.ts.
 */
export function drainRequests(app: FastifyInstance, stopping: AbortSignal): void {
  const closeAfterAnswer = (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
  }
  stopping.addEventListener('abort', () => app.server.prependListener('request', closeAfterAnswer), { once: true })
}
