import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atEnd } from '../support/at-end.ts'

/**
 * Forwards requests to the service at `url`, but first waits for `before`, which makes another person's change at that moment.
 */
export async function startMeddlingProxy(
  url: string,
  before: (request: { method: string; path: string }) => Promise<void>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const body = await buffer(request)
    await before({ method, path })
    const { host: _, connection: __, 'content-length': ___, ...rest } = headers
    const answer = await fetch(url + path, {
      method,
      headers: rest as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
