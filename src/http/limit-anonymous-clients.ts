import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Overloaded } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import { AnonymousQueue } from '../fairness/anonymous-queue.ts'
import { readBearer } from './bearer.ts'
import { isFromRecognizedCaller } from './connection.ts'
import { hasBody } from './watch-body.ts'

/** The paths whose answers depend on the caller. */
const callerDependentPaths = /^\/(org|user|graphql|ofrep)\b/

/**
 * The paths of health checks. Their answers are cheap, and are sent at once, however many requests wait; but on each connection
 * only one at a time.
 */
const healthCheckPaths = /^\/(healthz|readyz)\b/

/**
 * Whether an earlier request on the connection is not answered yet: until then, Node does not assign the socket to this answer.
 */
function isPipelined({ socket }: ServerResponse): boolean {
  return socket === null
}

/** Queues anonymous clients' requests. `isKey` distinguishes a key that may exist from text that cannot be a key. */
export function limitAnonymousClients(app: FastifyInstance, isKey: (text: string) => boolean): void {
  const queue = new AnonymousQueue()

  function mayBeCaller({ raw, is404 }: FastifyRequest): boolean {
    if (is404 || !callerDependentPaths.test(raw.url ?? '')) return false
    const { authorization, 'x-api-key': key = readBearer(authorization) } = raw.headers
    return isFromRecognizedCaller(raw) || isKey(String(key ?? ''))
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (mayBeCaller(request) || (healthCheckPaths.test(request.url) && !isPipelined(reply.raw))) return done()
    const start = () => {
      // The client has disconnected.
      if (request.socket.destroyed) reply.hijack()
      else done()
    }
    // A request with a body waits for the next turn of the event loop: by then, the body may have arrived, and a refusal need
    // not end the connection.
    if (queue.add(networkOf(request.ip), start, { atOnce: !hasBody(request.raw) })) return
    reply.header('connection', 'close')
    done(new Overloaded('too_many_waiting', 'Too many requests without a key are waiting. Try again in a moment.'))
  })
}
