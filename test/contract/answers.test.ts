import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { assertMatchesDescription } from '../support/answers.ts'
import { describedHeaders } from '../support/described-headers.ts'

// Every answer in the tests passes `assertMatchesDescription` (test/support/service.ts). These tests show what it detects.

const id = `req_${newId()}`
const feature = {
  key: 'sso',
  name: 'SSO',
  description: '',
  kind: 'flag',
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
}
const refusal = (code: string, type = 'invalid_request_error', details: unknown = null) => ({
  error: { type, code, message: 'No.', request_id: id, details },
})

function checkAnswer(method: string, path: string, status: number, headers: Record<string, string>, body?: unknown) {
  const sent = { status, headers: new Headers({ 'x-request-id': id, ...headers }), body }
  return () => assertMatchesDescription(method, `http://127.0.0.1:4000${path}`, sent)
}

const unauthorized = refusal('UNAUTHORIZED')
const unavailable = refusal('SERVICE_UNAVAILABLE', 'api_error')

describe('the check of REST answers against their descriptions', () => {
  it('knows exactly the headers that answers may have', () => {
    const names = [
      'X-Request-Id',
      'WWW-Authenticate',
      'Retry-After',
      'Cache-Control',
      'ETag',
      'Set-Cookie',
      'Idempotency-Replayed',
    ]

    expect([...describedHeaders].toSorted()).toEqual(names.toSorted())
  })

  it.each<[string, ReturnType<typeof checkAnswer>]>([
    ['a success', checkAnswer('GET', '/org/features/sso', 200, {}, feature)],
    ['an answer without a body', checkAnswer('DELETE', '/org/features/sso', 204, {})],
    ['a refusal', checkAnswer('GET', '/org/features/sso', 401, { 'www-authenticate': 'ApiKey' }, unauthorized)],
    ['an outage', checkAnswer('GET', '/org/features/sso', 503, { 'retry-after': '1' }, unavailable)],
    ['a page', checkAnswer('GET', '/docs', 200, {}, 'text')],
  ])('accepts %s', (_what, check) => {
    expect(check).not.toThrow()
  })

  it.each<[string, ReturnType<typeof checkAnswer>, RegExp]>([
    [
      'a body that does not fit its description',
      checkAnswer('GET', '/org/features/sso', 200, {}, { ...feature, kind: 5 }),
      /does not describe/,
    ],
    [
      'a body where the description has none',
      checkAnswer('DELETE', '/org/features/sso', 204, {}, feature),
      /answers no body/,
    ],
    [
      'an error code that is not described',
      checkAnswer('GET', '/org/features/sso', 409, {}, refusal('CONFLICT')),
      /may answer 409 CONFLICT/,
    ],
    [
      'an error of another shape',
      checkAnswer('GET', '/org/features/sso', 401, { 'www-authenticate': 'ApiKey' }, refusal('UNAUTHORIZED', 'x')),
      /in another shape/,
    ],
    [
      'a 401 without WWW-Authenticate',
      checkAnswer('GET', '/org', 401, {}, unauthorized),
      /not have the header WWW-Authenticate/,
    ],
    ['a 503 without Retry-After', checkAnswer('GET', '/org', 503, {}, unavailable), /not have the header Retry-After/],
    [
      'a Retry-After that is not a number',
      checkAnswer('GET', '/org', 503, { 'retry-after': 'soon' }, unavailable),
      /Retry-After with something else/,
    ],
    [
      'a Retry-After with a success',
      checkAnswer('GET', '/org/features/sso', 200, { 'retry-after': '1' }, feature),
      /not described/,
    ],
    [
      'a malformed request id',
      checkAnswer('GET', '/org', 401, { 'x-request-id': 'x' }, unauthorized),
      /X-Request-Id with/,
    ],
  ])('refuses %s', (_what, check, fault) => {
    expect(check).toThrow(fault)
  })
})
