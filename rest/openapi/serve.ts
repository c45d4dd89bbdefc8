import type { FastifyInstance } from 'fastify'
import { briefly, type Precompressed, precompress, sendPrecompressed } from '../../src/http/precompressed.ts'
import { referenceHeaders, renderReference } from '../reference/page.ts'
import { describeRestApi } from './document.ts'
import { toOpenApi30 } from './document-3.0.ts'

/** Built once per process; it is the same for every caller. */
let made: Promise<Map<string, Precompressed>> | null = null

/** Serves the description of the REST API to programs and people, without a key. */
export function serveReference(app: FastifyInstance): void {
  made ??= makeReference()
  const files = made
  for (const address of ['/openapi.json', '/openapi-3.0.json', '/docs/reference']) {
    app.get(address, async (request, reply) => {
      const file = (await files).get(address) as Precompressed
      if (file.type.startsWith('text/html')) reply.headers(referenceHeaders)
      return sendPrecompressed(request, reply.header('cache-control', briefly), file)
    })
  }
}

async function makeReference() {
  const document = describeRestApi()
  const json = 'application/json; charset=utf-8'
  return new Map([
    ['/openapi.json', await precompress(JSON.stringify(document), json)],
    ['/openapi-3.0.json', await precompress(JSON.stringify(toOpenApi30(document)), json)],
    ['/docs/reference', await precompress(renderReference(document), 'text/html; charset=utf-8')],
  ])
}
