import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { cert, key } from './certificate.ts'

export type RawReceiverOptions = {
  isTls?: boolean
  /** How many bytes of the answer to send at once; all by default. */
  bytesAtOnce?: number
  /** Sent a moment after the answer. */
  later?: string
}

export type RawReceiver = { url: string; connections(): number; close(): Promise<void> }

/** Answers every request with exactly these bytes. A request ends with the end of its JSON object. */
export async function startRawReceiver(answer: string, options: RawReceiverOptions = {}): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  const serve = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => chunk.toString().endsWith('}') && void write(socket, answer, options))
  }
  const server = options.isTls ? createTlsServer({ cert, key }, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${options.isTls ? 'https' : 'http'}://127.0.0.1:${port}/`,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function write(socket: Socket, answer: string, { bytesAtOnce = answer.length, later }: RawReceiverOptions) {
  for (let at = 0; at < answer.length; at += bytesAtOnce) {
    socket.write(answer.slice(at, at + bytesAtOnce))
    // Waits, so that the pieces arrive separately.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  if (later !== undefined) socket.write(later)
}
