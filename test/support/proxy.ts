import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type PortProxy = {
  port: number
  /** Sends new connections there and cuts existing ones. Null refuses connections. */
  routeTo(port: number | null): void
  close(): Promise<void>
}

/** A port of 127.0.0.1 that stays the same while the server behind it changes. */
export async function startProxy(target: number | null): Promise<PortProxy> {
  let port = target
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    track(client)
    if (port === null) {
      client.destroy()
      return
    }
    const behind = connect(port, '127.0.0.1')
    track(behind)
    client.pipe(behind).pipe(client)
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    routeTo(next) {
      port = next
      cut()
    },
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
