import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { madeOnce } from '../../src/core/made-once.ts'
import { briefly, type Precompressed, precompress, sendPrecompressed } from '../../src/http/precompressed.ts'
import { referenceHeaders, renderReference } from '../reference/page.ts'
import { findScripts } from '../reference/scripts.ts'
import { describeRestApi } from './document.ts'
import { toOpenApi30 } from './document-3.0.ts'

const json = 'application/json; charset=utf-8'
const scriptsAddress = '/docs/assets/reference/'

/** Each is made once per process, for its first request; it is the same for every caller. */
const documents = {
  '/openapi.json': madeOnce(async () => precompress(JSON.stringify(describeRestApi()), json)),
  '/openapi-3.0.json': madeOnce(async () => precompress(JSON.stringify(toOpenApi30(describeRestApi())), json)),
  '/docs/reference': madeOnce(async () => precompress(renderReference(), 'text/html; charset=utf-8')),
}
const loadScripts = madeOnce(async () => findScripts())

/** Serves the description of the REST API to programs and people, without a key. */
export function serveReference(app: FastifyInstance): void {
  for (const [address, load] of Object.entries(documents)) {
    app.get(address, async (request, reply) => send(request, reply, await load()))
  }
  app.get(`${scriptsAddress}*`, async (request, reply) => {
    const [path] = request.url.split('?', 1) as [string]
    const load = (await loadScripts()).get(path.slice(scriptsAddress.length))
    return load ? send(request, reply, await load()) : reply.callNotFound()
  })
}

function send(request: FastifyRequest, reply: FastifyReply, file: Precompressed): FastifyReply {
  if (file.type.startsWith('text/html')) reply.headers(referenceHeaders)
  return sendPrecompressed(request, reply.header('cache-control', briefly), file)
}
