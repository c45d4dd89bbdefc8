import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { atEnd } from './at-end.ts'

/**
 * What happens to one request. With a status, the proxy itself answers it. `refuse`: the connection ends before the service
 * gets the request. `lose`: the service answers, and the connection ends without the answer. `hang`: no answer comes.
 */
export type Fault = 'refuse' | 'lose' | 'hang' | { status: number; headers?: Record<string, string>; body?: string }

type ForwardedRequest = { method: string; url: string; headers: IncomingMessage['headers']; atMs: number }

export type FaultyProxy = {
  url: string
  /** The faults of the next requests, in order. Later requests pass. */
  faults: Fault[]
  /** All requests, including those with faults. */
  requests: ForwardedRequest[]
}

/** A proxy before the service, whose faults the test chooses. Stops after the test or the file. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const requests: ForwardedRequest[] = []
  const server = createServer(async (incoming, reply) => {
    const { method = '', url = '', headers } = incoming
    requests.push({ method, url, headers, atMs: performance.now() })
    const fault = faults.shift()
    if (fault === 'hang') return
    if (fault === 'refuse') return void incoming.socket.destroy()
    if (typeof fault === 'object') {
      reply.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    await pass(target, incoming, reply, fault === 'lose')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => stop(server))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, faults, requests }
}

async function pass(target: string, incoming: IncomingMessage, reply: ServerResponse, isLost: boolean): Promise<void> {
  const { method, url, headers } = incoming
  const behind = request(new URL(url ?? '', target), { method, headers })
  incoming.pipe(behind)
  const [answer] = (await once(behind, 'response')) as [IncomingMessage]
  if (isLost) {
    await text(answer)
    incoming.socket.destroy()
    return
  }
  // The client has left.
  if (reply.destroyed) return void answer.destroy()
  // Sends each part as it arrives: a stream of changes does not end.
  reply.writeHead(answer.statusCode ?? 502, answer.headers)
  pipeline(answer, reply, () => {})
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
