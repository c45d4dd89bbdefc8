import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { httpDate } from '../core/clock.ts'
import { newRequestId } from '../core/ids.ts'
import { commonHeaders } from '../http/answer-headers.ts'
import { jsonType } from '../http/reply.ts'
import type { Answer, Answers } from './answers.ts'
import type { Callers } from './callers.ts'
import { SharedSnapshot } from './relay-cache.ts'
import type { RelayMetrics } from './relay-metrics.ts'

type Options = { answers: Answers; callers: Callers; metrics: Pick<RelayMetrics, 'answers'> }

const [pathStart, pathEnd] = ['/org/subscribers/', '/entitlements/check']
/** Ids whose characters need no decoding. */
const plainId = /^[\w.:@-]+$/
const maxBodyBytes = 200
/** The maximum number of answers in one turn of the event loop, which take about 8 ms. */
const maxPerTurn = 250
const resetAtCount = 50
/** The format of almost all bodies of checks; the routes handle all other bodies, valid or not. */
const plainBody = /^\{ ?"feature" ?: ?"([a-z0-9_-]{1,64})" ?\}$/

/**
 * If the caller and the answer of a check are known, answers without Fastify, whose hooks would cost twice as much as the
 * answer. Passes all other requests to the routes, without having read their bodies.
 */
export function answerQuickChecks(app: FastifyInstance, { answers, callers, metrics }: Options): void {
  const [fastify] = app.server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
  const runWithinTurn = limitPerTurn()
  app.server.off('request', fastify)
  app.server.on('request', (request, response) => {
    const subscriberId = subscriberOf(request)
    if (subscriberId === null || !callers.hasAccepted(request)) return fastify.call(app.server, request, response)
    request.once('data', (body: Buffer) => {
      // Gets the answer only once the body has arrived, because a change may outdate the answer before that.
      const answer = answers.get(subscriberId)
      const text = answer && textOf(answer, request, body)
      if (answer === undefined || text === undefined) {
        request.pause()
        request.unshift(body)
        fastify.call(app.server, request, response)
        return
      }
      metrics.answers.add(1, answer.from)
      runWithinTurn(() => send(response, answer, text, Math.floor(app.server.keepAliveTimeout / 1_000)))
    })
  })
}

/** Limits the answers in one turn of the event loop, so that a connection with hundreds of checks does not delay others. */
function limitPerTurn(): (answer: () => void) => void {
  let count = 0
  const reset = () => {
    count = 0
  }
  return function inTurn(answer) {
    count += 1
    // Does not schedule the reset at the first answer, because most turns have few answers and a reset has a cost.
    if (count === resetAtCount) setImmediate(reset)
    if (count <= maxPerTurn) answer()
    else setImmediate(() => inTurn(answer))
  }
}

/** The subscriber of a usual check; null for all other requests. */
function subscriberOf({ method, url = '', httpVersion, headers }: IncomingMessage): string | null {
  if (method !== 'POST' || !url.endsWith(pathEnd) || !url.startsWith(pathStart)) return null
  const bytes = Number(headers['content-length'])
  const isPlain =
    headers['content-type'] === 'application/json' &&
    bytes > 0 &&
    bytes <= maxBodyBytes &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    httpVersion === '1.1' &&
    headers.host !== undefined
  const id = url.slice(pathStart.length, -pathEnd.length)
  return isPlain && plainId.test(id) ? id : null
}

/**
 * The text of the answer; undefined if the body has not arrived completely or has another format, or the feature is unknown.
 */
function textOf({ entry: { snapshot } }: Answer, { headers }: IncomingMessage, body: Buffer): string | undefined {
  if (body.length !== Number(headers['content-length'])) return undefined
  const [, feature] = plainBody.exec(body.toString('latin1')) ?? []
  if (feature === undefined || !(snapshot instanceof SharedSnapshot)) return undefined
  return snapshot.list.find(feature)?.text
}

type Response = ServerResponse & { _header: string; _last: boolean }

/** The header lines that all answers have. */
const commonLines = Object.entries(commonHeaders(''))
  .filter(([name]) => name !== 'date' && name !== 'x-request-id')
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/**
 * Writes the status line and the headers itself, because `writeHead` checks each header, which takes longer than everything
 * else. No value here comes from a request.
 */
function send(response: ServerResponse, { from, ageMs }: Answer, text: string, keepAliveSeconds: number): void {
  const { shouldKeepAlive } = response
  const bytes = Buffer.byteLength(text)
  const source = `x-entitlements-from: ${from}\r\nage: ${Math.floor(ageMs / 1_000)}\r\n`
  const content = `content-type: ${jsonType}\r\ncontent-length: ${bytes}\r\n`
  const connection = shouldKeepAlive
    ? `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`
    : 'Connection: close\r\n'
  const headerLines = `date: ${httpDate()}\r\nx-request-id: ${newRequestId()}\r\n${commonLines}${source}${content}${connection}`
  const inner = response as Response
  inner._header = `HTTP/1.1 200 OK\r\n${headerLines}\r\n`
  inner._last = !shouldKeepAlive
  // Uses Latin-1 if it gives the same bytes: Node then writes the headers and the body at once.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8')
}
