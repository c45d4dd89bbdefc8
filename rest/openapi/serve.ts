import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { memoizeAsync } from '../../src/core/memoize-async.ts'
import { precompress, sendPrecompressed, shortCacheControl } from '../../src/http/precompressed.ts'
import { referenceHeaders, renderReference } from '../reference/page.ts'
import { describeRestApi } from './document.ts'
import { toOpenApi30 } from './document-3.0.ts'

const json = 'application/json; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const ownScript = new URL('../reference/browser/reference.js', import.meta.url)

/** Each document is built once per process, at its first request, and is the same for all callers. */
const documents = {
  '/openapi.json': memoizeAsync(async () => precompress(JSON.stringify(describeRestApi()), json)),
  '/openapi-3.0.json': memoizeAsync(async () => precompress(JSON.stringify(toOpenApi30(describeRestApi())), json)),
  '/docs/reference': memoizeAsync(async () => precompress(renderReference(), 'text/html; charset=utf-8')),
  '/docs/assets/reference.js': memoizeAsync(async () => precompress(await readFile(ownScript, 'utf8'), script)),
}

/** Serves the description of the REST API to anyone, as documents and as a page, which uses the script of Scalar. */
export function serveReference(app: FastifyInstance, { scalarScript }: { scalarScript: string }): void {
  const scalar = memoizeAsync(async () => precompress(await readFile(scalarScript, 'utf8'), script))
  for (const [address, load] of Object.entries({ ...documents, '/docs/assets/scalar.js': scalar })) {
    app.get(address, async (request, reply) => {
      const file = await load()
      if (file.type.startsWith('text/html')) reply.headers(referenceHeaders)
      return sendPrecompressed(request, reply.header('cache-control', shortCacheControl), file)
    })
  }
}
