import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './negotiation.ts'

/** Shorter answers fit into a few packets anyway. */
const compressedFrom = 4096
/** A cheap level that still reduces a list to a sixth. */
const level = 3

/**
 * Sends a long text with gzip to clients that accept it. Compresses it as a whole in Node's thread pool: a stream would hold
 * the text for as long as the client reads, and MAX_WAITING_BYTES would not count it.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string | Buffer,
): Promise<FastifyReply> {
  if (text.length < compressedFrom) return reply.send(text)
  reply.header('vary', 'accept-encoding')
  if (acceptedEncoding(request, ['gzip']) === undefined) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(text, { level }))
}
