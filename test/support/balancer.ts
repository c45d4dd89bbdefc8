import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { limitOf } from './limit-of.ts'

type Backend = { url: string; isUp: boolean; agent: Agent }

export type Balancer = {
  url: string
  /** Whether requests go to this server. */
  uses(url: string): boolean
  /** Failures between the balancer and a server, one line each; the clients got a 502. */
  failures: string[]
  close(): Promise<void>
}

/** A minimal balancer in front of the service: health checks, keep-alive, and no retries. */
export async function startBalancer(urls: readonly string[], checkEveryMs: number): Promise<Balancer> {
  const failures: string[] = []
  const backends: Backend[] = urls.map((url) => ({ url, isUp: false, agent: new Agent({ keepAlive: true }) }))
  let turn = 0

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const up = backends.filter(({ isUp }) => isUp)
    const backend = up[turn++ % up.length]
    if (!backend) {
      failures.push('no server is up')
      outgoing.writeHead(502).end()
      return
    }
    const { method, url, headers } = incoming
    const backendRequest = httpRequest(`${backend.url}${url}`, { method, headers, agent: backend.agent }, (answer) => {
      const { connection: _hopByHop, ...passed } = answer.headers
      outgoing.writeHead(answer.statusCode as number, passed)
      answer.pipe(outgoing)
    })
    backendRequest.on('error', (error: NodeJS.ErrnoException) => {
      failures.push(`${method} ${url}: ${error.code ?? error.message}`)
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    })
    incoming.pipe(backendRequest)
  }

  async function check(backend: Backend): Promise<void> {
    const { ok } = await fetch(`${backend.url}/readyz`, { signal: AbortSignal.timeout(limitOf(20_000)) }).catch(() => ({
      ok: false,
    }))
    backend.isUp = ok
  }

  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await Promise.all(backends.map(check))
  const timer = setInterval(() => void Promise.all(backends.map(check)), checkEveryMs)

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    uses: (url) => backends.some((backend) => backend.url === url && backend.isUp),
    failures,
    async close() {
      clearInterval(timer)
      for (const { agent } of backends) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
