import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { networkOf } from '../core/network.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { AnonymousQueue } from '../fairness/anonymous-queue.ts'
import { isKnownCallerNetwork } from './connection.ts'
import { lingerAtEnd } from './linger.ts'
import { ParserAccounts } from './parser-accounts.ts'
import { trustedProxies } from './trusted-proxy.ts'
import { framingOutweighsData } from './unreadable.ts'
import { hasBody, watchBody } from './watch-body.ts'

/** Smaller bodies with a Content-Length are cheap, however they arrive. */
const largeBytes = 65_536
const forgetEveryMs = 10_000
const quietMs = 60_000

const noCharge = { charge() {}, end() {} }

/**
 * Charges the work of Node's parser to the addresses that cause it, and ends connections whose bodies are mostly framing.
 * A trusted proxy is not charged, because its requests are charged to its clients.
 */
export function limitParsing(app: FastifyInstance, { trustProxy }: Pick<Config, 'trustProxy'>, logger: Logger): void {
  const accounts = new ParserAccounts()
  const firstReads = new AnonymousQueue()
  const isProxy = trustedProxies(trustProxy)
  const warn = warnAtIntervals(logger, quietMs)

  app.server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    const network = networkOf(remoteAddress)
    // A known address is not charged, because many callers and the operator's health probes may share it.
    const isCharged = !isProxy(remoteAddress) && !isKnownCallerNetwork(network)
    if (!isCharged || !accounts.arrive(network, socket)) readInTurn(firstReads, network, socket)
  })

  const [route] = app.server.listeners('request')
  app.server.removeAllListeners('request').on('request', (request: IncomingMessage, response) => {
    if (!request.socket.destroyed) return void route?.call(app.server, request, response)
    // The remaining pipelined requests of a closed connection get no answer.
    const { remoteAddress = '' } = request.socket
    if (!isProxy(remoteAddress)) accounts.chargeUnanswered(networkOf(remoteAddress))
  })

  // An idle connection keeps Node's last request object. Nothing attached to that object may reference Fastify's request,
  // because the connection would then also keep the parsed body.
  app.addHook('onRequest', ({ raw, ip }, { raw: response }, done) => {
    const { socket, headers } = raw
    const isCostly = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes
    if (!isCostly) return done()
    const isOfProxy = ip === socket.remoteAddress && isProxy(ip)
    const account = isOfProxy ? noCharge : accounts.begin(networkOf(ip), raw)
    const refuse = () => {
      if (socket.destroyed) return
      warn({ limit: 'framing' }, 'the chunks of a body are too small: its connection is closed')
      if (response.headersSent) socket.destroy()
      else app.server.emit('clientError', Object.assign(new Error(), { code: framingOutweighsData }), socket)
    }
    // Refuses later, because the parser is still running.
    watchBody(raw, { ...account, refuse: () => void setImmediate(refuse) })
    done()
  })

  // An answer before the end of the body ends the connection, so that the rest of the body is not parsed.
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    const isStream = payload !== null && typeof payload === 'object' && 'pipe' in payload
    if (!raw.complete && hasBody(raw) && !isStream) {
      reply.header('connection', 'close')
      lingerAtEnd(raw.socket)
    }
    done()
  })

  const timer = setInterval(() => accounts.forgetIdle(), forgetEveryMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Begins to read the connection when its turn comes: if many were opened at once, each turn of the event loop begins only a
 * few.
 */
function readInTurn(queue: AnonymousQueue, network: string, socket: Socket): void {
  let [mayRead, isWaiting] = [false, false]
  const isTaken = queue.add(
    network,
    () => {
      mayRead = true
      if (isWaiting) socket.resume()
    },
    { atOnce: true },
  )
  if (mayRead || !isTaken) return
  // Node begins to read in the next tick, which would undo an earlier pause.
  process.nextTick(() => {
    isWaiting = !mayRead
    if (isWaiting) socket.pause()
  })
}
