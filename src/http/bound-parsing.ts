import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { networkOf } from '../core/network.ts'
import { warnNowAndThen } from '../core/warn-now-and-then.ts'
import { isCallersAddress } from './connection.ts'
import { lingerAtEnd } from './linger.ts'
import { ParserAccounts } from './parser-accounts.ts'
import { trustedProxies } from './trusted-proxy.ts'
import { framingOutweighsData } from './unreadable.ts'
import { hasBody, watchBody } from './watch-body.ts'

/** Smaller bodies that announce their length cost little, however they arrive. */
const largeBytes = 65_536
const forgetEveryMs = 10_000
const quietMs = 60_000

const free = { charge() {}, end() {} }

/**
 * Charges what Node's parser does to the addresses that cause it, and ends connections with what nobody will read. A proxy
 * that is trusted is charged nothing: what it sends is charged to its clients.
 */
export function boundParsing(app: FastifyInstance, { trustProxy }: Pick<Config, 'trustProxy'>, logger: Logger): void {
  const accounts = new ParserAccounts()
  const isProxy = trustedProxies(trustProxy)
  const warn = warnNowAndThen(logger, quietMs)

  app.server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    const network = networkOf(remoteAddress)
    // Behind one address there may be many callers, and the probes of whoever runs this.
    if (!isProxy(remoteAddress) && !isCallersAddress(network)) accounts.arrive(network, socket)
  })

  const [route] = app.server.listeners('request')
  app.server.removeAllListeners('request').on('request', (request: IncomingMessage, response) => {
    if (!request.socket.destroyed) return void route?.call(app.server, request, response)
    // The rest of pipelined requests on a connection that was ended: there is nobody to answer.
    const { remoteAddress = '' } = request.socket
    if (!isProxy(remoteAddress)) accounts.chargeUnanswered(networkOf(remoteAddress))
  })

  // An idle connection keeps its last request as Node knows it. What is attached to that must not lead to Fastify's, or it would
  // keep the parsed body as well.
  app.addHook('onRequest', ({ raw, ip }, { raw: response }, done) => {
    const { socket, headers } = raw
    const isCostly = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes
    if (!isCostly) return done()
    const isOfProxy = ip === socket.remoteAddress && isProxy(ip)
    const account = isOfProxy ? free : accounts.begin(networkOf(ip), raw)
    const refuse = () => {
      if (socket.destroyed) return
      warn({ limit: 'framing' }, 'the chunks of a body are too small: its connection is ended')
      if (response.headersSent) socket.destroy()
      else app.server.emit('clientError', Object.assign(new Error(), { code: framingOutweighsData }), socket)
    }
    // Not within the parser.
    watchBody(raw, { ...account, refuse: () => void setImmediate(refuse) })
    done()
  })

  // Whoever is answered before the body was read has the whole answer: the rest of the body is not parsed.
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
