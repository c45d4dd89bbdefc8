import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Overloaded } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import { StrangerQueue } from '../fairness/stranger-queue.ts'
import { isRecognized } from './connection.ts'
import { hasBody } from './watch-body.ts'

/** Where requests of callers lead; everything else is the same for everybody. */
const callersPath = /^\/(org|user|graphql)\b/

/** Answered whatever else waits, and cheap. */
const probes = /^\/(healthz|readyz)\b/

/** Lets what strangers request begin in turns. `isKey` tells a key that may exist from text that cannot be one. */
export function boundStrangers(app: FastifyInstance, isKey: (text: string) => boolean): void {
  const queue = new StrangerQueue()

  function mayBeCaller({ raw, is404 }: FastifyRequest): boolean {
    if (is404 || !callersPath.test(raw.url ?? '')) return false
    return isRecognized(raw) || isKey(String(raw.headers['x-api-key'] ?? ''))
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (mayBeCaller(request) || probes.test(request.url)) return done()
    const start = () => {
      // There is nobody to answer any more.
      if (request.socket.destroyed) reply.hijack()
      else done()
    }
    // Only after this turn is it known whether the whole body has arrived, so that a refusal need not end the connection.
    if (queue.add(networkOf(request.ip), start, { atOnce: !hasBody(request.raw) })) return
    reply.header('connection', 'close')
    done(new Overloaded('Too many requests of callers without a key wait at this moment. Try again in a moment.'))
  })
}
