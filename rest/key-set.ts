import type { FastifyInstance } from 'fastify'
import { toEtag } from '../src/http/etag.ts'
import { sendPrecompressed } from '../src/http/precompressed.ts'
import type { Services } from '../src/operation/services.ts'

/** Pages of any site may verify signatures. */
const forAnyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Serves the public keys of signatures that others verify, to anyone. */
export function serveKeySet(app: FastifyInstance, { identity, signingKeys }: Services): void {
  app.get('/.well-known/jwks.json', async (request, reply) => {
    reply.headers(forAnyOrigin)
    identity.throttle.countKeyRead(request.ip)
    const text = JSON.stringify({ keys: await signingKeys.published() })
    const keySet = { type: 'application/jwk-set+json', etag: toEtag(text), plain: Buffer.from(text), encoded: [] }
    return sendPrecompressed(request, reply.header('cache-control', 'public, max-age=3600'), keySet)
  })
}
