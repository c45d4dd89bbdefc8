import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

/** Sends the bytes, and resolves to everything that the server answers until it closes the connection. */
async function sendUntilClosed(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  return text(socket)
}

describe('a request with invalid or unusual HTTP', () => {
  it.each([
    ['an unknown method', rawRequest('FROB', '/org/features', {})],
    ['a path in bare UTF-8', rawRequest('GET', '/org/features/é', {})],
    ['a malformed address', rawRequest('GET', 'http://[::1', {})],
  ])('is 404 for %s', async (_case, request) => {
    expectRefusal(await sendRaw(service.url, request), 'NOT_FOUND', null)
  })

  it.each([
    ['a header without a name', 'GET /org/features HTTP/1.1\r\nhost: a\r\nno colon\r\n\r\n'],
    ['a chunk without a size', rawRequest('POST', '/org/features', { 'transfer-encoding': 'chunked' }, 'zz\r\n')],
    ['two lengths', rawRequest('POST', '/nope', { 'content-length': '2', 'transfer-encoding': 'chunked' }, '{}')],
  ])('is 400 for %s', async (_case, request) => {
    expectRefusal(await sendRaw(service.url, request), 'INVALID_JSON', null, /not valid HTTP/)
  })

  const chunked = { 'transfer-encoding': 'chunked' }
  it.each<[what: string, status: number, invalid: (headers: Record<string, string>) => string]>([
    ['data that is not HTTP', 404, () => 'FROB\r\n\r\n'],
    ['a header without a name', 400, () => 'GET /org HTTP/1.1\r\nno colon\r\n\r\n'],
    [
      'a chunk without a size',
      400,
      (headers) => rawRequest('POST', '/org/plans', { ...headers, ...chunked }, 'zz\r\n'),
    ],
  ])('is answered after the earlier requests on the connection: %s', async (_case, status, invalid) => {
    const { key, rest } = await service.organization()
    const body = JSON.stringify({ key: 'sso', name: 'SSO', kind: 'flag' })
    const headers = { connection: 'keep-alive', 'x-api-key': key, 'content-type': 'application/json' }
    const write = rawRequest('POST', '/org/features', { ...headers, 'content-length': `${body.length}` }, body)

    const answers = await sendUntilClosed(rawRequest('GET', '/readyz', headers) + write + invalid(headers))

    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 201', `HTTP/1.1 ${status}`])
    expect((await rest('GET', '/org/features/sso')).status).toBe(200)
  })

  it('is answered as usual if its target is a whole address', async () => {
    const { key } = await service.organization()

    const [found, refused] = [
      await sendRaw(service.url, rawRequest('GET', `${service.url}/org?a=1`, { 'x-api-key': key })),
      await sendRaw(service.url, rawRequest('GET', `${service.url}/user`, {})),
    ]

    expect(found.status).toBe(200)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('is answered as usual if it has an unknown Expect header', async () => {
    expectRefusal(
      await sendRaw(service.url, rawRequest('GET', '/org', { expect: 'the unexpected' })),
      'UNAUTHORIZED',
      null,
    )
  })

  it.each(['/org', '/readyz', '/nope'])('is 400 without a Host header in HTTP/1.1, at %s', async (path) => {
    const answer = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`)

    expectRefusal(answer, 'INVALID_JSON', null, /Host header/)
  })

  it('is answered as usual without a Host header in HTTP/1.0', async () => {
    expect((await sendRaw(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  it('is 413 for headers or a path of 20 KB', async () => {
    const long = 'x'.repeat(20_000)

    for (const request of [rawRequest('GET', `/org/plans/${long}`, {}), rawRequest('GET', '/', { 'x-long': long })]) {
      expectRefusal(await sendRaw(service.url, request), 'BODY_TOO_LARGE', null, /path and the headers/)
    }
    expect((await sendRaw(service.url, rawRequest('GET', '/readyz', {}))).status).toBe(200)
  })
})
