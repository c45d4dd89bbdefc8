import { describe, expect, it } from 'vitest'
import { timestamp } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { grantOfEach as grants, vendor } from '../support/vendor.ts'

const service = await sharedService()

/** A vendor with a feature of each kind: `sso`, `seats`, `color`. */
async function organizationWithFeatures(): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).features()
  return caller
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

  it('creates a plan with a custom kind and a grant of each kind', async () => {
    const caller = await organizationWithFeatures()

    const body = { key: 'pro', name: 'Pro', kind: 'add-on_1', grants }
    const answer = await caller.rest('POST', '/org/plans', body)

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ ...body, archived_at: null, created_at: timestamp, updated_at: timestamp })
  })

  it('accepts null as unlimited, and -0 as 0', async () => {
    const caller = await organizationWithFeatures()
    const setup = vendor(caller)

    const unlimited = { seats: { kind: 'limit', limit: null } }
    expect(await setup.plan('unlimited', unlimited)).toMatchObject({ grants: unlimited })
    const text = '{"key":"none","name":"None","grants":{"seats":{"kind":"limit","limit":-0}}}'
    expect(await caller.rest('POST', '/org/plans', text)).toMatchObject({
      status: 201,
      body: { grants: { seats: { kind: 'limit', limit: 0 } } },
    })
  })

  it('returns JSON values with their keys in the order in which they were sent, even with __proto__', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'json' })
    const value = '{"b":1,"__proto__":{"x":[]},"a":{"constructor":null},"1":0}'

    const body = `{"key":"pro","name":"Pro","grants":{"theme":{"kind":"config","value":${value}}}}`
    const answer = await caller.rest('POST', '/org/plans', body)

    expect(answer.status).toBe(201)
    expect(JSON.stringify(answer.body.grants.theme.value)).toBe(JSON.stringify(JSON.parse(value)))
  })

  it('accepts __proto__ and constructor as the key of a plan, kind, feature or grant', async () => {
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

  it('refuses a duplicate key with 409, even the key of an archived plan', async () => {
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
    ['a kind that is not a valid key', { kind: 'Add on' }, ['kind', /1 to 64/]],
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

describe('GET /org/plans', () => {
  it('lists plans that are not archived, newest first, and on request also archived plans', async () => {
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

  it.each(['yes', 'TRUE', '2', '01', '', '%ff', 'null'])(
    'refuses include_archived=%s with one detail',
    async (text) => {
      const caller = await service.organization()

      const answer = await caller.rest('GET', `/org/plans?include_archived=${text}`)

      expectInvalid(answer, ['include_archived', /include_archived must be true, false, 1 or 0/])
    },
  )

  it('refuses a repeated include_archived', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('GET', '/org/plans?include_archived=1&foo=1&include_archived=1')

    expectInvalid(answer, ['include_archived', /^include_archived must be given once/], ['foo', /Unknown query/])
  })

  it('refuses unknown parameters with one detail each, and suggests a similar known name', async () => {
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
  it('replaces all grants by the grants in the request', async () => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const newGrants = { sso: grants.sso, seats: { kind: 'limit', limit: null } }
    const answer = await caller.rest('PATCH', '/org/plans/pro', { grants: newGrants })

    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ ...before, grants: newGrants, updated_at: timestamp })
    expect(answer.body.updated_at > before.updated_at).toBe(true)
    expect(await vendor(caller).get('/org/plans/pro')).toEqual(answer.body)
  })

  it('keeps the grants when only the name is sent', async () => {
    const caller = await organizationWithFeatures()
    const before = await vendor(caller).plan('pro', grants)

    const answer = await caller.rest('PATCH', '/org/plans/pro', { name: 'New' })

    expect(answer.body).toEqual({ ...before, name: 'New', updated_at: timestamp })
  })

  it('keeps updated_at when nothing changes, even if JSON keys are in another order', async () => {
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

  it('refuses in this order: 422 for a malformed body, 404, 422 for grants that do not fit the catalog, 409', async () => {
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

it('the list of plans has the same grants as each single plan, even with unusual keys', async () => {
  const caller = await service.organization()
  const features = [
    { key: '__proto__', name: 'A', kind: 'flag' },
    { key: '10', name: 'B', kind: 'limit' },
    { key: '9', name: 'C', kind: 'limit' },
    { key: 'constructor', name: 'D', kind: 'config', value_type: 'json' },
  ]
  for (const feature of features) await caller.rest('POST', '/org/features', feature)
  const grants =
    '{"__proto__":{"kind":"flag"},"10":{"kind":"limit","limit":null},"9":{"kind":"limit","limit":9007199254740991},' +
    '"constructor":{"kind":"config","value":{"__proto__":[1,"\\"é\\u2028"],"b":{"a":null}}}}'
  await caller.rest('POST', '/org/plans', `{"key":"full","name":"Full","grants":${grants}}`)
  await caller.rest('POST', '/org/plans', { key: 'empty', name: 'Empty' })

  const { body } = await caller.rest('GET', '/org/plans')

  const full = (await caller.rest('GET', '/org/plans/full')).body
  const empty = (await caller.rest('GET', '/org/plans/empty')).body
  expect(body).toEqual({ plans: [empty, full] })
  expect(full.grants).toEqual(JSON.parse(grants))
  expect(Object.keys(body.plans[1])).toEqual(Object.keys(full))
})
