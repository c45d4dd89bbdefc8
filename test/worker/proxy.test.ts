import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSender } from '../../worker/send.ts'
import { cert } from '../support/certificate.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { startReceiver } from '../support/receiver.ts'

setDefaultCACertificates([...getCACertificates(), cert])

type ProxiedRequest = { target: string | undefined; headers: IncomingHttpHeaders }

/** A proxy that opens tunnels, or answers `CONNECT` with this status, or with nothing. */
async function startProxy(answer: number | 'nothing' = 200) {
  const requests: ProxiedRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', ({ url, headers }, socket: Socket) => {
    requests.push({ target: url, headers })
    sockets.add(socket)
    socket.on('error', () => {})
    if (answer === 'nothing') return
    if (answer !== 200) return socket.end(`HTTP/1.1 ${answer} No\r\n\r\n`)
    // Accepts any address: all receivers are on this machine.
    const receiver = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(receiver).pipe(socket)
    })
    receiver.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://us%20er:pa%3Ass@127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function send(url: string, proxyUrl: string, options = { allowPrivateNetworks: true, timeoutMs: 5000 }) {
  const sender = createSender({ ...options, proxyUrl })
  onTestFinished(() => sender.close())
  const body = Buffer.from('{"id":"01J"}')
  const attempt = { id: '01J', url, body, secret: 'whsec_x', now: new Date(), maySend: () => true }
  return sender.send({ ...attempt, timeoutMs: options.timeoutMs })
}

describe('with WEBHOOK_PROXY_URL, an attempt', () => {
  it('goes through a tunnel of the proxy, with its user and password', async () => {
    const proxy = await startProxy()
    const receiver = await startReceiver(200)
    onTestFinished(() => receiver.close())

    expect(await send(receiver.url, proxy.url)).toMatchObject({ status: 200, error: null })

    const { host } = new URL(receiver.url)
    expect(proxy.requests).toMatchObject([
      { target: host, headers: { 'proxy-authorization': `Basic ${btoa('us er:pa:ss')}` } },
    ])
    expect(receiver.received[0]?.headers).toMatchObject({ host })
    expect(receiver.received[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it("verifies the receiver's certificate for its name, and drops interim answers", async () => {
    const proxy = await startProxy()
    const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'
    const receiver = await startRawReceiver(answer, { isTls: true })
    onTestFinished(() => receiver.close())
    const { port } = new URL(receiver.url)

    expect(await send(receiver.url, proxy.url)).toMatchObject({ status: 204, error: null })
    expect(await send(`https://127.0.0.2:${port}/`, proxy.url)).toMatchObject({
      status: null,
      error: "the receiver's certificate is for another name",
    })
  })

  it('has the proxy connect to the address that was checked, not to the name', async () => {
    const proxy = await startProxy()
    const receiver = await startReceiver(200)
    onTestFinished(() => receiver.close())
    const { port } = new URL(receiver.url)

    await send(`http://localhost:${port}/`, proxy.url)

    expect(['127.0.0.1', '[::1]'].map((address) => `${address}:${port}`)).toContain(proxy.requests[0]?.target)
  })

  it.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'https://[::1]:1/'])(
    'to %s is refused without asking the proxy',
    async (url) => {
      const proxy = await startProxy()

      const result = await send(url, proxy.url, { allowPrivateNetworks: false, timeoutMs: 5000 })

      expect(result).toMatchObject({ status: null, headers: null, error: expect.stringContaining('not public') })
      expect(proxy.requests).toEqual([])
    },
  )

  it("fails with the proxy's answer if the proxy refuses or cannot be reached, and names no address", async () => {
    const refusing = await startProxy(407)

    const refused = await send('http://127.0.0.1:1/', refusing.url)
    const unreachable = await send('http://127.0.0.1:1/', 'http://127.0.0.1:1')

    expect(refused).toMatchObject({ status: null, headers: null, error: 'the proxy for webhooks answered 407' })
    expect(unreachable).toMatchObject({ status: null, error: 'the proxy for webhooks could not be reached' })
  })

  it('ends within its time limit if the proxy never answers', async () => {
    const silent = await startProxy('nothing')
    const result = await send('http://127.0.0.1:1/', silent.url, { allowPrivateNetworks: true, timeoutMs: 300 })
    expect(result).toMatchObject({ status: null, error: 'no answer within 0.3 seconds' })
  })
})
