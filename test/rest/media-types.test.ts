import { describe, expect, it } from 'vitest'
import { sharedService } from '../support/service.ts'

const service = await sharedService()
const caller = await service.organization()
await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro' })
await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme', name: 'Acme' })

async function typeOf(path: string, accept: string): Promise<string | null> {
  const abort = new AbortController()
  const headers = { accept, 'x-api-key': caller.key }
  const answer = await fetch(service.url + path, { headers, signal: abort.signal })
  abort.abort()
  return answer.headers.get('content-type')?.split(';')[0] ?? null
}

const [json, page] = ['application/json', 'text/html']
const snapshot = '/org/subscribers/acme/entitlements'

describe('an answer', () => {
  it.each([
    [snapshot, 'application/jwt', 'application/jwt'],
    [snapshot, 'application/jwt, */*;q=0.1', 'application/jwt'],
    [snapshot, 'application/jwt;q=0', json],
    [snapshot, 'application/jwt;q=0.5, application/json', json],
    [snapshot, 'application/json;q=0.5, APPLICATION/JWT', 'application/jwt'],
    [snapshot, '*/*', json],
    [snapshot, 'application/*', json],
    [snapshot, 'image/png', json],
    ['/org/subscribers', 'text/csv; charset=utf-8', 'text/csv'],
    ['/org/subscribers', 'text/*', 'text/csv'],
    ['/org/subscribers', 'text/csv;q=0.1, application/x-ndjson;q=0.2', 'application/x-ndjson'],
    ['/org/subscribers', 'text/csv;q=0, application/json', json],
    ['/org/subscribers', 'application/xml, */*;q=0.8', json],
    ['/org/changes', 'text/event-stream', 'text/event-stream'],
    ['/org/changes', 'text/event-stream, */*', 'text/event-stream'],
    ['/org/changes', 'application/json, text/event-stream;q=0.9', json],
    ['/graphql?query={plans{key}}', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', page],
    ['/graphql', 'text/html;q=0.1, application/json', json],
    ['/', 'text/html', page],
    ['/', '*/*', json],
  ])('of %s to Accept: %s has the content type %s', async (path, accept, type) => {
    expect(await typeOf(path, accept)).toBe(type)
  })

  it('of GraphQL has the content type that the client prefers', async () => {
    const send = async (accept: string) => {
      const headers = { accept, 'content-type': 'application/json', 'x-api-key': caller.key }
      const answer = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers,
        body: '{"query":"{plans{key}}"}',
      })
      return answer.headers.get('content-type')
    }

    expect(await send('application/graphql-response+json, application/json;q=0.9')).toMatch('graphql-response')
    expect(await send('application/graphql-response+json;q=0.9, application/json')).toMatch('application/json')
    expect(await send('application/graphql-response+json;q=0')).toMatch('application/json')
    expect(await send('*/*')).toMatch('application/json')
  })

  it.each([
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['*', 'br'],
    ['gzip;q=0', null],
    ['identity', null],
  ])('to Accept-Encoding: %s has the encoding %s', async (accepted, encoding) => {
    const answer = await fetch(`${service.url}/openapi.json`, { headers: { 'accept-encoding': accepted } })

    expect(answer.headers.get('content-encoding')).toBe(encoding)
  })
})

describe('a body', () => {
  const put = (type: string) =>
    caller.rest('PATCH', '/org/subscribers/acme', '{"name":"Ünal"}', { 'content-type': type })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF8"',
    'application/json; charset=utf-8; profile="https://example.org/a,b"',
    'application/json; version=2',
    'application/json;',
  ])('is read as JSON with Content-Type: %s', async (type) => {
    expect(await put(type)).toMatchObject({ status: 200, body: { name: 'Ünal' } })
  })

  it.each([
    'application/json; charset=latin1',
    'application/json; charset=none',
    'application/jsonp',
    'text/json',
    'application/json, text/plain',
  ])('is 415 with Content-Type: %s', async (type) => {
    expect(await put(type)).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } })
  })
})
