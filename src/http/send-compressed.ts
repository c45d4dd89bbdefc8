import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './negotiation.ts'

/** The length from which answers are compressed: shorter ones fit into a few packets anyway. */
const minCompressedLength = 4096
/** A cheap level, which still reduces a list to a sixth of its length. */
const compressionLevel = 3

/**
 * Sends a long text with gzip to clients that accept it. Compresses the text as a whole in Node's thread pool: a stream would
 * keep the text in memory for as long as the client reads, and MAX_WAITING_BYTES would not count it.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string | Buffer,
): Promise<FastifyReply> {
  if (text.length < minCompressedLength) return reply.send(text)
  reply.header('vary', 'accept-encoding')
  if (acceptedEncoding(request, ['gzip']) === undefined) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(text, { level: compressionLevel }))
}
