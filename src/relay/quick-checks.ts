import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { httpDate } from '../core/clock.ts'
import { newRequestId } from '../core/ids.ts'
import { commonHeaders } from '../http/answer-headers.ts'
import { jsonType } from '../http/reply.ts'
import type { Answer, Answers } from './answers.ts'
import type { Callers } from './callers.ts'
import { KeptSnapshot } from './relay-cache.ts'
import type { RelayMetrics } from './relay-metrics.ts'

type Options = { answers: Answers; callers: Callers; metrics: Pick<RelayMetrics, 'answers'> }

const [before, after] = ['/org/subscribers/', '/entitlements/check']
/** Characters that need no decoding. */
const plainId = /^[\w.:@-]+$/
const maxBytes = 200
/** The answers of one turn of the event loop: about 8 ms. */
const maxPerTurn = 250
const measuredFrom = 50
/** The whole body of almost every check; any other one, right or wrong, goes to the routes. */
const plainBody = /^\{ ?"feature" ?: ?"([a-z0-9_-]{1,64})" ?\}$/

/**
 * Answers checks whose caller and answer are known before Fastify: its hooks would cost twice as much as the answer. Any
 * unusual request is left to the routes, with its unread body.
 */
export function answerQuickChecks(app: FastifyInstance, { answers, callers, metrics }: Options): void {
  const [fastify] = app.server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
  const inTurn = createTurns()
  app.server.off('request', fastify)
  app.server.on('request', (request, response) => {
    const subscriberId = subscriberOf(request)
    const answer = subscriberId === null || !callers.knows(request) ? undefined : answers.get(subscriberId)
    if (!answer) return fastify.call(app.server, request, response)
    request.once('data', (body: Buffer) => {
      const text = textOf(answer, request, body)
      if (text === undefined) {
        request.pause()
        request.unshift(body)
        fastify.call(app.server, request, response)
        return
      }
      metrics.answers.add(1, answer.from)
      inTurn(() => send(response, answer, text, Math.floor(app.server.keepAliveTimeout / 1_000)))
    })
  })
}

/** A connection may bring hundreds of checks at once: they are answered in turns with those of other connections. */
function createTurns(): (answer: () => void) => void {
  let answered = 0
  const begin = () => {
    answered = 0
  }
  return function inTurn(answer) {
    answered += 1
    // Few turns have so many, and the others need not be noticed.
    if (answered === measuredFrom) setImmediate(begin)
    if (answered <= maxPerTurn) answer()
    else setImmediate(() => inTurn(answer))
  }
}

/** Null: not a check, or an unusual one. */
function subscriberOf({ method, url = '', httpVersion, headers }: IncomingMessage): string | null {
  if (method !== 'POST' || !url.endsWith(after) || !url.startsWith(before)) return null
  const bytes = Number(headers['content-length'])
  const isPlain =
    headers['content-type'] === 'application/json' &&
    bytes > 0 &&
    bytes <= maxBytes &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    httpVersion === '1.1' &&
    headers.host !== undefined
  const id = url.slice(before.length, -after.length)
  return isPlain && plainId.test(id) ? id : null
}

/** Undefined if the body has not arrived whole, or has another form. */
function textOf({ entry: { snapshot } }: Answer, { headers }: IncomingMessage, body: Buffer): string | undefined {
  if (body.length !== Number(headers['content-length'])) return undefined
  const [, feature] = plainBody.exec(body.toString('latin1')) ?? []
  if (feature === undefined || !(snapshot instanceof KeptSnapshot)) return undefined
  return snapshot.list.find(feature)?.text
}

type Response = ServerResponse & { _header: string; _last: boolean }

/** The lines of the headers that every answer has. */
const commonLines = Object.entries(commonHeaders(''))
  .filter(([name]) => name !== 'date' && name !== 'x-request-id')
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/**
 * Writes the head as Node would: Node checks each header of `writeHead`, which takes longer than everything else. No value here
 * comes from a request.
 */
function send(response: ServerResponse, { from, ageMs }: Answer, text: string, keepAliveSeconds: number): void {
  const { shouldKeepAlive } = response
  const bytes = Buffer.byteLength(text)
  const own = `x-entitlements-from: ${from}\r\nage: ${Math.floor(ageMs / 1_000)}\r\n`
  const body = `content-type: ${jsonType}\r\ncontent-length: ${bytes}\r\n`
  const connection = shouldKeepAlive
    ? `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`
    : 'Connection: close\r\n'
  const head = `date: ${httpDate()}\r\nx-request-id: ${newRequestId()}\r\n${commonLines}${own}${body}${connection}`
  const inner = response as Response
  inner._header = `HTTP/1.1 200 OK\r\n${head}\r\n`
  inner._last = !shouldKeepAlive
  // One write in Latin-1 where that gives the same bytes.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8')
}
