import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type Socket } from 'node:net'

/**
 * The proxy was unreachable or refused the connection. `message` is for the person who runs the receiver, and contains no
 * address.
 */
class ProxyFailed extends Error {
  constructor(reason: string, cause?: Error) {
    super(`the proxy for webhooks ${reason}`, { cause })
    this.name = 'ProxyFailed'
  }
}

/** Opens a connection to this address through an http or https proxy, with the method CONNECT (RFC 9110, 9.3.6). */
export function openTunnel(
  proxyUrl: string,
  { address, port }: { address: string; port: string },
  timeoutMs: number,
): Promise<Socket> {
  const { protocol, username, password, origin } = new URL(proxyUrl)
  const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    host: path,
    ...(credentials !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
  }
  const send = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = send(origin, { method: 'CONNECT', path, headers, agent: false })
    const timer = setTimeout(() => request.destroy(new Error('it did not answer in time')), timeoutMs)
    const fail = (error: ProxyFailed) => {
      clearTimeout(timer)
      reject(error)
    }
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET'
      fail(new ProxyFailed(isClosed ? 'closed the connection' : 'could not be reached', error))
    })
    request.on('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      clearTimeout(timer)
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket)
      }
      socket.destroy()
      fail(new ProxyFailed(`answered ${statusCode}`))
    })
    // Some proxies refuse with an ordinary response.
    request.on('response', (response) => {
      response.destroy()
      fail(new ProxyFailed(`answered ${response.statusCode}`))
    })
    request.end()
  })
}
