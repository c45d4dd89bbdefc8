import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { newApiKey } from '../../src/access/api-key.ts'
import { newAddress, trustedLoopback } from '../support/person.ts'
import { expectErrorContract, expectRefusal } from '../support/refusal.ts'
import { send, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService(trustedLoopback)

const operations = restRoutes.map(({ operation }) => operation)

/** The path of an operation, with some value for each parameter. */
function somePath({ route }: { route: string }): string {
  return route.replaceAll(/\{\w+\}/g, 'x')
}

const rows = operations.map((operation) => [operation.method, operation.route, operation] as const)

describe('401', () => {
  // Signing up, signing in, and reads that anyone may make need no credentials.
  const guarded = rows.filter(([, , { kind }]) => kind !== 'sign_in' && kind !== 'open_read')

  it.each(guarded)(
    'is the answer of %s %s to a request without valid credentials, even if its body is malformed',
    async (method, _route, operation) => {
      const body = method === 'GET' ? undefined : '{"broken'
      const url = service.url + somePath(operation)

      for (const key of ['', 'nonsense', newApiKey().key, `${newApiKey().key.slice(0, -1)}!`, 'é']) {
        expectRefusal(await send(url, method, body, { 'x-api-key': key }), 'UNAUTHORIZED', null)
      }
      expectRefusal(await send(url, method, body), 'UNAUTHORIZED', null)
      expectRefusal(await send(url, method, body, { authorization: `Bearer ${newApiKey().key}` }), 'UNAUTHORIZED', null)
    },
  )

  it('tells a browser, but not a program, where to sign in', async () => {
    const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const challengeOf = async (path: string, headers?: Record<string, string>) => {
      const answer = await send(service.url + path, 'GET', undefined, headers)
      expectRefusal(answer, 'UNAUTHORIZED', null)
      return answer.body.error.message as string
    }

    for (const path of ['/org', '/user', '/org/subscribers/x/entitlements']) {
      expect(await challengeOf(path, asBrowser)).toContain(`Sign in to the console at ${service.url}/sign-in.`)
      expect(await challengeOf(path)).not.toContain('/sign-in')
    }
    expect(await challengeOf('/org', { ...asBrowser, 'x-api-key': 'nonsense' })).toBe('This API key is not valid.')
  })

  it('is the answer to the first request of a member after they were disabled', async () => {
    const caller = await service.organization()
    await service.database.prisma.member.updateMany({
      where: { organizationId: caller.organizationId },
      data: { status: 'disabled' },
    })

    expectRefusal(await caller.rest('GET', '/org/features'), 'UNAUTHORIZED', null)
    expectRefusal(await caller.rest('GET', '/org/subscribers/x/entitlements'), 'UNAUTHORIZED', null)
  })
})

describe('404 for an unknown route', () => {
  it.each([
    ['GET', '/org/nope'],
    ['GET', '/org/features/a/b'],
    ['GET', '/ORG/features'],
    ['GET', '/org//features'],
    ['GET', '/org/featur%zz'],
    ['GET', '/%ff'],
    ['GET', `/${'x'.repeat(8000)}`],
    ['POST', '/nope'],
    ['DELETE', '/org/features'],
    ['PUT', '/org/plans/pro'],
    ['PATCH', '/org/subscribers'],
    ['OPTIONS', '/org/features'],
    ['PROPFIND', '/org/features'],
    ['GET', '/org/plans/pro/archive'],
    ['POST', '/org/subscribers/a/overrides/b'],
    ['HEAD', '/org/subscribers/x/entitlements/check'],
  ])('has details null for %s %s, with any body and without a key', async (method, path) => {
    for (const [body, type] of [
      [undefined, undefined],
      ['{"broken', 'application/json'],
      ['a=b', 'application/x-www-form-urlencoded'],
      ['x'.repeat(3_000_000), 'text/plain'],
    ]) {
      if (body !== undefined && (method === 'GET' || method === 'HEAD')) continue
      const answer = await send(service.url + path, method, body, type ? { 'content-type': type } : {})
      expect(answer.status).toBe(404)
      if (method !== 'HEAD') expectRefusal(answer, 'NOT_FOUND', null)
    }
  })
})

describe('HEAD', () => {
  it.each(rows.filter(([method]) => method === 'GET'))(
    'has the status and headers of %s %s, without a body',
    async (_method, _route, operation) => {
      const caller = await service.organization()
      await vendor(caller).subscriber('x')

      const path = somePath(operation)
      const headers = newAddress()
      const got = await caller.rest('GET', path, undefined, headers)
      const head = await caller.rest('HEAD', path, undefined, headers)

      expect(head.status).toBe(got.status)
      expect(head.body).toBeUndefined()
      // Each answer with changes has its own cursor, and cursors differ in length.
      const same = operation.name === 'changes' ? ['content-type'] : ['content-type', 'content-length']
      for (const name of same) expect(head.headers.get(name)).toBe(got.headers.get(name))
      expect(head.headers.get('x-request-id')).toMatch(/^req_/)
      const status = operation.kind === 'open_read' ? 200 : 401
      expect(await send(service.url + path, 'HEAD', undefined, headers)).toMatchObject({ status, body: undefined })
    },
  )
})

describe('X-Request-Id', () => {
  it('is in every answer, with a new id each time, never the one that the client sent', async () => {
    const caller = await service.organization()
    const requestHeaders = { 'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV' }
    const answers = [
      await caller.rest('GET', '/org/features', undefined, requestHeaders),
      await caller.rest('POST', '/org/features', {}, requestHeaders),
      await caller.rest('DELETE', '/org/features/x', undefined, requestHeaders),
      await send(`${service.url}/healthz`, 'GET', undefined, requestHeaders),
      await send(`${service.url}/nope`, 'GET', undefined, requestHeaders),
    ]

    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    expect(new Set([...ids, requestHeaders['x-request-id']]).size).toBe(6)
    for (const { status, body } of answers)
      if (status >= 400)
        expectErrorContract({ status, body, headers: answers[ids.indexOf(body.error.request_id)]?.headers as Headers })
  })
})
