import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** When a connection was opened, and its latest request. */
type Connection = { openedAt: number; request: IncomingMessage | null; response: ServerResponse | null }

/** For this time, requests that were on their way when the stop began are still read and answered. */
const graceMs = 100
/** The time limit for the rest of a request that has begun to arrive. */
const arrivalMs = 3_000
/** The time limit within which the first request of a new connection must begin. */
const firstRequestMs = 1_000
/** The maximum time to wait for a turn of the event loop that is short and in which no connection arrives. */
const maxQuietTurnWaitMs = 2_000
/** For this time after the sockets were polled, it is assumed that no client has connected or sent a request. */
const shortTurnMs = 0.1
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

  async function end(maySend: boolean): Promise<void> {
    const latest = performance.now() + maxQuietTurnWaitMs
    let polledAt = Number.NEGATIVE_INFINITY
    for (const [socket, connection] of connections) {
      if (!isRecentPoll(polledAt)) polledAt = await untilQuietTurn(latest)
      const { openedAt, request, response } = connection
      if (response === null && openedAt > performance.now() - firstRequestMs) continue
      const isAnswering = response?.writableFinished === false
      if (!isAnswering || !(maySend || request?.complete)) socket.destroy()
    }
  }

  app.addHook('preClose', async () => {
    // First stop accepting connections: a connection that arrived during the grace time would end without an answer.
    await closePort(app.server)
    if (connections.size === 0) return
    await wait(graceMs)
    await end(true)
    void endUntilClosed()
  })

  async function endUntilClosed(): Promise<void> {
    const closingAt = performance.now()
    while (connections.size > 0) {
      await wait(checkIntervalMs)
      await end(performance.now() - closingAt < arrivalMs)
    }
  }
}

/**
 * Closes the port after a quiet turn of the event loop, in which the connections that are already open have been accepted: the
 * system resets open connections that no process has accepted.
 */
async function closePort(server: Server): Promise<void> {
  let acceptedCount = 0
  const countAccepted = () => acceptedCount++
  server.on('connection', countAccepted)
  // Ends the current turn, in which the port may already have been polled.
  await wait(1)
  await untilQuietTurn(performance.now() + maxQuietTurnWaitMs, () => acceptedCount)
  // Only the `close` of `net` leaves idle connections open. Fastify's `close`, which follows, waits until they have ended, too.
  Server.prototype.close.call(server)
  server.off('connection', countAccepted)
}

/**
 * Resolves after a short turn of the event loop in which `countArrivals` did not grow, or at the latest after the first turn
 * that ends after `latest`. Returns when that turn began, just before it polled the sockets. After any other turn it sleeps,
 * because the system rarely takes the processor from a process that has just woken.
 */
async function untilQuietTurn(latest: number, countArrivals = () => 0): Promise<number> {
  for (;;) {
    const [before, beganAt] = [countArrivals(), performance.now()]
    await nextTurn()
    if ((countArrivals() === before && isRecentPoll(beganAt)) || performance.now() > latest) return beganAt
    await wait(1)
  }
}

/** Whether a client is unlikely to have connected or sent a request since the sockets were polled. */
const isRecentPoll = (polledAt: number): boolean => performance.now() - polledAt < shortTurnMs

/**
 * Accepts no more connections, so that the other processes on this port get them. Resolves when all open connections have
 * ended, or after `withinMs`.
 */
export async function closeGracefully(app: FastifyInstance, withinMs: number): Promise<void> {
  const closed = new Promise((resolve) => app.server.once('close', resolve))
  await closePort(app.server)
  await Promise.race([closed, wait(withinMs, undefined, { ref: false })])
}
