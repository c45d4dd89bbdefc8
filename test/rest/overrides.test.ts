import { describe, expect, it } from 'vitest'
import { timestamp, ulid } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

const path = '/org/subscribers/acme/overrides'

/** A vendor with the subscriber `acme` and the features `sso`, `seats`, `color` and `theme`. */
async function organizationWithSubscriber(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.feature('theme', { kind: 'config', value_type: 'json' })
  await setup.subscriber('acme')
  return caller
}

const list = async (caller: Caller) => (await vendor(caller).get(`${path}?include_expired=true`)).overrides

describe('PUT .../overrides/{feature_key}', () => {
  it.each<[string, object]>([
    ['sso', { kind: 'flag', allowed: false }],
    ['seats', { kind: 'limit', limit: 0 }],
    ['seats', { kind: 'limit', limit: 9007199254740991 }],
    ['seats', { kind: 'limit', limit: null }],
    ['color', { kind: 'config', value: 'red' }],
    ['theme', { kind: 'config', value: { b: [1, { c: null }], a: '' } }],
  ])('creates an override of %s and answers 200: %j', async (feature, body) => {
    const caller = await organizationWithSubscriber()

    const answer = await caller.rest('PUT', `${path}/${feature}`, body)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: ulid,
      subscriber_id: 'acme',
      feature,
      ...body,
      expires_at: null,
      created_at: timestamp,
      updated_at: timestamp,
    })
    expect(await vendor(caller).get(`${path}/${feature}`)).toEqual(answer.body)
    expect(await vendor(caller).get(path)).toEqual({ overrides: [answer.body] })
  })

  it('replaces the whole override and keeps id and created_at', async () => {
    const caller = await organizationWithSubscriber()
    const setup = vendor(caller)
    const expiresAt = '2999-01-01T00:00:00.000Z'
    const before = await setup.override('acme', 'seats', { kind: 'limit', limit: 5, expires_at: expiresAt })

    const answer = await caller.rest('PUT', `${path}/seats`, { kind: 'limit', limit: null })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, limit: null, expires_at: null, updated_at: timestamp })
    expect(answer.body.updated_at > before.updated_at).toBe(true)
  })

  it('keeps updated_at when nothing changes, even if JSON keys are in another order', async () => {
    const caller = await organizationWithSubscriber()
    const expires = '2999-01-01T00:00:00.500Z'
    const put = (value: unknown, expiresAt: string) =>
      caller.rest('PUT', `${path}/theme`, { kind: 'config', value, expires_at: expiresAt })
    const before = (await put({ a: 1, b: { c: 2, d: 3 } }, expires)).body

    const answer = await put({ b: { d: 3, c: 2 }, a: 1 }, '2999-01-01T02:00:00.5009+02:00')

    expect(answer).toMatchObject({ status: 200, body: before })
    expect(JSON.stringify(answer.body.value)).toBe('{"a":1,"b":{"c":2,"d":3}}')
  })

  it('revives an expired override, which keeps its id, created_at and position in the list', async () => {
    const caller = await organizationWithSubscriber()
    const setup = vendor(caller)
    const expired = await setup.override('acme', 'sso', {
      kind: 'flag',
      allowed: true,
      expires_at: '2020-01-01T00:00:00Z',
    })
    const later = await setup.override('acme', 'seats', { kind: 'limit', limit: 1 })

    const { body } = await caller.rest('PUT', `${path}/sso`, { kind: 'flag', allowed: true })

    expect(body).toEqual({ ...expired, expires_at: null, updated_at: timestamp })
    expect(await list(caller)).toEqual([later, body])
  })

  it.each([
    ['2090-01-31T09:00:00Z', '2090-01-31T09:00:00.000Z'],
    ['2090-01-31t09:00:00z', '2090-01-31T09:00:00.000Z'],
    ['2090-01-31T09:00:00.5+05:30', '2090-01-31T03:30:00.500Z'],
    ['2090-01-31T09:00:00.123999-23:59', '2090-02-01T08:59:00.123Z'],
    ['2096-02-29T23:59:59.9999999Z', '2096-02-29T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    [null, null],
  ])('stores expires_at %s as %s', async (sent, stored) => {
    const caller = await organizationWithSubscriber()

    const body = { kind: 'flag', allowed: true, expires_at: sent }
    const answer = await caller.rest('PUT', `${path}/sso`, body)

    expect(answer).toMatchObject({ status: 200, body: { expires_at: stored } })
    expect(await vendor(caller).get(`${path}/sso`)).toEqual(answer.body)
  })

  it.each([
    'tomorrow',
    '',
    '2030-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-01-01 00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T23:59:60Z',
    '2030-13-01T00:00:00Z',
    '2030-00-10T00:00:00Z',
    '2030-01-01T00:00:00+0100',
    '2030-01-01T00:00:00+24:00',
    '2030-01-01T00:00:00.Z',
    '+2030-01-01T00:00:00Z',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2030-01-01T00:00:00Z\n',
    ' 2030-01-01T00:00:00Z',
    1893456000000,
    true,
    {},
  ])('refuses expires_at %j with one detail', async (expiresAt) => {
    const caller = await organizationWithSubscriber()

    const body = { kind: 'flag', allowed: true, expires_at: expiresAt }
    const answer = await caller.rest('PUT', `${path}/sso`, body)

    expectInvalid(answer, ['expires_at', /^expires_at must be a valid RFC 3339 timestamp/])
    expect(await list(caller)).toEqual([])
  })

  it.each<[string, unknown, ...[string, RegExp][]]>([
    ['sso', {}, ['kind', /^kind is required/]],
    ['sso', { kind: 'toggle', allowed: true }, ['kind', /one of flag, limit, config/]],
    ['sso', { kind: 'flag' }, ['allowed', /^allowed is required for kind flag: .*{"kind":"flag","allowed":true}\.$/]],
    ['sso', { kind: 'flag', allowed: null }, ['allowed', /true or false/]],
    ['sso', { kind: 'flag', allowed: 'true' }, ['allowed', /true or false/]],
    ['sso', { kind: 'flag', allowed: true, limit: 5 }, ['limit', /not allowed for kind flag/]],
    ['seats', { kind: 'limit' }, ['limit', /^limit is required for kind limit/]],
    ['seats', { kind: 'limit', limit: -1 }, ['limit', /integer from 0/]],
    ['seats', { kind: 'limit', limit: 0.5 }, ['limit', /integer from 0/]],
    ['seats', { kind: 'limit', limit: 9007199254740992 }, ['limit', /integer from 0/]],
    ['seats', { kind: 'limit', limit: '5' }, ['limit', /integer from 0/]],
    ['seats', { kind: 'limit', limit: 5, allowed: true }, ['allowed', /not allowed for kind limit/]],
    ['seats', { kind: 'limit', lmit: 5 }, ['lmit', /Did you mean "limit"\?/]],
    ['sso', { kind: 'flag', allowed: true, limit: 'many' }, ['limit', /not allowed for kind flag/]],
    ['sso', { kind: 'flag', allowed: true, value: null }, ['value', /not allowed for kind flag/]],
    [
      'seats',
      { kind: 'limit', allowed: 'yes' },
      ['allowed', /not allowed for kind limit/],
      ['limit', /^limit is required/],
    ],
    ['sso', { kind: 'flag', expires_at: 'soon' }, ['allowed', /^allowed is required/], ['expires_at', /RFC 3339/]],
    ['sso', { kind: 'toggle', limit: 'many', value: null }, ['kind', /one of flag, limit, config/]],
    ['sso', { allowed: 'yes' }, ['kind', /^kind is required/]],
    ['color', { kind: 'config' }, ['value', /^value is required for kind config/]],
    ['color', { kind: 'config', value: null }, ['value', /must not be null/]],
    ['color', { kind: 'config', value: 'red', reason: 'x' }, ['reason', /Unknown field "reason"/]],
    ['sso', { kind: 'flag', allowed: true, expiresAt: null }, ['expiresAt', /Did you mean "expires_at"\?/]],
    ['sso', { kind: 'flag', allowed: true, feature: 'sso' }, ['feature', /Unknown field "feature"/]],
    ['sso', { kind: 'limit', limit: 1 }, ['kind', /must be flag/]],
    ['color', { kind: 'config', value: 'pink' }, ['value', /one of red, green, blue/]],
    ['color', { kind: 'config', value: ['red'] }, ['value', /one of red, green, blue/]],
  ])('refuses, for feature %s, the body %j with 422, and writes nothing', async (feature, body, ...fields) => {
    const caller = await organizationWithSubscriber()

    expectInvalid(await caller.rest('PUT', `${path}/${feature}`, body), ...fields)
    expect(await list(caller)).toEqual([])
  })

  it('is 404 for an unknown feature, after the body and the subscriber were checked', async () => {
    const caller = await organizationWithSubscriber()
    const body = { kind: 'flag', allowed: true }

    for (const key of ['nope', 'No%20pe', '__proto__', '%ff']) {
      const answer = await caller.rest('PUT', `${path}/${key}`, body)
      expectRefusal(answer, 'NOT_FOUND', { resource: 'feature', id: key === 'No%20pe' ? 'No pe' : key })
    }
    expectInvalid(await caller.rest('PUT', `${path}/nope`, { kind: 'flag' }), ['allowed', /required/])
    const noSubscriber = await caller.rest('PUT', '/org/subscribers/nope/overrides/nope', body)
    expectRefusal(noSubscriber, 'NOT_FOUND', { resource: 'subscriber', id: 'nope' })
  })
})

describe('GET .../overrides', () => {
  it('lists live overrides, newest first, and also expired overrides with include_expired=true', async () => {
    const caller = await organizationWithSubscriber()
    const setup = vendor(caller)
    const put = (feature: string, body: object) => setup.override('acme', feature, { ...body })
    const theme = await put('theme', { kind: 'config', value: 1 })
    const sso = await put('sso', { kind: 'flag', allowed: true, expires_at: '2020-01-01T00:00:00Z' })
    const seats = await put('seats', { kind: 'limit', limit: 1, expires_at: '2999-01-01T00:00:00Z' })

    expect(await setup.get(path)).toEqual({ overrides: [seats, theme] })
    expect(await setup.get(`${path}?include_expired=false&other=1&limit=1`)).toEqual({ overrides: [seats, theme] })
    expect(await setup.get(`${path}?include_expired=true`)).toEqual({ overrides: [seats, sso, theme] })
    expect(await setup.get(`${path}/sso`)).toEqual(sso)
  })

  it.each(['yes', '1', '0', 'True', '', '%00'])('refuses include_expired=%s with one detail', async (text) => {
    const caller = await organizationWithSubscriber()

    const answer = await caller.rest('GET', `${path}?include_expired=${text}`)

    expectInvalid(answer, ['include_expired', /include_expired must be true or false/])
  })
})

describe('an override that does not exist', () => {
  it.each(['GET', 'DELETE'])('is 404 for %s, with the feature key', async (method) => {
    const caller = await organizationWithSubscriber()
    await vendor(caller).subscriber('other')
    await vendor(caller).override('other', 'sso', { kind: 'flag', allowed: true })

    for (const key of ['sso', 'nope', 'constructor']) {
      const answer = await caller.rest(method, `${path}/${key}`)
      expectRefusal(answer, 'NOT_FOUND', { resource: 'override', id: key })
    }
  })
})

describe('DELETE .../overrides/{feature_key}', () => {
  it.each([null, '2020-01-01T00:00:00Z'])(
    'answers 204 for a live or expired override (expires_at %s)',
    async (expiresAt) => {
      const caller = await organizationWithSubscriber()
      const body = { kind: 'flag', allowed: true, expires_at: expiresAt }
      const { id } = await vendor(caller).override('acme', 'sso', body)

      const answer = await caller.rest('DELETE', `${path}/sso`)

      expect(answer).toMatchObject({ status: 204, body: undefined })
      expect(await list(caller)).toEqual([])
      expect((await vendor(caller).override('acme', 'sso', body)).id).not.toBe(id)
    },
  )
})
