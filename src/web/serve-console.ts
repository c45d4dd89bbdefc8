import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadConsolePage } from './console-page.ts'
import { buildFolder } from './console-sources.ts'

/** The addresses of the console's pages. A client that does not ask for a page gets a 404 there, as anywhere else. */
const addresses = ['/', '/sign-in', '/sign-up', '/join', '/organizations', '/account', '/o/*']

/** The console in a browser: one document at every address, and its assets. */
export async function serveConsole(app: FastifyInstance): Promise<void> {
  for (const address of addresses) app.get(address, sendPage)

  await app.register(fastifyStatic, {
    root: join(buildFolder, 'assets'),
    prefix: '/assets/',
    index: false,
    decorateReply: false,
    suppressWarning: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header('cache-control', isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('vary', 'accept')
  if (!request.headers.accept?.includes('text/html')) {
    reply.callNotFound()
    return reply
  }
  const { status, html, headers } = await loadConsolePage()
  return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(html)
}

/** Whether the name changes with the content, as those that Vite gives do. */
function isHashed(path: string): boolean {
  return /-[\w-]{8}\.\w+(\.br|\.gz)?$/.test(path)
}
