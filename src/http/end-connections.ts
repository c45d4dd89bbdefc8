import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The time in which requests that were arriving when the stop began are still read and answered. */
const graceMs = 100
/** The time for the rest of a request that has begun to arrive. */
const arrivalMs = 3_000
const lookEveryMs = 50

/**
 * When the app closes, ends the connections on which no request is being answered. Node itself would at once end those
 * that were used before, and lose requests that a client had just sent; and it would wait for those that have sent nothing
 * or half a request: a browser's spare connection would delay the stop until its deadline.
 */
export function endConnectionsAtClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const answers = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.server.on('request', (request, response) => answers.set(request.socket, { request, response }))

  function end(maySend: boolean): void {
    for (const socket of sockets) {
      const answer = answers.get(socket)
      const isAnswering = answer !== undefined && !answer.response.writableFinished
      if (!isAnswering || !(maySend || answer.request.complete)) socket.destroy()
    }
  }

  app.addHook('preClose', async () => {
    // Stops accepting first: a connection accepted during the grace time would be ended with the idle ones, unanswered.
    // Only net's own close leaves idle connections open. Fastify's close, which follows, waits for the same end.
    Server.prototype.close.call(app.server)
    if (sockets.size === 0) return
    await wait(graceMs)
    end(true)
    const closingAt = performance.now()
    const timer = setInterval(() => end(performance.now() - closingAt < arrivalMs), lookEveryMs)
    app.server.once('close', () => clearInterval(timer))
  })
}

/**
 * Accepts no more connections: the other processes on this port get them. Resolves when those that are open have ended, or
 * after this time.
 */
export async function leavePort(app: FastifyInstance, withinMs: number): Promise<void> {
  const closed = new Promise((resolve) => app.server.once('close', resolve))
  // Only net's own close leaves idle connections open.
  Server.prototype.close.call(app.server)
  await Promise.race([closed, wait(withinMs, undefined, { ref: false })])
}
