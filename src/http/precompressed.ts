import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag, toEtag } from './etag.ts'
import { acceptedEncoding } from './negotiation.ts'
import { sendNotModified } from './reply.ts'

/** A document that is the same for every client. All answers share its bytes, however many answers wait to be read. */
export type Precompressed = {
  type: string
  etag: string
  plain: Buffer
  /** The document in each available encoding, the smallest first. */
  encoded: readonly { encoding: 'br' | 'gzip'; bytes: Buffer }[]
}

/** Compresses a text once, so that serving it costs no more than serving a compressed file. */
export async function precompress(text: string, type: string): Promise<Precompressed> {
  const plain = Buffer.from(text)
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, quality), promisify(gzip)(plain)])
  return {
    type,
    etag: toEtag(text),
    plain,
    encoded: [
      { encoding: 'br', bytes: br },
      { encoding: 'gzip', bytes: gz },
    ],
  }
}

/** Lets caches keep a document only for a short time, so that clients see an update of the server within minutes. */
export const shortCacheControl = 'public, max-age=300'

/** The bytes of documents that were sent. */
const documents = new WeakSet<object>()

/** Whether all answers with these bytes share them. */
export function isShared(bytes: unknown): boolean {
  return Buffer.isBuffer(bytes) && documents.has(bytes)
}

/** Sends the document in the first encoding that the client accepts, or 304 if the client already has the document. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, encoded }: Precompressed,
): FastifyReply {
  const { 'if-none-match': known } = request.headers
  reply.header('etag', etag)
  if (encoded.length > 0) addVary(reply, 'accept-encoding')
  if (matchesEtag(known, etag)) return sendNotModified(reply)
  reply.type(type)
  const accepted = acceptedEncoding(
    request,
    encoded.map(({ encoding }) => encoding),
  )
  const found = encoded.find(({ encoding }) => encoding === accepted)
  if (found) reply.header('content-encoding', found.encoding)
  const bytes = found?.bytes ?? plain
  documents.add(bytes)
  return reply.send(bytes)
}

export function addVary(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? header : `${vary}, ${header}`)
}
