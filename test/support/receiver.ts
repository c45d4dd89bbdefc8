import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { until } from './until.ts'

/** A request as a receiver got it. */
export type ReceivedRequest = {
  at: number
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The event's id, from the header. */
  id: string
}

/** A receiver's reaction to the nth request, from 0: the status, a handler, or null to answer nothing. */
export type Behaviour = (
  received: ReceivedRequest,
  index: number,
) => number | ((response: ServerResponse) => void) | null

export type Receiver = {
  url: string
  received: ReceivedRequest[]
  /** The ids of the received events, in order. */
  ids(): string[]
  /** The number of connections so far. */
  connections(): number
  /** Changes the behaviour from now on. */
  behave(behaviour: Behaviour | number): void
  /** Resolves to the received requests once there are this many. */
  waitFor(count: number): Promise<ReceivedRequest[]>
  close(): Promise<void>
}

/** An HTTP server on loopback that records requests and answers 204 by default. `null` never answers. */
export async function startReceiver(first: Behaviour | number = 204): Promise<Receiver> {
  const received: ReceivedRequest[] = []
  let behaviour = toBehaviour(first)
  const sockets = new Set<Socket>()
  let connections = 0

  const server = createServer(async (request, response) => {
    const body = await readBody(request).catch(() => null)
    if (body === null) return
    const { method = '', url: path = '', headers } = request
    const entry = { at: performance.now(), method, path, headers, body, id: String(headers['x-service-webhook-id']) }
    const reaction = behaviour(entry, received.push(entry) - 1)
    if (typeof reaction === 'number') response.writeHead(reaction).end()
    else reaction?.(response)
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    ids: () => received.map(({ id }) => id),
    connections: () => connections,
    behave(next) {
      behaviour = toBehaviour(next)
    },
    async waitFor(count) {
      await until(() => received.length >= count)
      return received
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** When the request arrived, in milliseconds since 1970. Not since the process's start: the clock may have changed. */
export function wallTimeOf(received: ReceivedRequest | undefined): number {
  return (received?.at ?? Number.NaN) + Date.now() - performance.now()
}

/** Whether the signature matches these bytes and this secret, computed as a receiver would. */
export function isSignedWith(secret: string, { headers, body }: ReceivedRequest): boolean {
  const signed = `${headers['x-service-webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', secret).update(signed).digest('hex')
  return headers['x-service-webhook-signature'] === expected
}

/** Answers with these statuses in sequence, then always with the last one. */
export function inTurn(...statuses: number[]): Behaviour {
  return (_received, index) => statuses[Math.min(index, statuses.length - 1)] as number
}

/** Never answers. */
export const hang: Behaviour = () => null

function toBehaviour(behaviour: Behaviour | number): Behaviour {
  return typeof behaviour === 'number' ? () => behaviour : behaviour
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
