import { describe, expect, it } from 'vitest'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'

const service = await startService()
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
    ['to what is not HTTP', rawRequest('FROB', '/', {}), 'no-store'],
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
    ['without the snapshot that was asked for', rawRequest('GET', '/org/subscribers/x/entitlements', key), 'no-store'],
  ])('%s says how long it may be cached, and forbids content sniffing', async (_which, request, cacheControl) => {
    const { headers } = await sendRaw(service.url, request)

    expect(headers.get('cache-control')).toBe(cacheControl)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})
