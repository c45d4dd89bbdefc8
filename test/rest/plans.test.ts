import { describe, expect, it } from 'vitest'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { colors, timestamp, vendor } from '../support/vendor.ts'

const service = await startService()

/** A vendor with a feature of each kind: `sso`, `seats`, `color`. */
async function organizationWithFeatures(): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).feature('seats', { kind: 'limit' })
  await vendor(caller).feature('color', colors)
  return caller
}

const grants = {
  sso: { kind: 'flag' },
  seats: { kind: 'limit', limit: 5 },
  color: { kind: 'config', value: 'red' },
}

describe('POST /org/plans', () => {
  it('creates a plan of kind standard without grants', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro' })

    const plan = { key: 'pro', name: 'Pro', kind: 'standard', grants: {}, archived_at: null }
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ ...plan, created_at: timestamp, updated_at: timestamp })
    expect(await vendor(caller).get('/org/plans/pro')).toEqual(answer.body)
  })

  it("creates a plan with a kind of the vendor's own and a grant of each kind", async () => {
    const caller = await organizationWithFeatures()

    const body = { key: 'pro', name: 'Pro', kind: 'add-on_1', grants }
    const answer = await caller.rest('POST', '/org/plans', body)

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ ...body, archived_at: null, created_at: timestamp, updated_at: timestamp })
  })

  it('takes null as unlimited, and -0 as 0', async () => {
    const caller = await organizationWithFeatures()
    const given = vendor(caller)

    const unlimited = { seats: { kind: 'limit', limit: null } }
    expect(await given.plan('unlimited', unlimited)).toMatchObject({ grants: unlimited })
    const text = '{"key":"none","name":"None","grants":{"seats":{"kind":"limit","limit":-0}}}'
    expect(await caller.rest('POST', '/org/plans', text)).toMatchObject({
      status: 201,
      body: { grants: { seats: { kind: 'limit', limit: 0 } } },
    })
  })

  it('gives JSON values back with their keys in the order sent, __proto__ included', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'json' })
    const value = '{"b":1,"__proto__":{"x":[]},"a":{"constructor":null},"1":0}'

    const body = `{"key":"pro","name":"Pro","grants":{"theme":{"kind":"config","value":${value}}}}`
    const answer = await caller.rest('POST', '/org/plans', body)

    expect(answer.status).toBe(201)
    expect(JSON.stringify(answer.body.grants.theme.value)).toBe(JSON.stringify(JSON.parse(value)))
  })

  it('takes __proto__ and constructor as keys of plan, kind, features and grants', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('__proto__')
    await vendor(caller).feature('constructor', { kind: 'limit' })
    const both = '{"__proto__":{"kind":"flag"},"constructor":{"kind":"limit","limit":1}}'

    const body = `{"key":"__proto__","name":"P","kind":"__proto__","grants":${both}}`
    const answer = await caller.rest('POST', '/org/plans', body)

    expect(answer).toMatchObject({ status: 201, body: { key: '__proto__', kind: '__proto__' } })
    expect(JSON.stringify(answer.body.grants)).toBe(both)
    const unknown = '{"grants":{"__proto__":{"kind":"limit","limit":1},"tostring":{"kind":"flag"}}}'
    expectInvalid(
      await caller.rest('PATCH', '/org/plans/__proto__', unknown),
      ['grants.__proto__.kind', /must be flag/],
      ['grants.tostring', /no feature/],
    )
  })

  it('refuses a duplicate key with 409, archived plans included', async () => {
    const caller = await service.organization()
    const plan = await vendor(caller).plan('pro')
    const archived = await vendor(caller).archive('pro')

    const answer = await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Other' })

    expectRefusal(answer, 'CONFLICT', { field: 'key', value: 'pro' })
    expect(archived).toEqual({ ...plan, archived_at: timestamp, updated_at: timestamp })
    expect(await vendor(caller).get('/org/plans/pro')).toEqual(archived)
  })

  it.each<[string, object, ...[string, RegExp][]]>([
    ['a key with a space', { key: 'a b' }, ['key', /1 to 64/]],
    ['an empty name', { name: '' }, ['name', /1 to 255/]],
    ['a kind that is no key', { kind: 'Add on' }, ['kind', /1 to 64/]],
    ['a kind that is null', { kind: null }, ['kind', /1 to 64/]],
    ['grants that are null', { grants: null }, ['grants', /must be an object/]],
    ['grants that are a list', { grants: [] }, ['grants', /must be an object/]],
    ['an unknown field', { price: 5 }, ['price', /Unknown field "price"/]],
    ['an archived timestamp', { archived_at: null }, ['archived_at', /\/archive.*\/unarchive/]],
  ])('refuses %s with 422', async (_case, wrong, ...fields) => {
    const caller = await service.organization()

    expectInvalid(await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro', ...wrong }), ...fields)
    expect(await vendor(caller).get('/org/plans')).toEqual({ plans: [] })
  })

  it('names every required field that is missing', async () => {
    const caller = await service.organization()

    expectInvalid(await caller.rest('POST', '/org/plans', {}), ['key', /required/], ['name', /required/])
  })
})

describe('a grant', () => {
  it.each<[string, string, unknown, [string, RegExp]]>([
    ['that is no object', 'sso', true, ['grants.sso', /must be a grant/]],
    ['that is a list', 'sso', [], ['grants.sso', /must be a grant/]],
    ['without kind', 'sso', {}, ['grants.sso.kind', /is required/]],
    ['of unknown kind', 'sso', { kind: 'toggle' }, ['grants.sso.kind', /one of flag, limit, config/]],
    ['of a null kind', 'sso', { kind: null }, ['grants.sso.kind', /one of flag, limit, config/]],
    [
      'of a flag with allowed',
      'sso',
      { kind: 'flag', allowed: true },
      ['grants.sso.allowed', /not allowed for kind flag/],
    ],
    ['of a limit without limit', 'seats', { kind: 'limit' }, ['grants.seats.limit', /required/]],
    ['of a negative limit', 'seats', { kind: 'limit', limit: -1 }, ['grants.seats.limit', /integer from 0/]],
    ['of a fractional limit', 'seats', { kind: 'limit', limit: 1.5 }, ['grants.seats.limit', /integer from 0/]],
    ['of a limit in text', 'seats', { kind: 'limit', limit: '5' }, ['grants.seats.limit', /integer from 0/]],
    ['of a limit with a value', 'seats', { kind: 'limit', limit: 1, value: 1 }, ['grants.seats.value', /not allowed/]],
    ['of a config without value', 'color', { kind: 'config' }, ['grants.color.value', /required/]],
    ['of a config that is null', 'color', { kind: 'config', value: null }, ['grants.color.value', /must not be null/]],
    [
      'of an option that is none',
      'color',
      { kind: 'config', value: 'pink' },
      ['grants.color.value', /one of red, green/],
    ],
    ["of a kind that is not the feature's", 'sso', { kind: 'limit', limit: 1 }, ['grants.sso.kind', /must be flag/]],
    ['for a feature that is unknown', 'nope', { kind: 'flag' }, ['grants.nope', /no feature/]],
    ['for a feature that cannot be', 'No pe', { kind: 'flag' }, ['grants.No pe', /no feature/]],
  ])('%s is 422 in one detail, and nothing changes', async (_case, feature, grant, field) => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const body = { key: 'other', name: 'Other', grants: { ...grants, [feature]: grant } }
    expectInvalid(await caller.rest('POST', '/org/plans', body), field)
    expectInvalid(await caller.rest('PATCH', '/org/plans/pro', { name: 'New', grants: body.grants }), field)
    expect(await vendor(caller).get('/org/plans?include_archived=1')).toEqual({ plans: [before] })
  })

  it.each<[string, unknown, unknown, RegExp]>([
    ['string', 'x'.repeat(4096), 'x'.repeat(4097), /at most 4096 characters/],
    ['string', '', 5, /must be a string/],
    ['number', 1.5e-7, '1', /must be a number/],
    ['number', -9007199254740991, 9007199254740992, /2\^53/],
    ['boolean', false, 0, /must be true or false/],
    ['json', 'x'.repeat(65_534), 'x'.repeat(65_535), /at most 65536 bytes/],
    ['json', nested(32), nested(33), /too deep/],
  ])('of a %s holds values up to its bounds alone', async (valueType, right, wrong, message) => {
    const caller = await service.organization()
    await vendor(caller).feature('it', { kind: 'config', value_type: valueType })

    const plan = await vendor(caller).plan('pro', { it: { kind: 'config', value: right } })
    expect(plan.grants.it.value).toEqual(right)
    const body = { key: 'b', name: 'b', grants: { it: { kind: 'config', value: wrong } } }
    expectInvalid(await caller.rest('POST', '/org/plans', body), ['grants.it.value', message])
  })
})

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)]
}

describe('GET /org/plans', () => {
  it('lists plans that are not archived, newest first, and all of them when asked', async () => {
    const caller = await service.organization('developer')
    for (const key of ['b', 'a', 'c']) await vendor(caller).plan(key)
    await vendor(caller).archive('a')
    const keys = async (query: string) =>
      (await vendor(caller).get(`/org/plans${query}`)).plans.map(({ key }: { key: string }) => key)

    for (const query of ['', '?include_archived=false', '?include_archived=0']) {
      expect(await keys(query)).toEqual(['c', 'b'])
    }
    for (const query of ['?include_archived=true', '?include_archived=1']) {
      expect(await keys(query)).toEqual(['c', 'a', 'b'])
    }
  })

  it.each(['yes', 'TRUE', '2', '01', '', '%ff', 'null'])('refuses include_archived=%s in one detail', async (text) => {
    const caller = await service.organization()

    const answer = await caller.rest('GET', `/org/plans?include_archived=${text}`)

    expectInvalid(answer, ['include_archived', /include_archived must be true, false, 1 or 0/])
  })

  it('refuses include_archived that is repeated', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('GET', '/org/plans?include_archived=1&include_archived=1')

    expectInvalid(answer, ['include_archived', /once/])
  })

  it('refuses unknown parameters, one detail for each, with a guess where a name is close', async () => {
    const caller = await service.organization()

    expectInvalid(
      await caller.rest('GET', '/org/plans?archived=true&limit=1&include_archived=maybe&includeArchived=1'),
      ['include_archived', /true, false, 1 or 0/],
      ['archived', /Did you mean "include_archived"\?/],
      ['limit', /Unknown query parameter "limit"/],
      ['includeArchived', /Did you mean "include_archived"\?/],
    )
  })
})

describe('PATCH /org/plans/{key}', () => {
  it('takes grants as the whole map', async () => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const wanted = { sso: grants.sso, seats: { kind: 'limit', limit: null } }
    const answer = await caller.rest('PATCH', '/org/plans/pro', { grants: wanted })

    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ ...before, grants: wanted, updated_at: timestamp })
    expect(answer.body.updated_at > before.updated_at).toBe(true)
    expect(await vendor(caller).get('/org/plans/pro')).toEqual(answer.body)
  })

  it('keeps the grants when only the name is sent', async () => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const answer = await caller.rest('PATCH', '/org/plans/pro', { name: 'New' })

    expect(answer.body).toEqual({ ...before, name: 'New', updated_at: timestamp })
  })

  it('leaves updated_at when nothing changes, JSON keys in another order included', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'json' })
    const before = await vendor(caller).plan('pro', { theme: { kind: 'config', value: { a: 1, b: [{ c: 2, d: 3 }] } } })

    for (const body of [
      {},
      undefined,
      { name: 'pro' },
      { grants: { theme: { value: { b: [{ d: 3, c: 2 }], a: 1 }, kind: 'config' } } },
    ]) {
      expect(await caller.rest('PATCH', '/org/plans/pro', body)).toMatchObject({ status: 200, body: before })
    }
  })

  it('refuses an update of a plan that was changed since it was read', async () => {
    const caller = await service.organization()
    const { updated_at: read } = await vendor(caller).plan('pro')
    const changed = (await caller.rest('PATCH', '/org/plans/pro', { name: 'A', expected_updated_at: read })).body

    const answer = await caller.rest('PATCH', '/org/plans/pro', { name: 'B', expected_updated_at: read })

    expect(changed).toMatchObject({ name: 'A' })
    expectRefusal(answer, 'CONFLICT', { field: 'updated_at', value: changed.updated_at })
    expect(await vendor(caller).get('/org/plans/pro')).toEqual(changed)
  })

  it.each<[object, [string, RegExp]]>([
    [{ archived_at: '2026-01-01T00:00:00.000Z' }, ['archived_at', /\/archive.*\/unarchive/]],
    [{ archived_at: null }, ['archived_at', /\/archive.*\/unarchive/]],
    [{ archivedAt: null }, ['archivedAt', /\/archive.*\/unarchive/]],
    [{ archived: true }, ['archived', /\/archive.*\/unarchive/]],
    [{ key: 'b' }, ['key', /cannot be changed/]],
    [{ kind: 'b' }, ['kind', /cannot be changed/]],
    [{ name: null }, ['name', /1 to 255/]],
    [{ grants: null }, ['grants', /must be an object/]],
    [{ grnats: {} }, ['grnats', /Did you mean "grants"\?/]],
    [{ expected_updated_at: 'soon' }, ['expected_updated_at', /updated_at/]],
    [{ expected_updated_at: null }, ['expected_updated_at', /updated_at/]],
  ])('refuses %j with 422', async (body, field) => {
    const caller = await service.organization()
    const before = await vendor(caller).plan('pro')

    expectInvalid(await caller.rest('PATCH', '/org/plans/pro', { name: 'New', ...body }), field)
    expect(await vendor(caller).get('/org/plans/pro')).toEqual(before)
  })

  it('answers in order: 422 of shape, 404, 422 against what is stored, 409', async () => {
    const caller = await organizationWithFeatures()
    await vendor(caller).plan('pro')
    const stale = { expected_updated_at: '2020-01-01T00:00:00Z' }
    const misfit = { grants: { sso: { kind: 'limit', limit: 1 } } }

    const patch = (key: string, body: object) => caller.rest('PATCH', `/org/plans/${key}`, body)
    expectInvalid(await patch('nope', { ...stale, ...misfit, name: '' }), ['name', /1 to 255/])
    expectRefusal(await patch('nope', { ...stale, ...misfit }), 'NOT_FOUND', { resource: 'plan', id: 'nope' })
    expectInvalid(await patch('pro', { ...stale, ...misfit }), ['grants.sso.kind', /must be flag/])
    expectRefusal(await patch('pro', stale), 'CONFLICT', { field: 'updated_at', value: timestamp })
  })
})

describe('archive and unarchive', () => {
  it.each([undefined, {}])('take a plan out of use and back, with the body %j', async (body) => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const archived = await caller.rest('POST', '/org/plans/pro/archive', body)
    const again = await caller.rest('POST', '/org/plans/pro/archive', body)
    const unarchived = await caller.rest('POST', '/org/plans/pro/unarchive', body)

    expect(archived.status).toBe(200)
    expect(archived.body).toEqual({ ...before, archived_at: timestamp, updated_at: timestamp })
    expect(again).toMatchObject({ status: 200, body: archived.body })
    expect(unarchived.status).toBe(200)
    expect(unarchived.body).toEqual({ ...before, updated_at: timestamp })
    expect(unarchived.body.updated_at > archived.body.updated_at).toBe(true)
  })

  it('refuse unknown fields, and are 404 for an unknown plan', async () => {
    const caller = await service.organization()
    await vendor(caller).plan('pro')

    for (const verb of ['archive', 'unarchive']) {
      const answer = await caller.rest('POST', `/org/plans/pro/${verb}`, { reason: 'old' })
      expectInvalid(answer, ['reason', /Unknown field "reason"/])
      const unknown = await caller.rest('POST', `/org/plans/nope/${verb}`)
      expectRefusal(unknown, 'NOT_FOUND', { resource: 'plan', id: 'nope' })
    }
  })
})

describe('DELETE /org/plans/{key}', () => {
  it('removes a plan that never had a subscription, archived or not, with its grants', async () => {
    const caller = await organizationWithFeatures()
    await vendor(caller).plan('pro', grants)
    await vendor(caller).archive('pro')

    expect(await caller.rest('DELETE', '/org/plans/pro')).toMatchObject({ status: 204, body: undefined })

    expectRefusal(await caller.rest('GET', '/org/plans/pro'), 'NOT_FOUND', { resource: 'plan', id: 'pro' })
    expectRefusal(await caller.rest('DELETE', '/org/plans/pro'), 'NOT_FOUND', { resource: 'plan', id: 'pro' })
    expect(await caller.rest('DELETE', '/org/features/sso')).toMatchObject({ status: 204 })
  })

  it('is 409 for a plan with a subscription, current, past, or of a deleted subscriber', async () => {
    const caller = await service.organization()
    const given = vendor(caller)
    await given.plan('pro')
    await given.subscriber('acme')
    const { id } = await given.subscribe('acme', 'pro')
    const refused = async () =>
      expectRefusal(
        await caller.rest('DELETE', '/org/plans/pro'),
        'CONFLICT',
        { field: 'plan', value: 'pro' },
        /POST \/org\/plans\/pro\/archive/,
      )

    await refused()
    expect(await caller.rest('POST', `/org/subscribers/acme/subscriptions/${id}/cancel`)).toMatchObject({ status: 200 })
    await refused()
    expect(await caller.rest('DELETE', '/org/subscribers/acme')).toMatchObject({ status: 204 })
    await refused()
    expect(await given.get('/org/plans/pro')).toMatchObject({ key: 'pro' })
  })
})
