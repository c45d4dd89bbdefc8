import type { FastifyInstance } from 'fastify'
import { briefly, type Precompressed, precompress, sendPrecompressed } from '../../src/http/precompressed.ts'
import { referenceHeaders, renderReference } from '../reference/page.ts'
import { describeRestApi } from './document.ts'

/** Built once per process; it is the same for every caller. */
let made: Promise<{ json: Precompressed; page: Precompressed }> | null = null

/** Serves the description of the REST API to programs and people, without a key. */
export function serveReference(app: FastifyInstance): void {
  made ??= makeReference()
  const reference = made
  app.get('/openapi.json', async (request, reply) => {
    const { json } = await reference
    return sendPrecompressed(request, reply.header('cache-control', briefly), json)
  })
  app.get('/docs/reference', async (request, reply) => {
    const { page } = await reference
    return sendPrecompressed(request, reply.headers({ ...referenceHeaders, 'cache-control': briefly }), page)
  })
}

async function makeReference() {
  const document = describeRestApi()
  const [json, page] = await Promise.all([
    precompress(JSON.stringify(document), 'application/json; charset=utf-8'),
    precompress(renderReference(document), 'text/html; charset=utf-8'),
  ])
  return { json, page }
}
