import { once } from 'node:events'
import { createServer } from 'node:net'

let requestCount = 0

/**
 * A port of this machine that was free a moment ago. It is below those that Linux gives to connections and to servers without a
 * port of their own, of which tests open hundreds meanwhile; each process begins at a different port.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + ((process.pid * 97 + requestCount++) % 17_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
