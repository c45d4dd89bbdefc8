import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** When a connection was opened, and its latest request. */
type Connection = { openedAt: number; request: IncomingMessage | null; response: ServerResponse | null }

/** For this time, requests that were on their way when the stop began are still read and answered. */
const graceMs = 100
/** The time limit for the rest of a request that has begun to arrive. */
const arrivalMs = 3_000
/** The time limit within which the first request of a new connection must begin. */
const firstRequestMs = 1_000
/** The maximum time to accept connections while more arrive. */
const acceptMs = 2_000
/** If a turn of the event loop takes longer, a client may have connected since the port was polled. */
const shortTurnMs = 0.5
const checkIntervalMs = 50

/**
 * When the app closes, ends the connections on which no request is being answered. Node itself would at once end connections
 * that were used before, and so lose requests that clients have just sent. And it would wait for connections that have sent
 * nothing or half a request, so that a browser's spare connection would delay the stop until its deadline.
 */
export function endConnectionsAtClose(app: FastifyInstance): void {
  const connections = new Map<Socket, Connection>()
  app.server.on('connection', (socket) => {
    connections.set(socket, { openedAt: performance.now(), request: null, response: null })
    socket.once('close', () => connections.delete(socket))
  })
  app.server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (connection) Object.assign(connection, { request, response })
  })

  function end(maySend: boolean): void {
    const newSince = performance.now() - firstRequestMs
    for (const [socket, { openedAt, request, response }] of connections) {
      if (response === null && openedAt > newSince) continue
      const isAnswering = response?.writableFinished === false
      if (!isAnswering || !(maySend || request?.complete)) socket.destroy()
    }
  }

  app.addHook('preClose', async () => {
    // First stops accepting: a connection accepted during the grace time would be ended with the idle ones, unanswered.
    await closePort(app.server)
    if (connections.size === 0) return
    await wait(graceMs)
    end(true)
    const closingAt = performance.now()
    const timer = setInterval(() => end(performance.now() - closingAt < arrivalMs), checkIntervalMs)
    app.server.once('close', () => clearInterval(timer))
  })
}

/**
 * Accepts the connections that are already open, and closes the port once a short turn of the event loop brings no new ones:
 * the system resets open connections that no process has accepted.
 */
async function closePort(server: Server): Promise<void> {
  let acceptedCount = 0
  const countAccepted = () => acceptedCount++
  server.on('connection', countAccepted)
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  // Ends the current turn, in which the port may already have been polled.
  await nextTurn()
  const endsAt = performance.now() + acceptMs
  let isQuiet = false
  while (!isQuiet && performance.now() < endsAt) {
    const [before, beganAt] = [acceptedCount, performance.now()]
    await nextTurn()
    isQuiet = acceptedCount === before && performance.now() - beganAt < shortTurnMs
  }
  // Only the `close` of `net` leaves idle connections open. Fastify's close, which follows, waits for the same end.
  Server.prototype.close.call(server)
  server.off('connection', countAccepted)
}

/**
 * Accepts no more connections, so that the other processes on this port get them. Resolves when all open connections have
 * ended, or after `withinMs`.
 */
export async function closeGracefully(app: FastifyInstance, withinMs: number): Promise<void> {
  const closed = new Promise((resolve) => app.server.once('close', resolve))
  await closePort(app.server)
  await Promise.race([closed, wait(withinMs, undefined, { ref: false })])
}
