import type { FastifyInstance } from 'fastify'
import { sendPrecompressed, shortCacheControl } from '../http/precompressed.ts'
import { filesOf, loadPackages } from './packages.ts'

/** Serves the client and the command line of this version, so that anyone can install them from here. */
export function servePackages(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/packages/:file', async (request, reply) => {
    const packages = await loadPackages()
    const found = packages.find((each) => filesOf(each).includes(request.params.file))
    if (!found) return reply.callNotFound()
    return sendPrecompressed(request, reply.header('cache-control', shortCacheControl), found.tarball)
  })
}
