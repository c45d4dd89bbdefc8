import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { setInstallationName, subscriberTokenPrefix } from '../../src/access/installation.ts'
import { lookUpTokenSubjects } from '../../src/access/look-up-token-subjects.ts'
import type { Label } from '../../src/access/roles.ts'
import { createSubscriberTokens } from '../../src/access/subscriber-token.ts'
import { createVault } from '../../src/core/vault.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { testMasterKey } from '../support/master-key.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type LogEntry, send, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { createToken, createTokenSubject, tokenSubjectClient } from './token-subject.ts'

const log: LogEntry[] = []
const service = await startService({ LOG_LEVEL: 'trace' }, log)

const vault = createVault(Buffer.from(testMasterKey, 'base64'))
const key = vault.deriveKey('subscriber-token')
const typ = 'entitlements-subscriber+jwt'

const mutation = `mutation ($input: CreateSubscriberTokenInput!) {
  createSubscriberToken(input: $input) { token expiresAt }
}`

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('a token of a subscriber', () => {
  it('begins with its installation and organization, so that a proxy can route by its text', async () => {
    const { product, tokenSubject } = await createTokenSubject(service)
    const { organizationId } = product

    setInstallationName('b2')
    const named = await createToken(product)
    setInstallationName(undefined)

    expect(tokenSubject.token.startsWith(subscriberTokenPrefix('', organizationId))).toBe(true)
    expect(named.startsWith(subscriberTokenPrefix('b2', organizationId))).toBe(true)
    // docs/operations/groups.haproxy.cfg and groups.nginx.conf contain these lengths and prefixes.
    expect([subscriberTokenPrefix('', organizationId), subscriberTokenPrefix('b2', organizationId)]).toEqual([
      expect.stringMatching(/^eyJhbGciOiJIUzI1NiIsIm9yZyI6.{37}$/),
      expect.stringMatching(/^eyJhbGciOiJIUzI1NiIsImluIjoiYjIi.{46}$/),
    ])
    expect((await tokenSubjectClient(service, named).snapshot()).status).toBe(200)
  })

  it('gives access to the snapshot, the checks and the changes of the subscriber', async () => {
    const { product, tokenSubject } = await createTokenSubject(service)
    const path = '/org/subscribers/acme/entitlements'

    expect((await tokenSubject.snapshot()).body).toEqual((await product.rest('GET', path)).body)
    expect((await tokenSubject.check()).body).toEqual(
      (await product.rest('POST', `${path}/check`, { feature: 'sso' })).body,
    )
    expect((await tokenSubject.check({ features: ['sso'] })).body.entitlements).toHaveLength(1)
    expect((await tokenSubject.changes()).body).toEqual({
      changes: [],
      cursor: expect.any(String),
      has_more: false,
      reset: false,
    })
  })

  it('is valid for 900 seconds, or for any requested time from 60 to 3,600 seconds, in both APIs', async () => {
    const { product } = await createTokenSubject(service)
    const path = '/org/subscribers/acme/tokens'
    const secondsUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 1000)

    const usual = await product.rest('POST', path)
    const long = await product.rest('POST', path, { expires_in: 3600, more: 1 })
    const { body } = await product.graphql(mutation, { input: { subscriberId: 'acme', expiresIn: 60 } })

    expect(Object.keys(usual.body)).toEqual(['token', 'expires_at'])
    expect(Math.abs(secondsUntil(usual.body.expires_at) - 900)).toBeLessThan(30)
    expect(Math.abs(secondsUntil(long.body.expires_at) - 3600)).toBeLessThan(30)
    const { token, expiresAt } = body.data.createSubscriberToken
    expect(Math.abs(secondsUntil(expiresAt) - 60)).toBeLessThan(30)
    expect((await tokenSubjectClient(service, token).snapshot()).status).toBe(200)
    for (const expires_in of [59, 3601, 60.5, '60', null]) {
      expectInvalid(await product.rest('POST', path, { expires_in }), ['expires_in', /an integer from 60 to 3600/])
    }
  })

  it('contains its organization, subscriber, key and expiry, and has a type of its own', async () => {
    const { tokenSubject, product } = await createTokenSubject(service)

    expect(decodeProtectedHeader(tokenSubject.token)).toEqual({
      alg: 'HS256',
      org: product.organizationId,
      typ: 'entitlements-subscriber+jwt',
    })
    expect(decodeJwt(tokenSubject.token)).toEqual({
      org: product.organizationId,
      sub: 'acme',
      since: expect.any(Number),
      key: expect.any(String),
      exp: expect.any(Number),
    })
  })

  it('can be created with any key that has the label for evals, but only for an existing subscriber', async () => {
    const { admin, product } = await createTokenSubject(service)

    expectRefusal(await product.rest('POST', '/org/subscribers/nobody/tokens'), 'NOT_FOUND', {
      resource: 'subscriber',
      id: 'nobody',
    })
    expectRefusal(await product.rest('POST', '/org/subscribers/no%20body/tokens'), 'NOT_FOUND', {
      resource: 'subscriber',
      id: 'no body',
    })
    expect((await send(`${service.url}/org/subscribers/acme/tokens`, 'POST')).status).toBe(401)
    for (const role of ['developer', 'support', 'viewer'] as const) {
      await createToken(await service.member(admin.organizationId, role))
    }
  })

  it('is not recorded in the audit log when it is created, and does not count as an eval', async () => {
    const { admin, product } = await createTokenSubject(service)
    const used = async () => (await admin.rest('GET', '/org/eval-usage')).body.used
    const before = [await used(), (await admin.rest('GET', '/org/audit-events')).body.audit_events[0].id]

    await createToken(product)

    expect([await used(), (await admin.rest('GET', '/org/audit-events')).body.audit_events[0].id]).toEqual(before)
  })

  it("counts against the organization's evals per second when it is created", async () => {
    const limited = await startService({ EVAL_RATE_LIMIT_PER_SECOND: '3' })
    const { product } = await createTokenSubject(limited)

    const answers = await Promise.all(
      Array.from({ length: 60 }, () => product.rest('POST', '/org/subscribers/acme/tokens')),
    )

    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expectRefusal(answer, 'RATE_LIMITED', { retry_after_seconds: 1 })
  })
})

it('all tokens of a subscriber together are allowed five evals per second; more are refused with 429', async () => {
  const { admin, product, tokenSubject } = await createTokenSubject(service)
  const second = tokenSubjectClient(service, await createToken(product))
  const used = async () => (await admin.rest('GET', '/org/eval-usage')).body.used
  const secondNow = async () => {
    const { rows } = await service.database.pool.query('select extract(epoch from clock_timestamp())::float8 as now')
    return Math.floor(rows[0].now)
  }
  const before = await secondNow()
  const answers = await Promise.all(
    Array.from({ length: 18 }, (_, index) => (index % 2 ? tokenSubject : second).check()),
  )
  const seconds = (await secondNow()) - before + 1

  const granted = answers.filter(({ status }) => status === 200)
  expect(granted.length).toBeGreaterThanOrEqual(5)
  expect(granted.length).toBeLessThanOrEqual(5 * seconds)
  for (const answer of answers.filter((each) => !granted.includes(each))) {
    expectRefusal(answer, 'RATE_LIMITED', { retry_after_seconds: 1 })
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  expect(await used()).toBe(granted.length)
})

describe('a token', () => {
  it('is refused with 404 for another subscriber, existing or not', async () => {
    const { admin, product, tokenSubject } = await createTokenSubject(service)
    await vendor(admin).subscriber('other')

    for (const id of ['other', 'nobody']) {
      const path = `/org/subscribers/${id}/entitlements`
      const notThere = { resource: 'subscriber', id }
      expectRefusal(await tokenSubject.ask('GET', path), 'NOT_FOUND', notThere)
      expectRefusal(await tokenSubject.ask('POST', `${path}/check`, { feature: 'sso' }), 'NOT_FOUND', notThere)
    }
    expect((await product.rest('GET', '/org/subscribers/other/entitlements')).status).toBe(200)
  })

  it('shows only its own organization, even if another organization has a subscriber with the same id', async () => {
    const [one, two] = [await createTokenSubject(service), await createTokenSubject(service)]
    await vendor(two.admin).override('acme', 'sso', { kind: 'flag', allowed: false })

    expect((await one.tokenSubject.check()).body.allowed).toBe(true)
    expect((await two.tokenSubject.check()).body.allowed).toBe(false)
  })

  const others = restRoutes.filter(
    ({ operation }) => !('tokens' in operation && operation.tokens) && !isOpen(operation),
  )

  it.each(others.map(({ operation: { method, route } }) => [method, route]))(
    'is 401 for %s %s',
    async (method, route) => {
      const { tokenSubject } = await shared
      const path = route.replaceAll(/\{\w+\}/g, 'acme')

      const answer = await tokenSubject.ask(method, path, method === 'GET' ? undefined : {})

      expect(answer.status).toBe(401)
    },
  )

  it('is refused with 401 if it is sent together with a key, on any route', async () => {
    const { tokenSubject, admin } = await createTokenSubject(service)
    const both = { ...tokenSubject.headers, 'x-api-key': admin.key }
    for (const path of ['/org/subscribers/acme/entitlements', '/org/changes', '/org/features']) {
      expect((await send(service.url + path, 'GET', undefined, both)).status).toBe(401)
    }
    const other = { authorization: 'Bearer of.something.else', 'x-api-key': admin.key }
    expect((await send(`${service.url}/org/features`, 'GET', undefined, other)).status).toBe(200)
    expect((await send(`${service.url}/org/subscribers/acme/entitlements`, 'GET', undefined, other)).status).toBe(200)
  })

  it('is refused with 401 for a signed snapshot, which requires a key', async () => {
    const { product, tokenSubject } = await createTokenSubject(service)
    const accept = { accept: 'application/jwt' }

    expectRefusal(await tokenSubject.snapshot(accept), 'UNAUTHORIZED', null)
    const byKey = { ...accept, 'x-api-key': product.key }
    const { status } = await fetch(`${service.url}/org/subscribers/acme/entitlements`, { headers: byKey })
    expect(status).toBe(200)
  })

  it('is 401 in GraphQL', async () => {
    const { tokenSubject } = await createTokenSubject(service)
    for (const query of [
      '{ entitlements(subscriberId: "acme") { plan } }',
      '{ changes { cursor } }',
      '{ user { userId } }',
      'mutation { createSubscriberToken(input: { subscriberId: "acme" }) { token } }',
    ]) {
      const { body } = await tokenSubject.ask('POST', '/graphql', { query })
      expect(body.errors[0].extensions).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    }
  })
})

const shared = createTokenSubject(service)

function isOpen({ kind }: { kind: string }): boolean {
  return kind === 'open_read' || kind === 'sign_in'
}

describe('an invalid token', () => {
  it('is 401 if it is forged, altered, expired, of another type, or signed with another algorithm or key', async () => {
    const { tokenSubject, product } = await createTokenSubject(service)
    const claims = decodeJwt(tokenSubject.token)
    const sign = (alg: string, type: string | undefined, secret: Uint8Array, changed = {}) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg, ...(type && { typ: type }) }).sign(secret)
    const [head, body, signature] = tokenSubject.token.split('.') as [string, string, string]
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ })).toString('base64url')
    const bad = [
      `${head}.${body}.${signature.slice(0, -2)}`,
      `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url')}.${signature}`,
      `${unsigned}.${body}.`,
      await sign('HS256', typ, Buffer.alloc(32)),
      await sign('HS256', 'JWT', key),
      await sign('HS256', undefined, key),
      await sign('HS384', typ, Buffer.concat([key, key])),
      await sign('HS256', typ, key, { exp: Math.floor(Date.now() / 1000) - 1 }),
      await sign('HS256', typ, key, { exp: undefined }),
      await sign('HS256', typ, key, { key: product.memberId }),
      'ent_abc',
      product.key,
    ]

    expect((await tokenSubjectClient(service, await sign('HS256', typ, key)).snapshot()).status).toBe(200)
    for (const token of bad) {
      const forged = tokenSubjectClient(service, token)
      for (const answer of [
        await forged.snapshot(),
        await forged.check(),
        await forged.check({}),
        await forged.changes(),
      ]) {
        expect(answer.status, token).toBe(401)
        expect(answer.headers.get('www-authenticate')).toBe('ApiKey, Bearer')
      }
    }
  })
})

describe('a token ends', () => {
  const expectEnded = async ({
    tokenSubject,
  }: Pick<Awaited<ReturnType<typeof createTokenSubject>>, 'tokenSubject'>) => {
    const answers = [
      tokenSubject.snapshot(),
      tokenSubject.check(),
      tokenSubject.check({}),
      tokenSubject.changes(),
      tokenSubject.changes('?wait=5'),
    ]
    for (const answer of await Promise.all(answers)) expectRefusal(answer, 'UNAUTHORIZED', null)
  }
  const isAccepted = async ({ tokenSubject }: Awaited<ReturnType<typeof createTokenSubject>>) =>
    until(async () => (await tokenSubject.snapshot()).status === 200 && (await tokenSubject.changes()).status === 200)

  it('when it expires', async () => {
    const created = await createTokenSubject(service)
    const { token } = created.tokenSubject
    const exp = Math.floor(Date.now() / 1000) + 2
    const short = await new SignJWT({ ...decodeJwt(token), exp }).setProtectedHeader({ alg: 'HS256', typ }).sign(key)
    const tokenSubject = tokenSubjectClient(service, short)

    await until(async () => (await tokenSubject.changes()).status === 401)

    await expectEnded({ tokenSubject })
    await isAccepted(created)
  })

  it("when the key that created it is revoked or expires, or the key's member is disabled", async () => {
    const { pool } = service.database
    for (const end of [
      'delete from api_key where organization_id = $1 and member_id = $2',
      'update api_key set expires_at = now() where organization_id = $1 and member_id = $2',
      `update member set status = 'disabled' where organization_id = $1 and member_id = $2`,
    ]) {
      const created = await createTokenSubject(service)
      await isAccepted(created)
      await pool.query(end, [created.product.organizationId, created.product.memberId])
      await expectEnded(created)
    }
  })

  it('when its key loses the label for evals', async () => {
    const { product } = await createTokenSubject(service)
    const { token } = (await product.rest('POST', '/org/subscribers/acme/tokens')).body
    const tokenSubject = await createSubscriberTokens(vault).verify(token)

    const lookUp = (label: Label) => lookUpTokenSubjects(service.database.pool, [tokenSubject], [label])

    // Every role has the label for evals, so this asks for a label that it lacks. test/gate/tokens.test.ts tests the gate.
    expect(await lookUp('entitlements:read')).toEqual([{ ownerId: product.organizationId, isMoved: false }])
    expect(await lookUp('features:read')).toEqual([null])
  })

  it('when its subscriber is deleted, and a new subscriber with the same id does not revive it', async () => {
    const created = await createTokenSubject(service)
    await isAccepted(created)

    await created.admin.rest('DELETE', '/org/subscribers/acme')
    await expectEnded(created)
    await vendor(created.admin).subscriber('acme')
    await expectEnded(created)

    const again = tokenSubjectClient(service, await createToken(created.product))
    expect((await again.snapshot()).status).toBe(200)
  })

  it('but not because a request comes from outside the networks of its key', async () => {
    const created = await createTokenSubject(service)
    const { body: account } = await created.admin.rest('POST', '/org/service-accounts', {
      name: 'CI',
      role: 'evaluator',
    })
    const { body: bound } = await created.admin.rest(
      'POST',
      `/org/service-accounts/${account.service_account_id}/api-keys`,
      { name: 'bound', allowed_networks: ['127.0.0.0/8'] },
    )
    const { body } = await send(`${service.url}/org/subscribers/acme/tokens`, 'POST', {}, { 'x-api-key': bound.key })
    await service.database.pool.query(`update api_key set allowed_networks = '{10.0.0.0/8}' where key_id = $1`, [
      bound.key_id,
    ])

    expect((await tokenSubjectClient(service, body.token).snapshot()).status).toBe(200)
  })
})

it('a token never appears in the log, wherever it is sent', async () => {
  const { tokenSubject, admin } = await createTokenSubject(service)
  const both = { ...tokenSubject.headers, 'x-api-key': admin.key }
  await tokenSubject.snapshot()
  await tokenSubject.check({ feature: 'nothing' })
  await tokenSubject.changes('?after=abc')
  await tokenSubject.ask('GET', '/org/features')
  await tokenSubject.ask('POST', '/graphql', { query: '{ viewer { role } }' })
  await send(`${service.url}/org/changes`, 'GET', undefined, both)
  await service.database.pool.query('select 1')

  const [, claims, signature] = tokenSubject.token.split('.') as [string, string, string]
  for (const part of [claims, signature]) expect(JSON.stringify(log)).not.toContain(part)
})
