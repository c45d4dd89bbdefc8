import { describe, expect, it } from 'vitest'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

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
