import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, prefersPage } from '../http/negotiation.ts'
import { addVary, sendPrecompressed } from '../http/precompressed.ts'
import { watchConsoleBuild } from './console-build.ts'
import { makeConsolePage } from './console-page.ts'
import { completeDocument } from './console-pages.ts'

/** The addresses of the console's pages. A client that does not accept HTML gets a 404, as at any unknown address. */
const addresses = ['/sign-in', '/sign-up', '/join', '/organizations', '/account', '/o/*']

/** The answer to programs that request `/`. */
const entryPoints = { docs: '/docs', openapi: '/openapi.json', graphql: '/graphql', ready: '/readyz' }

/** Serves the console: one document at every address, and its assets. */
export function serveConsole(app: FastifyInstance): void {
  const findBuild = watchConsoleBuild()

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const build = await findBuild()
    const { status, html, headers } = makeConsolePage(
      build && completeDocument(build.document, build.pages, pathOf(request)),
    )
    reply.code(status).headers(headers).type('text/html; charset=utf-8')
    addVary(reply, 'accept-encoding')
    if (acceptedEncoding(request, ['gzip']) === undefined) return reply.send(html)
    // The page is not compressed in advance, because each page has its own nonce. Four kilobytes take less than a tenth of a
    // millisecond.
    return reply.header('content-encoding', 'gzip').send(gzipSync(html, pageCompression))
  }

  app.get('/', (request, reply) => {
    reply.header('vary', 'accept')
    return prefersPage(request) ? sendPage(request, reply) : reply.send(entryPoints)
  })
  for (const address of addresses) {
    app.get(address, (request, reply) => {
      reply.header('vary', 'accept')
      return prefersPage(request) ? sendPage(request, reply) : reply.callNotFound()
    })
  }
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params
    const asset = (await findBuild())?.assets.get(name)
    if (!asset) return reply.callNotFound()
    reply.header('cache-control', isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache')
    return sendPrecompressed(request, reply, asset)
  })
}

/** Small buffers, which save memory and are enough for a page. */
const pageCompression = { level: 6, windowBits: 12, memLevel: 5 }

const pathOf = ({ url }: FastifyRequest) => url.replace(/[?#].*/s, '')

/** Whether the name changes with the content, as Vite's names do. */
function isHashed(name: string): boolean {
  return /-[\w-]{8}\.\w+$/.test(name)
}
