import { describe, expect, it } from 'vitest'
import { timestamp } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

const unknown = { resource: 'subscriber', id: 'nope' }

describe('POST /org/subscribers', () => {
  it('creates a subscriber with a name', async () => {
    const caller = await service.organization('support')

    const answer = await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme', name: 'Acme' })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      subscriber_id: 'acme',
      name: 'Acme',
      created_at: timestamp,
      updated_at: timestamp,
    })
    expect(await vendor(caller).get('/org/subscribers/acme')).toEqual(answer.body)
  })

  it.each(['.', '..'])('refuses the id %s, which no URL path can contain, in every API', async (id) => {
    const caller = await service.organization()

    const detail: [string, RegExp] = ['subscriber_id', /other than "\." and "\.\."\.$/]
    expectInvalid(await caller.rest('POST', '/org/subscribers', { subscriber_id: id }), detail)
    const lines = [id, `${id}a`].map((each) => JSON.stringify({ subscriber_id: each })).join('\n')
    const type = { 'content-type': 'application/x-ndjson' }
    const imported = await caller.rest('POST', '/org/subscribers/import', lines, type)
    expect(imported.body).toMatchObject({ created: 1, failed: 1, errors: [{ line: 1, code: 'VALIDATION_ERROR' }] })
    const query = `mutation ($id: ID!) {
      createSubscriber(input: { subscriberId: $id }) { subscriberId }
      importSubscribers(input: { lines: [{ subscriberId: $id }] }) { failed errors { code } }
    }`
    const { body } = await caller.graphql(query, { id })
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'subscriberId' }] },
    })
    expect((await caller.graphql(query.replace(/createSubscriber.*/, ''), { id })).body.data).toEqual({
      importSubscribers: { failed: 1, errors: [{ code: 'VALIDATION_ERROR' }] },
    })
    const flag = await caller.rest('POST', '/ofrep/v1/evaluate/flags', { context: { targetingKey: id } })
    expect(flag).toMatchObject({ status: 400, body: { errorCode: 'INVALID_CONTEXT' } })
  })

  it.each([{}, { name: null }])('stores a null name if no name was set, as with %j', async (fields) => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme', ...fields })

    expect(answer).toMatchObject({ status: 201, body: { subscriber_id: 'acme', name: null } })
  })

  it('ignores unknown fields, even misspelled optional fields', async () => {
    const caller = await service.organization()

    const body = { subscriber_id: 'acme', nmae: 'A', plan: 'pro', constructor: 1 }
    const answer = await caller.rest('POST', '/org/subscribers', body)

    expect(answer.body).toEqual({ subscriber_id: 'acme', name: null, created_at: timestamp, updated_at: timestamp })
  })

  it.each([
    'a',
    'Ünïcode-🚀',
    '__proto__',
    'constructor',
    'a%2Fb',
    'a?b#c&d=e',
    '"\\',
    '..x',
    'x'.repeat(255),
    '🚀'.repeat(255),
  ])('accepts the id %s, and finds it by its path', async (id) => {
    const caller = await service.organization()

    const created = await vendor(caller).subscriber(id)

    expect(created.subscriber_id).toBe(id)
    expect(await vendor(caller).get(`/org/subscribers/${encodeURIComponent(id)}`)).toEqual(created)
    expect(await vendor(caller).get('/org/subscribers')).toEqual({ subscribers: [created], has_more: false })
  })

  it.each([
    '',
    'a b',
    'a/b',
    'a\tb',
    '\u00a0',
    'a\u2028',
    '\ufeff',
    'a\u0000',
    '\u007f',
    '\u0085',
    '\ud800',
    'x'.repeat(256),
    null,
    5,
    {},
  ])('refuses the id %j with 422', async (id) => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/subscribers', { subscriber_id: id })

    expectInvalid(answer, [
      'subscriber_id',
      /subscriber_id must be (text \("5"\): )?a subscriber id: 1 to 255 characters/,
    ])
    expect(await vendor(caller).get('/org/subscribers')).toEqual({ subscribers: [], has_more: false })
  })

  it.each(['', 'n'.repeat(256), 5, {}, 'a\u0000', '\udfff'])('refuses the name %j with 422', async (name) => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme', name })

    expectInvalid(answer, ['name', /^name must/])
  })

  it('says that subscriber_id is required, or suggests it for a misspelled field', async () => {
    const caller = await service.organization()

    const missing = await caller.rest('POST', '/org/subscribers', { name: 'Acme' })
    expectInvalid(missing, ['subscriber_id', /^subscriber_id is required/])
    const misspelled = await caller.rest('POST', '/org/subscribers', { subscriberId: 'acme' })
    expectInvalid(misspelled, ['subscriberId', /did you mean "subscriber_id"\?/i])
  })

  it('refuses a duplicate id with 409 and keeps the first subscriber', async () => {
    const caller = await service.organization()
    const first = await vendor(caller).subscriber('acme')

    const answer = await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme', name: 'Other' })

    expectRefusal(answer, 'CONFLICT', { field: 'subscriber_id', value: 'acme' })
    expect(await vendor(caller).get('/org/subscribers/acme')).toEqual(first)
  })
})

describe('PATCH /org/subscribers/{subscriber_id}', () => {
  it('changes the name, clears it with null, and keeps updated_at when nothing changes', async () => {
    const caller = await service.organization()
    const before = await vendor(caller).subscriber('acme')
    const patch = (body?: object) => caller.rest('PATCH', '/org/subscribers/acme', body)

    const renamed = await patch({ name: 'Acme', subscriber_id: 'ignored' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ ...before, name: 'Acme', updated_at: timestamp })
    expect(renamed.body.updated_at > before.updated_at).toBe(true)

    for (const body of [{ name: 'Acme' }, {}, undefined, { other: 1 }]) {
      expect(await patch(body)).toMatchObject({ status: 200, body: renamed.body })
    }
    expect(await patch({ name: null })).toMatchObject({ status: 200, body: { name: null } })
  })

  it('refuses an invalid name with 422, even for an unknown subscriber', async () => {
    const caller = await service.organization()

    expectInvalid(await caller.rest('PATCH', '/org/subscribers/nope', { name: '' }), ['name', /1 to 255/])
    expectRefusal(await caller.rest('PATCH', '/org/subscribers/nope', { name: 'a' }), 'NOT_FOUND', unknown)
  })
})

describe('DELETE /org/subscribers/{subscriber_id}', () => {
  it('also deletes the subscriptions and overrides, after which the id may be used again', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.plan('pro')
    await setup.subscriber('acme')
    await setup.subscribe('acme', 'pro')
    await setup.override('acme', 'sso', { kind: 'flag', allowed: true })

    expect(await caller.rest('DELETE', '/org/subscribers/acme')).toMatchObject({ status: 204, body: undefined })

    const gone = { resource: 'subscriber', id: 'acme' }
    for (const path of ['', '/subscriptions', '/overrides', '/overrides/sso', '/entitlements']) {
      expectRefusal(await caller.rest('GET', `/org/subscribers/acme${path}`), 'NOT_FOUND', gone)
    }
    expectRefusal(await caller.rest('DELETE', '/org/subscribers/acme'), 'NOT_FOUND', gone)
    await setup.subscriber('acme')
    expect(await setup.get('/org/subscribers/acme/subscriptions')).toEqual({ subscriptions: [], has_more: false })
    expect(await setup.get('/org/subscribers/acme/overrides?include_expired=true')).toEqual({ overrides: [] })
  })
})

describe('a subscriber that does not exist', () => {
  it.each<[string, string, object?]>([
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['GET', '/subscriptions'],
    ['POST', '/subscriptions', { plan_id: 'nope' }],
    ['POST', '/subscriptions/change', { plan_id: 'nope' }],
    ['POST', '/subscriptions/01ARZ3NDEKTSV4RRFFQ69G5FAV/cancel'],
    ['GET', '/overrides'],
    ['GET', '/overrides/nope'],
    ['PUT', '/overrides/nope', { kind: 'flag', allowed: true }],
    ['DELETE', '/overrides/nope'],
    ['GET', '/entitlements'],
    ['POST', '/entitlements/check', { feature: 'nope' }],
  ])(
    'is 404 with the id, even if the id is malformed or belongs to another organization',
    async (method, rest, body) => {
      await vendor(await service.organization()).subscriber('nope')
      const caller = await service.organization()

      const send = (id: string) => caller.rest(method, `/org/subscribers/${id}${rest}`, body)
      expectRefusal(await send('nope'), 'NOT_FOUND', unknown)
      expectRefusal(await send('a%20b'), 'NOT_FOUND', { resource: 'subscriber', id: 'a b' })
      expectRefusal(await send('a%2Fb'), 'NOT_FOUND', { resource: 'subscriber', id: 'a/b' })
      expectRefusal(await send('%E0%A4%A'), 'NOT_FOUND', { resource: 'subscriber', id: '%E0%A4%A' })
      expectRefusal(await send('x'.repeat(7000)), 'NOT_FOUND', { resource: 'subscriber', id: 'x'.repeat(7000) })
    },
  )
})
