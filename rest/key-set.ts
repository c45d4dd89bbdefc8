import type { FastifyInstance } from 'fastify'
import { toEtag } from '../src/http/etag.ts'
import { sendPrecompressed } from '../src/http/precompressed.ts'
import type { Services } from '../src/operation/services.ts'

/** Serves the public keys with which anyone, including pages of any site, can verify our signatures. */
export function serveKeySet(app: FastifyInstance, { identity, signingKeys }: Services): void {
  app.get('/.well-known/jwks.json', { config: { cors: 'shared' } }, async (request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin')
    identity.throttle.countKeyRead(request.ip)
    const text = JSON.stringify({ keys: await signingKeys.published() })
    const keySet = { type: 'application/jwk-set+json', etag: toEtag(text), plain: Buffer.from(text), encoded: [] }
    return sendPrecompressed(request, reply.header('cache-control', 'public, max-age=3600'), keySet)
  })
}
