import { expect } from 'vitest'
import { type Caller, send, type TestService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/** A client that sends requests with a subscriber's token. */
export function tokenSubjectClient({ url }: Pick<TestService, 'url'>, token: string, subscriberId = 'acme') {
  const headers = { authorization: `Bearer ${token}` }
  const of = `/org/subscribers/${subscriberId}/entitlements`
  const ask = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    send(url + path, method, body, { ...headers, ...more })
  return {
    token,
    headers,
    ask,
    snapshot: (more?: Record<string, string>) => ask('GET', of, undefined, more),
    check: (body: unknown = { feature: 'sso' }) => ask('POST', `${of}/check`, body),
    changes: (query = '') => ask('GET', `/org/changes${query}`),
  }
}

export async function createToken(caller: Caller, subscriberId = 'acme', body?: unknown): Promise<string> {
  const answer = await caller.rest('POST', `/org/subscribers/${subscriberId}/tokens`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.token
}

/** Creates a feature `sso`, a plan `pro` that grants it, and a subscriber `acme` with this plan and a token. */
export async function createTokenSubject(service: TestService) {
  const admin = await service.organization()
  const { feature, plan, subscriber, subscribe } = vendor(admin)
  await feature('sso')
  await plan('pro', { sso: { kind: 'flag' } })
  await subscriber('acme')
  await subscribe('acme', 'pro')
  const product = await service.member(admin.organizationId, 'evaluator')
  const tokenSubject = tokenSubjectClient(service, await createToken(product))
  return { admin, product, tokenSubject }
}
