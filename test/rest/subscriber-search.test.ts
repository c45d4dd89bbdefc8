import { beforeEach, describe, expect, it } from 'vitest'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const path = '/org/subscribers'

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  for (const [subscriber_id, name] of Object.entries(names)) await create(caller, { subscriber_id, name })
})

/** Sorted by id, by code point. */
const names = {
  'ACME-2': 'Zeta Ltd',
  'acme-1': 'Ünion Bäckerei',
  b_1: '100% Pure_Water',
  bx1: 'Back\\Slash',
  cust_7: 'The Acme Company',
  d: null,
  '🚀': 'Rocket 🚀🚀🚀 Ltd',
}

async function create(caller: Caller, body: object) {
  expect((await caller.rest('POST', path, body)).status).toBe(201)
}

type ListedSubscriber = { subscriber_id: string }
const idsOf = ({ subscribers }: { subscribers: ListedSubscriber[] }) =>
  subscribers.map(({ subscriber_id }) => subscriber_id)
const list = async (filter: Record<string, string>) =>
  idsOf(await vendor(caller).get(`${path}?${new URLSearchParams(filter)}`))

describe('the search of subscribers', () => {
  it.each([
    ['a', ['ACME-2', 'acme-1']],
    ['AC', ['ACME-2', 'acme-1']],
    ['acme-1', ['acme-1']],
    ['th', ['cust_7']],
    ['üN', ['acme-1']],
    ['1', ['b_1']],
    ['🚀', ['🚀']],
  ])('matches the start of an id or name, ignoring case: %s', async (search, expected) => {
    expect(await list({ search })).toEqual(expected)
  })

  it.each([
    ['ACME', ['ACME-2', 'acme-1', 'cust_7']],
    ['ltd', ['ACME-2', '🚀']],
    ['bäCK', ['acme-1']],
    ['e acme c', ['cust_7']],
    ['🚀🚀🚀', ['🚀']],
  ])('matches any part of a name with at least three characters: %s', async (search, expected) => {
    expect(await list({ search })).toEqual(expected)
  })

  it.each([
    ['me-2', ['ACME-2']],
    ['E-1', ['acme-1']],
    ['ST_7', ['cust_7']],
    ['company the', ['cust_7']],
    ['bäck üni', ['acme-1']],
    ['acme zeta', []],
  ])(
    'matches, with a `text` of at least three characters, also the end of an id and reordered words: %s',
    async (text, expected) => {
      expect(await list({ text })).toEqual(expected)
    },
  )

  it.each([
    ['co', []],
    ['me-2', []],
    ['nothing', []],
  ])('does not match other parts of an id, or short parts of a name: %s', async (search, expected) => {
    expect(await list({ search })).toEqual(expected)
  })

  it.each(['-2', 'ust_'])('does not match the middle or a short suffix of an id with `text`: %s', async (text) => {
    expect(await list({ text })).toEqual([])
  })

  it('combines a text with the other filters', async () => {
    expect(await list({ text: 'company the', search: 'cust' })).toEqual(['cust_7'])
    expect(await list({ text: 'company the', search: 'acme-' })).toEqual([])
  })

  it.each([
    ['%', []],
    ['_', []],
    ['b_', ['b_1']],
    ['b_1', ['b_1']],
    ['00%', ['b_1']],
    ['0%p', []],
    ['e_W', ['b_1']],
    ['k\\s', ['bx1']],
    ['k\\\\', []],
  ])('treats no character as a wildcard: %s', async (search, expected) => {
    expect(await list({ search })).toEqual(expected)
  })

  it('is read page by page', async () => {
    const all = await list({ search: 'acme' })
    const pages: string[] = []
    for (let after = {}, more = true; more; ) {
      const query = new URLSearchParams({ search: 'acme', limit: '1', ...after })
      const page = await vendor(caller).get(`${path}?${query}`)
      pages.push(...idsOf(page))
      after = { starting_after: pages.at(-1) }
      more = page.has_more
    }
    expect(pages).toEqual(all)
  })

  it('finds subscribers in the order of ids even if very many match', async () => {
    await service.database.pool.query(
      `insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
       select $1, 'many-' || lpad(i::text, 5, '0'), 'Many ' || i, now(), now() from generate_series(1, 10050) i`,
      [caller.organizationId],
    )

    const page = await vendor(caller).get(`${path}?search=MANY&limit=2&starting_after=many-00500`)

    expect(idsOf(page)).toEqual(['many-00501', 'many-00502'])
    expect(page.has_more).toBe(true)
    expect(await list({ search: 'MANY', starting_after: 'many-10048' })).toEqual(['many-10049', 'many-10050'])
  })

  it('finds nothing of another organization', async () => {
    const other = await service.organization()
    await create(other, { subscriber_id: 'acme-9', name: 'Acme of another' })

    expect(await list({ search: 'acme' })).not.toContain('acme-9')
    expect(idsOf(await vendor(other).get(`${path}?search=acme`))).toEqual(['acme-9'])
  })
})

describe('subscribers filtered by plan or override', () => {
  beforeEach(async () => {
    for (const plan of ['pro', 'max']) await vendor(caller).plan(plan)
    for (const id of ['d', 'acme-1', 'b_1']) await vendor(caller).subscribe(id, 'pro')
    const { rest } = caller
    expect((await rest('POST', `${path}/b_1/subscriptions/change`, { plan_id: 'max' })).status).toBe(200)
    const { subscriptions } = await vendor(caller).get(`${path}/d/subscriptions`)
    expect((await rest('POST', `${path}/d/subscriptions/${subscriptions[0].id}/cancel`)).status).toBe(200)
  })

  it.each([
    [{ plan_id: 'pro' }, ['acme-1']],
    [{ plan_id: 'max' }, ['b_1']],
    [{ plan_id: 'nope' }, []],
    [{ without_plan: 'true' }, ['ACME-2', 'bx1', 'cust_7', 'd', '🚀']],
    [{ without_plan: 'false' }, ['acme-1', 'b_1']],
    [{ without_plan: 'false', plan_id: 'max' }, ['b_1']],
    [{ without_plan: 'true', plan_id: 'max' }, []],
    [{ without_plan: 'true', search: 'acme' }, ['ACME-2', 'cust_7']],
    [{ plan_id: 'pro', search: 'acme' }, ['acme-1']],
    [{ plan_id: 'pro', search: 'zeta' }, []],
  ])('are those whose active subscription matches %j', async (filter, expected) => {
    expect(await list(filter as Record<string, string>)).toEqual(expected)
  })

  it('are the same in GraphQL, with pages', async () => {
    const query = `query ($after: String) { subscribers(filter: { search: "ACME", withoutPlan: true }, first: 1, after: $after) {
      nodes { subscriberId } pageInfo { endCursor hasNextPage } } }`

    const first = (await caller.graphql(query)).body.data.subscribers
    const second = (await caller.graphql(query, { after: first.pageInfo.endCursor })).body.data.subscribers

    expect(first).toMatchObject({ nodes: [{ subscriberId: 'ACME-2' }], pageInfo: { hasNextPage: true } })
    expect(second).toMatchObject({ nodes: [{ subscriberId: 'cust_7' }], pageInfo: { hasNextPage: false } })
    const byPlan = await caller.graphql('{ subscribers(filter: { planId: "pro" }) { nodes { subscriberId } } }')
    expect(byPlan.body.data.subscribers.nodes).toEqual([{ subscriberId: 'acme-1' }])
  })

  it('are those with a live override of a feature, or with none of several features, in both APIs', async () => {
    await vendor(caller).features()
    await vendor(caller).override('acme-1', 'seats', { kind: 'limit', limit: 1 })
    await vendor(caller).override('b_1', 'seats', { kind: 'limit', limit: 1 })
    await vendor(caller).override('b_1', 'sso', { kind: 'flag', allowed: true, expires_at: '2020-01-01T00:00:00Z' })
    await vendor(caller).override('bx1', 'sso', { kind: 'flag', allowed: false, expires_at: '2099-01-01T00:00:00Z' })
    const listWithout = async (query: string) => idsOf(await vendor(caller).get(`${path}?${query}`))
    const seatsAlone = 'with_override_of=seats'
    expect(await listWithout(seatsAlone)).toEqual(['acme-1', 'b_1'])
    expect(await listWithout('with_override_of=sso')).toEqual(['bx1'])
    expect(await listWithout(`${seatsAlone}&plan_id=pro`)).toEqual(['acme-1'])
    expect(await listWithout(`${seatsAlone}&search=acme`)).toEqual(['acme-1'])
    expect(await listWithout(`${seatsAlone}&limit=1&starting_after=acme-1`)).toEqual(['b_1'])
    expect(await listWithout(`${seatsAlone}&without_override_of=seats`)).toEqual([])

    expect(await listWithout('without_override_of=sso')).toEqual(['ACME-2', 'acme-1', 'b_1', 'cust_7', 'd', '🚀'])
    const both = 'without_override_of=sso&without_override_of=seats'
    expect(await listWithout(both)).toEqual(['ACME-2', 'cust_7', 'd', '🚀'])
    expect(await listWithout('without_override_of=seats&plan_id=pro')).toEqual([])
    expect(await listWithout('without_override_of=sso&plan_id=pro')).toEqual(['acme-1'])
    expect(await listWithout(`${both}&search=acme`)).toEqual(['ACME-2', 'cust_7'])
    expect(await listWithout(`${both}&limit=1&starting_after=ACME-2`)).toEqual(['cust_7'])
    const query =
      '{ subscribers(filter: { withoutOverrideOf: ["sso", "seats"], search: "acme" }) { nodes { subscriberId } } }'
    const { nodes } = (await caller.graphql(query)).body.data.subscribers
    expect(nodes).toEqual([{ subscriberId: 'ACME-2' }, { subscriberId: 'cust_7' }])
    const withSso = '{ subscribers(filter: { withOverrideOf: "sso" }) { nodes { subscriberId } } }'
    expect((await caller.graphql(withSso)).body.data.subscribers.nodes).toEqual([{ subscriberId: 'bx1' }])
  })

  it('are refused for invalid filters', async () => {
    expectInvalid(await caller.rest('GET', `${path}?search=`), ['search', /1 to 255 characters/])
    expectInvalid(await caller.rest('GET', `${path}?search=${'x'.repeat(256)}`), ['search', /1 to 255 characters/])
    expectInvalid(await caller.rest('GET', `${path}?search=%00`), ['search', /U\+0000/])
    expectInvalid(await caller.rest('GET', `${path}?plan_id=A%20b`), ['plan_id', /the key of a plan/])
    expectInvalid(await caller.rest('GET', `${path}?without_plan=maybe`), ['without_plan', /true or false/])
    for (const query of [
      'without_override_of=',
      'without_override_of=a&without_override_of=',
      'without_override_of=A%20b',
    ]) {
      expectInvalid(await caller.rest('GET', `${path}?${query}`), [
        'without_override_of',
        /at most 100 keys of features/,
      ])
    }
    expectInvalid(await caller.rest('GET', `${path}?with_override_of=`), ['with_override_of', /the key of a feature/])
    const tooMany = Array.from({ length: 101 }, (_, index) => `without_override_of=f${index}`).join('&')
    expectInvalid(await caller.rest('GET', `${path}?${tooMany}`), [
      'without_override_of',
      /at most 100 keys of features/,
    ])
    const evaluator = await service.member(caller.organizationId, 'evaluator')
    expectRefusal(await evaluator.rest('GET', `${path}?search=a`), 'FORBIDDEN', {
      required_labels: ['subscribers:read'],
    })
  })
})
