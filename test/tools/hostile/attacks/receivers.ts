import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Attack, pause } from '../attack.ts'

/** Receivers of webhooks that try to keep a worker busy. */
export const receiverAttacks: readonly Attack[] = [
  {
    name: 'a receiver that endlessly answers 100 Continue',
    async run(scene) {
      const { client, attacker, fault, note } = scene
      const { headers } = attacker
      const receiver = await startEndless()
      await client.send({ method: 'PUT', path: '/org/webhook', headers, body: { url: receiver.url } })
      for (let test = 0; test < 10; test++) await client.send({ method: 'POST', path: '/org/webhook/test', headers })

      const query = '{ webhookEvents(first: 10) { nodes { attempts { error } } } }'
      let ended = 0
      while (ended < 10 && !scene.signal.aborted) {
        const events = await client.graphql(query, undefined, headers)
        if (events) ended = events.body.split('interim answers').length - 1
        await pause(scene, 200)
      }
      await receiver.close()
      const megabytes = receiver.sentBytes() / 1e6
      note(`${ended} attempts ended, ${megabytes.toFixed(1)} MB were sent to them`)
      if (ended < 10) fault(`only ${ended} of ten attempts ended because of their interim answers`)
      if (megabytes > 40) fault(`${megabytes} MB of interim answers were read`)
    },
  },
]

/** Sends interim answers as fast as they are read, until the connection is closed. */
async function startEndless() {
  const interim = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(400))
  const sockets = new Set<Socket>()
  let sentBytes = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      sentBytes += socket.bytesWritten
    })
    const send = () => {
      while (!socket.destroyed && socket.write(interim));
    }
    socket.on('drain', send)
    socket.once('data', send)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sentBytes: () => sentBytes,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
