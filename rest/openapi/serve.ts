import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { toEtag } from '../../src/http/etag.ts'
import { type Precompressed, sendPrecompressed } from '../../src/http/precompressed.ts'
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
  app.get('/docs', async (request, reply) => {
    const { page } = await reference
    return sendPrecompressed(request, reply.headers({ ...referenceHeaders, 'cache-control': briefly }), page)
  })
}

/** Short, so that clients see an update of the server within minutes. */
const briefly = 'public, max-age=300'

async function makeReference() {
  const document = describeRestApi()
  const [json, page] = await Promise.all([
    precompress(JSON.stringify(document), 'application/json; charset=utf-8'),
    precompress(renderReference(document), 'text/html; charset=utf-8'),
  ])
  return { json, page }
}

async function precompress(text: string, type: string): Promise<Precompressed> {
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
