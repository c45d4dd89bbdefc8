import dns from 'node:dns/promises'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Attempt, type AttemptResult, createSender } from '../../worker/send.ts'
import { cert } from '../support/certificate.ts'
import { type RawReceiver, type RawReceiverOptions, startRawReceiver } from '../support/raw-receiver.ts'
import { type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts'

setDefaultCACertificates([...getCACertificates(), cert])
const sender = createSender({ allowPrivateNetworks: true, timeoutMs: 5000 })
const guarded = createSender({ allowPrivateNetworks: false, timeoutMs: 5000 })
afterAll(() => Promise.all([sender.close(), guarded.close()]))

async function startReceiverThat(behaviour: Behaviour | number): Promise<Receiver> {
  const receiver = await startReceiver(behaviour)
  onTestFinished(() => receiver.close())
  return receiver
}

async function startRaw(answer: string, options?: RawReceiverOptions): Promise<RawReceiver> {
  const receiver = await startRawReceiver(answer, options)
  onTestFinished(() => receiver.close())
  return receiver
}

function attempt(url: string, fields: { timeoutMs?: number; maySend?: () => boolean } = {}) {
  const body = Buffer.from('{"id":"01J"}')
  const defaults = { id: '01J', url, body, secret: 'whsec_x', now: new Date(), timeoutMs: 5000, maySend: () => true }
  return { ...defaults, ...fields }
}

/** Sends the attempt; returns the result without the sent headers, which have a test of their own. */
async function send(each: Attempt): Promise<Omit<AttemptResult, 'headers'> | 'lapsed'> {
  const result = await sender.send(each)
  if (result === 'lapsed') return result
  const { headers: _headers, ...rest } = result
  return rest
}

describe('the headers of an attempt', () => {
  it('are kept as sent, or null if nothing was sent', async () => {
    const receiver = await startReceiverThat(200)

    const result = await sender.send(attempt(receiver.url))
    const notSent = await sender.send(attempt('http://127.0.0.1:1/'))

    expect(result).toMatchObject({
      headers: { 'content-type': 'application/json', 'user-agent': 'entitlements-service' },
    })
    const { headers } = result as AttemptResult
    expect(receiver.received[0]?.headers).toMatchObject(headers as object)
    expect(notSent).toMatchObject({ headers: null })
  })
})

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i acknowledges the event', async (status) => {
    const { url } = await startReceiverThat(status)
    expect(await send(attempt(url))).toEqual({ status, error: null, answer: null })
  })

  it.each([400, 401, 404, 410, 429, 500, 503])('of %i does not acknowledge the event', async (status) => {
    const { url } = await startReceiverThat(status)
    const error = `the receiver answered ${status}, which is not a 2xx`
    expect(await send(attempt(url))).toEqual({ status, error, answer: null })
  })

  it.each([301, 302, 303, 307, 308])('of %i is a failure and is not followed', async (status) => {
    const target = await startReceiverThat(200)
    const { url } = await startReceiverThat(
      () => (response) => response.writeHead(status, { location: target.url }).end(),
    )

    const error = `the receiver answered ${status}, which is not a 2xx; redirects are not followed`
    expect(await send(attempt(url))).toEqual({ status, error, answer: null })
    expect(target.received).toEqual([])
  })

  it('may follow an interim answer, which is ignored', async () => {
    const { url } = await startReceiverThat(() => (response) => {
      response.writeProcessing()
      response.writeHead(200).end('done')
    })
    expect(await send(attempt(url))).toEqual({ status: 200, error: null, answer: 'done' })
  })

  it.each([
    ['an unprompted 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a 100 with headers', 'HTTP/1.1 100 Continue\r\nServer: old\r\n\r\n'],
    [
      'several interim answers',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.0 100 Continue\r\n\r\n',
    ],
  ])('may follow %s, in one piece or byte by byte, over HTTP and TLS', async (_, interim) => {
    const answer = `${interim}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone`
    for (const isTls of [false, true]) {
      for (const bytesAtOnce of [answer.length, 1]) {
        const receiver = await startRaw(answer, { isTls, bytesAtOnce })
        for (let i = 0; i < 4; i++) {
          expect(await send(attempt(receiver.url))).toEqual({ status: 200, error: null, answer: 'done' })
        }
        // The next attempt may begin before the connection is free; in that case the test uses that connection.
        // Four attempts byte by byte may take so long that each idle connection is closed before the next attempt.
        if (bytesAtOnce > 1) expect(receiver.connections()).toBeLessThan(4)
      }
    }
  })

  it('that never comes after 100 Continue is a time-out', async () => {
    const { url } = await startRaw('HTTP/1.1 100 Continue\r\n\r\n')
    expect(await send(attempt(url, { timeoutMs: 200 }))).toMatchObject({
      status: null,
      error: 'no answer within 0.2 seconds',
    })
  })

  it.each([
    ['sixteen', 16, '', null],
    ['seventeen', 17, '', /^more than 16 interim answers \(1xx\)/],
    ['more than 64 KB', 8, `x: ${'y'.repeat(9_000)}\r\n`, /^more than 16 interim answers \(1xx\), or 65536 bytes/],
  ])('may follow at most sixteen interim answers, of less than 64 KB in total: %s', async (_, count, header, error) => {
    const interim = ['100 Continue', '102 Processing', '103 Early Hints']
    const answer = Array.from({ length: count }, (_, index) => `HTTP/1.1 ${interim[index % 3]}\r\n${header}\r\n`)
    const { url } = await startRaw(`${answer.join('')}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone`)

    const result = await send(attempt(url))

    if (error === null) expect(result).toMatchObject({ status: 200, error: null, answer: 'done' })
    else expect(result).toMatchObject({ status: null, error: expect.stringMatching(error), answer: null })
  })

  it('may have a body that reads like 100 Continue', async () => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n'
    const { url } = await startRaw(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`, { later: body })
    expect(await send(attempt(url))).toEqual({ status: 200, error: null, answer: body })
  })

  it('that changes the protocol is a failure', async () => {
    const { url } = await startReceiverThat(() => (response) => {
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end()
    })
    expect(await send(attempt(url))).toMatchObject({ error: expect.any(String) })
  })

  it('is read up to 4 KiB, and the rest is not awaited', async () => {
    const { url } = await startReceiverThat(() => (response) => {
      response.writeHead(200).write('x'.repeat(5000))
    })

    const result = await send(attempt(url))

    expect(result).toEqual({ status: 200, error: null, answer: 'x'.repeat(4096) })
  })

  it('that is not text is not stored', async () => {
    const { url } = await startReceiverThat(
      () => (response) => response.writeHead(500).end(Buffer.from([0xff, 0xfe, 0x00])),
    )
    expect(await send(attempt(url))).toMatchObject({ status: 500, answer: null })
  })

  it('that is cut within a character is stored up to the last complete character', async () => {
    const { url } = await startReceiverThat(() => (response) => response.writeHead(200).end(`${'x'.repeat(4095)}é`))
    expect(await send(attempt(url))).toEqual({ status: 200, error: null, answer: 'x'.repeat(4095) })
  })
})

describe('the time-out', () => {
  it('ends an attempt without an answer', async () => {
    const { url } = await startReceiverThat(() => null)

    const begunAt = performance.now()
    const result = await send(attempt(url, { timeoutMs: 200 }))

    expect(result).toEqual({ status: null, error: 'no answer within 0.2 seconds', answer: null })
    expect(performance.now() - begunAt).toBeGreaterThan(195)
  })

  it('covers only the wait for the status: a 2xx acknowledges the event even if its body does not end', async () => {
    const { url } = await startReceiverThat(() => (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    })

    const result = await send(attempt(url, { timeoutMs: 60_000 }))

    expect(result).toEqual({ status: 200, error: null, answer: expect.stringMatching(/^\.+$/) })
  })

  it('covers only the wait for the status: a 2xx acknowledges the event even if its body never begins', async () => {
    const { url } = await startReceiverThat(
      () => (response) => response.writeHead(202, { 'content-length': 9 }).flushHeaders(),
    )
    expect(await send(attempt(url))).toEqual({ status: 202, error: null, answer: null })
  })

  it('includes connecting', async () => {
    // TEST-NET-1: nobody answers there, or there is no route.
    const url = 'http://192.0.2.1:81'

    const result = await send(attempt(url, { timeoutMs: 200 }))

    expect(result).toMatchObject({
      status: null,
      error: expect.not.stringContaining('5 seconds'),
    })
  })
})

describe('a failure', () => {
  it('at a port where nothing listens has a clear reason', async () => {
    const error = 'the receiver refused the connection'
    expect(await send(attempt('http://127.0.0.1:1/'))).toEqual({ status: null, error, answer: null })
  })

  it('at a name without an address has a clear reason', async () => {
    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
    for (const lookUp of ['resolve4', 'resolve6'] as const)
      vi.spyOn(dns.Resolver.prototype, lookUp).mockRejectedValue(unknown)
    vi.spyOn(dns, 'lookup').mockRejectedValue(unknown)
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })

    const error = "the receiver's host name has no address"
    expect(await send(attempt('http://nowhere.invalid/'))).toEqual({ status: null, error, answer: null })
  })

  it('reports that the receiver closed the connection', async () => {
    const { url } = await startReceiverThat(() => (response) => void response.socket?.destroy())
    const error = 'the receiver closed the connection without an answer'
    expect(await send(attempt(url))).toEqual({ status: null, error, answer: null })
  })

  it('reports that an https address leads to a receiver without TLS', async () => {
    const { url } = await startReceiverThat(200)

    const result = await send(attempt(url.replace('http:', 'https:')))

    const error = 'the receiver does not use TLS: its URL may need http instead of https'
    expect(result).toEqual({ status: null, error, answer: null })
  })

  it('reports in a few words that the TLS handshake failed', async () => {
    // A server without a certificate shares no cipher with any client.
    const server = createTlsServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')

    const result = await send(attempt(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))

    const error = 'could not open a TLS connection to the receiver: ssl/tls alert handshake failure'
    expect(result).toEqual({ status: null, error, answer: null })
  })

  it.each([
    [200, null],
    [500, 'the receiver answered 500, which is not a 2xx'],
  ])('does not include a body that ends early: the status %i decides', async (status, error) => {
    const { url } = await startReceiverThat(() => (response) => {
      response.writeHead(status, { 'content-length': '10' })
      response.write('half', () => response.socket?.destroy())
    })
    expect(await send(attempt(url))).toEqual({ status, error, answer: 'half' })
  })

  it('is not caused by a body with malformed chunks: the status decides', async () => {
    const { url } = await startRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', {
      later: 'no length\r\n',
    })
    expect(await send(attempt(url))).toEqual({ status: 200, error: null, answer: null })
  })

  it.each(['localhost', '127.0.0.1', '[::1]', '127.1'])(
    'caused by the address guard, for %s, sends nothing',
    async (host) => {
      const receiver = await startReceiverThat(200)
      const { port } = new URL(receiver.url)

      const result = await guarded.send(attempt(`http://${host}:${port}/`))

      expect(result).toMatchObject({
        status: null,
        error: "not sent: the receiver's address is not public, and webhooks go only to public addresses",
      })
      expect(receiver.received).toEqual([])
    },
  )
})

describe('an attempt whose batch lease lapsed', () => {
  it('sends nothing, and keeps the connection for the next attempt', async () => {
    const receiver = await startReceiverThat(200)

    expect(await send(attempt(receiver.url, { maySend: () => false }))).toBe('lapsed')
    expect(receiver.received).toEqual([])

    expect(await send(attempt(receiver.url))).toMatchObject({ status: 200 })
    expect(receiver.connections()).toBe(1)
  })
})
