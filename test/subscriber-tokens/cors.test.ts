import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { sharedService, startService } from '../support/service.ts'
import { createTokenSubject } from './token-subject.ts'

const service = await sharedService()

const origin = 'https://product.example'
const corsOf = (headers: Headers) => Array.from(headers).filter(([name]) => name.startsWith('access-control-'))

const preflight = (path: string, method: string) =>
  fetch(service.url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
  })

const pathOf = (route: string) => route.replace('flags/{key}', 'flags/sso').replaceAll(/\{\w+\}/g, 'acme')
/** A body that is valid for a check and for an evaluation of OFREP. */
const ask = '{"feature":"sso","context":{"targetingKey":"acme"}}'
const rows = restRoutes.map(({ operation }) => operation)
const operationsForPages = rows.filter(({ cors }) => cors)
const otherOperations = rows.filter(({ cors }) => !cors)

describe('pages of any site', () => {
  it('may send the requests that a token allows', () => {
    expect(operationsForPages.map(({ method, route }) => `${method} ${route}`)).toEqual([
      'POST /org/subscribers/{subscriber_id}/entitlements/check',
      'GET /org/subscribers/{subscriber_id}/entitlements',
      'GET /org/changes',
      'POST /ofrep/v1/evaluate/flags/{key}',
      'POST /ofrep/v1/evaluate/flags',
    ])
  })

  it('may read that the service is unavailable, whether they send a key or a token', async () => {
    const proxy = await startDatabaseProxy(inject('databaseUrl'))
    const behind = await startService({ DATABASE_URL: proxy.url })
    const { product, tokenSubject } = await createTokenSubject(behind)
    proxy.refuseConnections()

    for (const headers of [{ 'x-api-key': product.key }, tokenSubject.headers]) {
      for (const path of ['/org/subscribers/acme/entitlements', '/org/changes']) {
        const answer = await fetch(behind.url + path, { headers: { origin, ...headers } })

        expect([path, answer.status]).toEqual([path, 503])
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(answer.headers.get('retry-after')).toBe('1')
      }
    }
    proxy.open()
    onTestFinished(() => proxy.close())
  })

  it('may read the public keys', async () => {
    const path = '/.well-known/jwks.json'
    const answer = await fetch(service.url + path, { headers: { origin } })

    expect(Object.fromEntries(corsOf((await preflight(path, 'GET')).headers))).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
  })

  it.each(operationsForPages.map(({ method, route }) => [method, route]))(
    'may send %s %s, and read its answers and refusals',
    async (method, route) => {
      const { tokenSubject } = await createTokenSubject(service)
      const path = pathOf(route)

      const preflightAnswer = await preflight(path, method)
      expect(preflightAnswer.status).toBe(204)
      expect(await preflightAnswer.text()).toBe('')
      expect(Object.fromEntries(corsOf(preflightAnswer.headers))).toEqual({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': method,
        'access-control-allow-headers':
          'authorization, baggage, content-type, if-none-match, last-event-id, sentry-trace, traceparent, tracestate, x-api-key',
        'access-control-max-age': '7200',
        'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
      })

      const type = { 'content-type': 'application/json' }
      const send = (headers: Record<string, string>, body: string) =>
        fetch(service.url + path, { method, headers: { origin, ...headers }, ...(method === 'POST' && { body }) })
      const answers = [
        await send({ ...type, ...tokenSubject.headers }, ask),
        await send(type, ask),
        await send({ ...type, ...tokenSubject.headers }, '{'),
        await send({ ...type, ...tokenSubject.headers }, 'x'.repeat(2 * 1024 * 1024)),
        await fetch(service.url + path.replace('acme', 'other'), {
          method,
          headers: { origin, ...tokenSubject.headers },
        }),
      ]
      for (const { headers } of answers) {
        expect(Object.fromEntries(corsOf(headers))).toEqual({
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
        })
        expect(headers.get('set-cookie')).toBeNull()
      }
      expect(answers[0]?.status).toBe(200)
      expect(answers[1]?.status).toBe(401)
    },
  )

  it('may read a 429 and how long to wait', async () => {
    const { tokenSubject } = await createTokenSubject(service)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        fetch(`${service.url}/org/subscribers/acme/entitlements`, { headers: { origin, ...tokenSubject.headers } }),
      ),
    )
    const limited = answers.find(({ status }) => status === 429) as Response
    expect(limited.headers.get('access-control-allow-origin')).toBe('*')
    expect(limited.headers.get('retry-after')).toBe('1')
  })

  it.each([
    ...otherOperations.map(({ method, route }) => [method, pathOf(route)] as const),
    ['POST', '/graphql'] as const,
    ['GET', '/healthz'] as const,
    ['GET', '/openapi.json'] as const,
    ['GET', '/openapi-3.0.json'] as const,
    ['GET', '/docs'] as const,
    ['GET', '/docs/guides/changes.md'] as const,
    ['GET', '/'] as const,
    ['GET', '/nowhere'] as const,
    ['DELETE', '/org/changes'] as const,
  ])('may not read answers to %s %s', async (method, path) => {
    const { key } = await caller
    const answer = await fetch(service.url + path, { method, headers: { origin, 'x-api-key': key } })

    expect(corsOf(answer.headers)).toEqual([])
  })

  it('get 404 for a preflight request to any other path', async () => {
    const open = new Set(operationsForPages.map(({ route }) => pathOf(route)))
    for (const path of new Set(['/graphql', '/', ...otherOperations.map(({ route }) => pathOf(route))])) {
      if (open.has(path)) continue
      const answer = await preflight(path, 'POST')
      expect([path, answer.status, corsOf(answer.headers)]).toEqual([path, 404, []])
    }
  })
})

const caller = service.organization('evaluator')
