import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { Overloaded } from '../core/errors.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { Connection, connectionOf, maxUnanswered } from './connection.ts'
import { isShared } from './precompressed.ts'

type Limits = Pick<
  Config,
  'answerTimeoutMs' | 'maxWaitingBytes' | 'maxReceivingBytes' | 'maxConnections' | 'bodyLimitBytes'
> & {
  /** The maximum number of unanswered requests on a recognized caller's connection. */
  maxUnanswered?: number
}

/** A socket with Node's parser for it. */
type ParsedSocket = Socket & { parser?: { pause(): void } | null }

type HeldConnection = { connection: Connection; bytes: number; forMs: number }

const checkIntervalMs = 250
/** The time limit for a whole request to arrive. A streamed body has its own limits (read-lines.ts). */
const requestTimeoutMs = 30_000
/** A connection that stalls for this long may be ended to free memory; a busy process may be the cause of shorter stalls. */
const stalledAfterMs = 1_000
/** Smaller bodies and answers do not cause a check of all connections. */
const largeBytes = 65_536
/** The time between two warnings about one limit. */
const quietMs = 60_000

/**
 * Limits the memory and connections that clients occupy by not reading, by sending slowly, or by doing nothing. Above a limit,
 * the connections that occupy the most memory for the longest time are ended. Large new requests are refused only if that does
 * not free enough memory.
 */
export function limitConnections(app: FastifyInstance, limits: Limits, logger: Logger): void {
  const { maxWaitingBytes, maxReceivingBytes, bodyLimitBytes } = limits
  const connections = new Set<Connection>()
  const warnAtInterval = warnAtIntervals(logger, quietMs)
  const warn = (limit: string, message: string) => warnAtInterval({ limit }, message)
  let receivingBytes = 0

  app.server.on('connection', (socket) => {
    const now = performance.now()
    const connection = new Connection(socket, now)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    if (connections.size > limits.maxConnections) {
      warn('MAX_CONNECTIONS', 'there are too many connections: idle and stalled ones are closed')
      findConnectionToClose(connections, socket, now).destroy()
    }
  })
  // Runs before the request is routed; later requests on a connection that is ended here are not routed.
  app.server.prependListener('request', (request, response) => {
    const connection = connectionOf(request.socket)
    if (!connection || request.socket.destroyed) return
    connection.begin(request, response, performance.now())
    if (!connection.hasTooManyUnanswered(limits.maxUnanswered ?? maxUnanswered)) return
    warn('pipelined requests', 'a client sent too many requests on one connection without waiting for answers')
    endOverrun(request.socket)
  })

  /** Ends stalled connections, so that there is room for `moreBytes`. Returns the bytes that still wait. */
  function limitWaitingBytes(now: number, moreBytes: number): number {
    const held: HeldConnection[] = []
    for (const connection of connections) {
      const durationMs = connection.checkStall(now)
      if (durationMs >= limits.answerTimeoutMs) {
        warn('ANSWER_TIMEOUT_MS', 'clients do not read their answers: their connections are closed')
        connection.socket.destroy()
      } else if (!connection.socket.destroyed) {
        held.push({ connection, bytes: connection.waitingBytes, forMs: durationMs })
      }
    }
    return endLargestConnections(held, maxWaitingBytes - moreBytes, () => {
      warn('MAX_WAITING_BYTES', 'too many bytes of answers wait to be read: connections that do not read are closed')
    })
  }

  function limitReceivingBytes(now: number): number {
    const held = Array.from(connections, (connection) => ({
      connection,
      bytes: connection.bodyBytes(bodyLimitBytes),
      forMs: connection.sendingMs(now),
    }))
    return endLargestConnections(held, maxReceivingBytes, () => {
      warn('MAX_RECEIVING_BYTES', 'too many bytes of bodies are arriving: connections that send slowly are closed')
    })
  }

  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const isLarge = Number(headers['content-length'] ?? 0) >= largeBytes || headers['transfer-encoding'] !== undefined
    if (!isLarge || receivingBytes <= maxReceivingBytes) done()
    else done(tooManyBytes('Too many large bodies are arriving. Nothing was changed; try again in a moment.'))
  })
  app.addHook('onSend', ({ method }, reply, payload, done) => {
    const bytes = bytesOfOwnBuffer(payload, reply)
    if (bytes < largeBytes) return done()
    const waiting = limitWaitingBytes(performance.now(), bytes)
    // The answer to a write is always sent.
    const fits = waiting + bytes <= maxWaitingBytes || waiting === 0 || method !== 'GET'
    if (fits) return done()
    removeHeadersOfAnswer(reply)
    done(tooManyBytes('Too many answers are waiting for their clients to read them. Try again in a moment.'))
  })

  const timer = setInterval(() => {
    const now = performance.now()
    limitWaitingBytes(now, 0)
    endSlowConnections(connections, app.server, now)
    receivingBytes = limitReceivingBytes(now)
  }, checkIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

const { stackTraceLimit } = Error

/** Ends a connection with too many unanswered requests, in a way that costs less than answering them. */
function endOverrun(socket: ParsedSocket): void {
  // Requests that arrived later on this connection are not even parsed.
  socket.parser?.pause()
  // When a connection closes, Node creates two errors for each request. Their stack traces, which nobody reads, would take most
  // of the time.
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
  socket.destroy()
}

/** Removes what describes the answer that is not sent. */
function removeHeadersOfAnswer(reply: FastifyReply): void {
  for (const name of ['etag', 'vary', 'content-encoding', 'content-type']) reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
}

function tooManyBytes(message: string): Overloaded {
  return new Overloaded('too_many_bytes', message)
}

/** The bytes of an answer with a buffer of its own, such as long or signed JSON. Returns 0 for pages and files. */
function bytesOfOwnBuffer(payload: unknown, reply: FastifyReply): number {
  if (isShared(payload)) return 0
  if (typeof payload === 'string') return payload.length
  return Buffer.isBuffer(payload) && /json|jwt/.test(String(reply.getHeader('content-type'))) ? payload.length : 0
}

/** Ends connections whose bodies arrive too slowly. Streamed bodies may take long; Node's own limit would end them, too. */
function endSlowConnections(connections: Iterable<Connection>, server: Server, now: number): void {
  for (const connection of connections) {
    const { socket, isAnswered } = connection
    if (connection.sendingMs(now) < requestTimeoutMs || socket.destroyed) continue
    if (isAnswered) socket.destroy()
    else server.emit('clientError', new Error('The request did not arrive in time.'), socket)
  }
}

/**
 * Among connections without a recognized caller, the one that has kept the server waiting for longest, otherwise the oldest idle
 * one; otherwise the oldest idle connection of a caller; otherwise the new one. `connections` begins with the oldest.
 */
function findConnectionToClose(connections: Iterable<Connection>, newest: Socket, now: number): Socket {
  let longestMs = 0
  let awaited: Socket | undefined
  let idle: Socket | undefined
  let idleOfCaller: Socket | undefined
  for (const connection of connections) {
    const { socket, isIdle, isUsed, isOfCaller } = connection
    if (socket === newest || socket.destroyed) continue
    // No newer connection has kept the server waiting for longer.
    if (now - connection.openedAt <= longestMs) break
    if (isOfCaller) {
      if (isIdle) idleOfCaller ??= socket
      continue
    }
    if (isIdle) idle ??= socket
    const awaitedMs = connection.awaitedMs(now)
    if (awaitedMs <= longestMs || (isUsed && awaitedMs < stalledAfterMs)) continue
    longestMs = awaitedMs
    awaited = socket
  }
  return awaited ?? idle ?? idleOfCaller ?? newest
}

/** Ends stalled connections until the total is within the limit. Returns the remaining total in bytes. */
function endLargestConnections(held: readonly HeldConnection[], maxBytes: number, onEnd: () => void): number {
  let total = held.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= maxBytes) return total
  const weight = ({ bytes, forMs }: HeldConnection) => bytes * forMs
  const stalled = held
    .filter(({ bytes, forMs }) => bytes > 0 && forMs >= stalledAfterMs)
    .sort((one, other) => weight(other) - weight(one))
  for (const { connection, bytes } of stalled) {
    if (total <= maxBytes) break
    onEnd()
    connection.socket.destroy()
    total -= bytes
  }
  return total
}
