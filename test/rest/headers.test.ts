import { describe, expect, it } from 'vitest'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { sharedService, startService } from '../support/service.ts'

const service = await sharedService()
const caller = await service.organization()
await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })

const key = { 'x-api-key': caller.key }
const html = { accept: 'text/html' }
const json = { ...key, 'content-type': 'application/json' }

describe('every answer', () => {
  it.each([
    ['of a list', rawRequest('GET', '/org/features', key), 'no-store'],
    ['that refuses', rawRequest('GET', '/org/features', {}), 'no-store'],
    ['to an unknown route', rawRequest('GET', '/nope', {}), 'no-store'],
    ['to an unknown HTTP method', rawRequest('FROB', '/', {}), 'no-store'],
    [
      'to a body that is not JSON',
      rawRequest('POST', '/org/features', { ...json, 'content-length': '1' }, '{'),
      'no-store',
    ],
    ['of the health check', rawRequest('GET', '/healthz', {}), 'no-store'],
    ['of the readiness check', rawRequest('GET', '/readyz', {}), 'no-store'],
    [
      'of GraphQL',
      rawRequest('POST', '/graphql', { ...json, 'content-length': '26' }, '{"query":"{ __typename }"}'),
      'no-store',
    ],
    ['that GraphQL refuses', rawRequest('POST', '/graphql', { ...json, 'content-length': '1' }, '{'), 'no-store'],
    ['with GraphiQL', rawRequest('HEAD', '/graphql', html), 'no-cache'],
    ['with a snapshot', rawRequest('GET', '/org/subscribers/acme/entitlements', key), 'private, no-cache'],
    [
      'for the snapshot of an unknown subscriber',
      rawRequest('GET', '/org/subscribers/x/entitlements', key),
      'no-store',
    ],
  ])('%s says how long it may be cached, and forbids content sniffing', async (_which, request, cacheControl) => {
    const { headers } = await sendRaw(service.url, request)

    expect(headers.get('cache-control')).toBe(cacheControl)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})

it.each(['/docs', '/docs/reference', '/graphql', '/sign-in'])(
  'windows of other sites cannot reach the page at %s',
  async (path) => {
    const { headers } = await sendRaw(service.url, rawRequest('HEAD', path, html))

    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  },
)

describe('Strict-Transport-Security', () => {
  it.each([
    ['PUBLIC_URL says https', { PUBLIC_URL: 'https://entitlements.example' }, {}, 'max-age=31536000'],
    ['a trusted proxy says https', { TRUST_PROXY: 'loopback' }, { 'x-forwarded-proto': 'https' }, 'max-age=31536000'],
    ['a trusted proxy says http', { TRUST_PROXY: 'loopback' }, { 'x-forwarded-proto': 'http' }, null],
    ['an untrusted proxy says https', {}, { 'x-forwarded-proto': 'https' }, null],
  ])('is sent only if PUBLIC_URL or a trusted proxy says https; here: %s', async (_which, env, headers, expected) => {
    const { url } = await startService(env)

    const answer = await sendRaw(url, rawRequest('GET', '/healthz', headers))

    expect(answer.headers.get('strict-transport-security')).toBe(expected)
  })
})

describe('a refusal', () => {
  const graphql = { ...json, accept: 'application/graphql-response+json', 'content-length': '34' }

  it.each([
    ['/org', rawRequest('GET', '/org', {}), 'ApiKey'],
    ['/user', rawRequest('GET', '/user', {}), 'Bearer'],
    [
      '/graphql',
      rawRequest('POST', '/graphql', { ...graphql, authorization: 'Bearer x' }, '{"query":"{ features { key } }"}  '),
      'ApiKey, Bearer',
    ],
  ])('for missing credentials at %s names the authentication scheme', async (_path, request, scheme) => {
    const answer = await sendRaw(service.url, request)

    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(scheme)
  })

  it('that allows a retry says when to retry', async () => {
    const { url } = await startService({ MAX_PARSED_BYTES: '65536' })
    const body = `[${'[],'.repeat(3000)}[]]`

    const answer = await sendRaw(
      url,
      rawRequest(
        'POST',
        '/user/sign-in',
        { 'content-type': 'application/json', 'content-length': `${body.length}` },
        body,
      ),
    )

    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
  })
})

describe('documents', () => {
  it.each(['/docs', '/docs/reference', '/openapi.json', '/openapi-3.0.json', '/sign-in'])(
    '%s is compressed for clients that accept it',
    async (path) => {
      const plain = await fetch(service.url + path, { headers: { ...html, 'accept-encoding': 'identity' } })
      const compressed = await fetch(service.url + path, { headers: { ...html, 'accept-encoding': 'gzip' } })

      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(compressed.headers.get('content-encoding')).toBe('gzip')
      const withoutNonce = async (answer: Response) => (await answer.text()).replaceAll(/nonce="[^"]*"/g, '')
      expect(await withoutNonce(compressed)).toBe(await withoutNonce(plain))
      expect(compressed.headers.get('vary')).toContain('accept-encoding')
    },
  )
})
