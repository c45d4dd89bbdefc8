import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { DomainError, Overloaded } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import { Semaphore } from '../fairness/semaphore.ts'
import { isInUtf8 } from './negotiation.ts'
import { whenClosed } from './when-closed.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Reserves memory for the parsed body until the request is answered; throws 503 if there is not enough. */
    holdBody: ((bytes: number) => void) | null
    /** SHA-256 of the body's bytes, if the request has an `Idempotency-Key`. */
    bodyHash: Buffer | null
  }
  interface FastifyContextConfig {
    /** Whether the route reads its body line by line, so that a long body takes no memory. */
    readsLines?: boolean
  }
}

/** Only larger bodies count towards the limits. Almost all requests that products send are smaller. */
const smallBytes = 4096

/** In each turn of the event loop, at most one body above this size is parsed. */
const largeBytes = 65_536

type BodyLimits = Pick<Config, 'maxParsedBytes' | 'bodyLimitBytes'>

/**
 * Limits the memory that large bodies use, from the arrival of their headers until they are answered: a parsed body of many
 * small values takes many times the memory of its text, and the process keeps many bodies at once while requests wait for a
 * slot or for the database. One address (or IPv6 network: see `networkOf`) may use half of the memory; beyond that, a body is
 * refused by its Content-Length, before it is read.
 */
export function limitParsedBodies(app: FastifyInstance, { maxParsedBytes, bodyLimitBytes }: BodyLimits): void {
  const ofOne = maxParsedBytes / 2
  // There is no limit for all addresses together, because slow senders must not stop others: see `limitConnections`.
  const readBytes = new Semaphore({ ofOne, ofAll: Number.POSITIVE_INFINITY })
  const parsedBytes = new Semaphore({ ofOne, ofAll: maxParsedBytes })
  app.decorateRequest('holdBody', null)
  app.decorateRequest('bodyHash', null)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { 'content-length': length, 'transfer-encoding': chunked } = request.headers
    const bytes = Number(length ?? 0)
    const isSmall = chunked === undefined && bytes <= smallBytes
    // Fastify refuses a body above the limit without reading it.
    if (isSmall || bytes > bodyLimitBytes || request.routeOptions.config.readsLines) return done()
    const network = networkOf(request.ip)
    const begin = () => {
      if (
        bytes > largeBytes &&
        (readBytes.exceededLimit(network, bytes) ?? parsedBytes.exceededLimit(network, bytes))
      ) {
        return done(tooManyBodies())
      }
      const endReading = readBytes.take(network, bytes)
      whenClosed(reply, endReading)
      request.holdBody = (bytes) => {
        endReading()
        if (reply.raw.destroyed) throw new Overloaded('broken_off', 'The connection ended before the body was read.')
        if (parsedBytes.exceededLimit(network, bytes)) throw tooManyBodies()
        whenClosed(reply, parsedBytes.take(network, bytes))
      }
      done()
    }
    if (bytes > largeBytes) void loopSlices.next(network).then(begin)
    else begin()
  })
}

function tooManyBodies(): Overloaded {
  return new Overloaded(
    'too_many_bytes',
    'Too many large bodies are being processed, so this one was not read. Send fewer at once, and try again in a moment.',
  )
}

/** Reads only JSON bodies. An empty body counts as absent, whatever its content type. */
export function readJsonBodies(app: FastifyInstance, limitBytes: number): void {
  app.removeAllContentTypeParsers()
  // Fastify finds a parser for the exact type at once. With '*' alone, it would search its list of parsers with each request.
  for (const contentType of ['application/json', '*']) {
    app.addContentTypeParser(contentType, { parseAs: 'buffer', bodyLimit: limitBytes }, (request, body, done) => {
      const parse = () => {
        try {
          done(null, parseBody(request, body as Buffer, limitBytes))
        } catch (error) {
          done(error as Error, undefined)
        }
      }
      // Parsing a megabyte takes up to 20 ms, and fifty such bodies may arrive at once.
      if (body.length > largeBytes) void loopSlices.runWhole(networkOf(request.ip), parse)
      else parse()
    })
  }
}

/** The approximate memory of each value, including lists and objects, in addition to the bytes of its text. */
const bytesPerValue = 24

/**
 * A body at the size limit may have at most one value per this many bytes. A plan of ten thousand grants has one per 12 bytes.
 */
const minBytesPerValue = 7

/** An array or object takes as much memory, and as much time to parse and to garbage-collect, as this many other values. */
const valuesPerContainer = 3

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

/** An upper bound for the number of values in a JSON text, because commas and brackets within strings count, too. */
function countValues(json: Uint8Array): number {
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === comma) values += 1
    else if (byte === bracket || byte === brace) values += valuesPerContainer
  }
  return values
}

/** Reserves the memory that the parsed body takes. Throws 413 if the body has so many values that parsing would take long. */
function reserveParsedBody(request: FastifyRequest, body: Buffer, limitBytes: number): void {
  const values = countValues(body)
  const maxValues = Math.floor(limitBytes / minBytesPerValue)
  if (body.length > largeBytes && values > maxValues) {
    throw new DomainError(
      'BODY_TOO_LARGE',
      `The body has more than ${maxValues} values (a comma counts as one value, an opening bracket as three). Send it in parts.`,
    )
  }
  request.holdBody?.(body.length + values * bytesPerValue)
}

function parseBody(request: FastifyRequest, body: Buffer, limitBytes: number): unknown {
  const { headers } = request
  if (body.length === 0) return undefined
  if (headers['idempotency-key'] !== undefined) request.bodyHash = createHash('sha256').update(body).digest()
  if (
    !isInUtf8(headers['content-type'], 'application/json') ||
    (headers['content-encoding'] ?? 'identity') !== 'identity'
  ) {
    throw unsupportedMediaType()
  }
  if (body.length > smallBytes) reserveParsedBody(request, body, limitBytes)
  try {
    if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
    const text = body.toString()
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (error) {
    throw new DomainError('INVALID_JSON', 'The body is not valid JSON in UTF-8.', null, error)
  }
}

function unsupportedMediaType(what = 'the body as JSON', contentType = 'application/json'): DomainError {
  return new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send ${what} in UTF-8, with Content-Type: ${contentType} and no Content-Encoding.`,
  )
}

/** Passes NDJSON bodies to their handler as they arrive, and refuses other bodies. */
export function streamLines(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, body, done) => {
    const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers
    const isAbsent = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'])
    if (isAbsent) done(null, undefined)
    else if (isInUtf8(type, linesType) && encoding === 'identity') done(null, body)
    else done(unsupportedMediaType('one JSON object per line', linesType))
  })
}

export const linesType = 'application/x-ndjson'

/** Converts Fastify's own refusal of a body to an error of the contract; null for any other error. */
export function toBodyRefusal(error: unknown, limitBytes: number): DomainError | null {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('BODY_TOO_LARGE', `The body is over the limit of ${limitBytes} bytes.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new DomainError('INVALID_JSON', 'The body is shorter or longer than its Content-Length says.')
    case 'ECONNRESET':
      // Fastify sets the status if it could not read the body. A broken connection to the database has no status.
      return statusCode === 400
        ? new DomainError('INVALID_JSON', 'The connection ended in the middle of the body. Send the request again.')
        : null
    default:
      return null
  }
}
