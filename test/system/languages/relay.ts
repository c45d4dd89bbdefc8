import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../../support/at-end.ts'

/** A proxy between a program and the service, which sees each request and may refuse it, or hold its answer back. */
export async function startRelay(target: string) {
  const relay = {
    url: '',
    /** The paths of all requests for snapshots. */
    snapshots: [] as string[],
    /** The types of all changes that the program received. */
    changeTypes: [] as string[],
    refuses: (_path: string): boolean => false,
    /** Changes the body of the service's answer. */
    rewrites: (text: string): string => text,
    /** The program gets this answer instead of the service's. */
    replaces: (_path: string): Replacement | null => null,
    /** The paths of all requests. */
    asked: [] as string[],
    /** Called before an answer is passed on. */
    hold: async (_path: string): Promise<void> => {},
  }
  const server = createServer(async ({ url: path = '', headers, socket }, reply) => {
    try {
      relay.asked.push(path)
      if (path.endsWith('/entitlements')) relay.snapshots.push(path)
      if (relay.refuses(path)) return void socket.destroy()
      const replacement = relay.replaces(path)
      if (replacement) return void send(reply, replacement)
      const key = String(headers['x-api-key'])
      const answer = await fetch(target + path, { headers: { 'x-api-key': key } })
      const text = relay.rewrites(await answer.text())
      await relay.hold(path)
      if (relay.refuses(path)) return void socket.destroy()
      reply.writeHead(answer.status, {
        'content-type': 'application/json',
        'x-request-id': String(answer.headers.get('x-request-id')),
      })
      reply.end(text)
      if (path.startsWith('/org/changes'))
        relay.changeTypes.push(...JSON.parse(text).changes.map(({ type }: Change) => type))
    } catch {
      socket.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  relay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return relay
}

type Change = { type: string }

export type Replacement = {
  status: number
  text: string
  requestId?: string
  /** Closes the connection in the middle of the body. */
  isTruncated?: boolean
}

function send(reply: ServerResponse, { status, text, requestId, isTruncated = false }: Replacement): void {
  const missingBytes = isTruncated ? 10 : 0
  reply.writeHead(status, {
    'content-length': Buffer.byteLength(text) + missingBytes,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
  })
  reply.write(text, () => isTruncated && reply.destroy())
  if (!isTruncated) reply.end()
}
