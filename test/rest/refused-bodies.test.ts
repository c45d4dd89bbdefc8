import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { rawRequest } from '../support/raw-http.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()
const caller = await service.organization()

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  atEnd(async () => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** A request after which the client keeps the connection open. */
function request(path: string, headers: Record<string, string>, body = ''): string {
  return rawRequest('POST', path, { connection: 'keep-alive', 'content-type': 'application/json', ...headers }, body)
}

/** Sends the same bytes until the server ends the connection; resolves to the answer. */
async function sendUntilEnded(head: string, part: string): Promise<string> {
  const socket = await open()
  let [received, isEnded] = ['', false]
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.once('end', () => {
    isEnded = true
  })
  socket.write(head)
  const timer = setInterval(() => {
    if (!isEnded && socket.writableLength < part.length) socket.write(part)
  }, 2)
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  clearInterval(timer)
  expect(isEnded).toBe(true)
  return received
}

const statusOf = (received: string) => Number(received.split(' ')[1])
const chunked = { 'transfer-encoding': 'chunked' }
const chunksOf = (text: string, bytes: number) =>
  text.replaceAll(new RegExp(`[^]{1,${bytes}}`, 'g'), (part) => `${part.length.toString(16)}\r\n${part}\r\n`)

describe('a request that is refused before its body is read', () => {
  it.each([
    ['of an unknown route', '/nope', chunked, 404],
    ['without a key', '/org/features', chunked, 401],
    ['with a wrong key', '/org/features', { ...chunked, 'x-api-key': 'nonsense' }, 401],
    ['without a personal token', '/user/organizations', { 'content-length': '900000000' }, 401],
    ['that is too large', '/user/sign-in', { 'content-length': '900000000' }, 413],
  ])(
    '%s ends the connection after the answer, even if the client keeps sending',
    async (_which, path, headers, status) => {
      const received = await sendUntilEnded(
        request(path, headers),
        '3e8\r\n'.padEnd(1005, ' ').concat('\r\n').repeat(20),
      )

      expect(statusOf(received)).toBe(status)
      expect(received).toMatch(/\r\nconnection: close\r\n/i)
      expect(received).toMatch(/"request_id":"req_\w{26}","details":null\}\}$/)
    },
  )

  it.each([
    ['of an unknown route', '/nope', 404],
    ['without a key', '/org/features', 401],
  ])('%s keeps its connection if its body has arrived', async (_which, path, status) => {
    const socket = await open()
    const statuses: number[] = []
    socket.on('data', (chunk) => statuses.push(statusOf(String(chunk))))

    for (let n = 1; n <= 3; n++) {
      socket.write(request(path, { 'content-length': '2' }, '{}'))
      await expect.poll(() => statuses.length).toBe(n)
    }

    expect(statuses).toEqual([status, status, status])
  })
})

describe('a body in tiny chunks', () => {
  it.each([
    ['for a known caller', '/org/features', { 'x-api-key': caller.key }],
    ['for an anonymous client', '/user/sign-in', {}],
    ['of lines', '/org/subscribers/import', { 'x-api-key': caller.key, 'content-type': 'application/x-ndjson' }],
  ])('%s ends the connection when its framing gets much larger than its data', async (_which, path, headers) => {
    const received = await sendUntilEnded(request(path, { ...chunked, ...headers }), '1\r\n \r\n'.repeat(5_000))

    expect(statusOf(received)).toBe(400)
    expect(received).toContain('chunks of the body are too small')
  })

  it('is read if its framing is small in total', async () => {
    const body = JSON.stringify({ key: 'tiny', name: 'x'.repeat(200), kind: 'flag' })
    const socket = await open()

    socket.write(request('/org/features', { ...chunked, 'x-api-key': caller.key }, `${chunksOf(body, 1)}0\r\n\r\n`))

    expect(statusOf(String(await once(socket, 'data')))).toBe(201)
  })

  it('is read whole, however large, if each chunk has two bytes of data', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `{"subscriber_id":"tiny-${n}"}\n`).join('')
    const socket = await open()
    const headers = { ...chunked, 'x-api-key': caller.key, 'content-type': 'application/x-ndjson' }

    socket.write(request('/org/subscribers/import', headers, `${chunksOf(lines, 2)}0\r\n\r\n`))

    const answer = String(await once(socket, 'data'))
    expect(statusOf(answer)).toBe(200)
    expect(answer).toContain('"lines":5000')
  })
})
