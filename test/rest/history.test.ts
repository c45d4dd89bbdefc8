import { describe, expect, it } from 'vitest'
import { importSuccessfully } from '../support/import.ts'
import { timestamp } from '../support/matchers.ts'
import { startPatientService } from '../support/patient-service.ts'
import { inTransaction, untilOthersWaitFor } from '../support/race.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import type { Caller } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await startPatientService()

const path = '/org/subscribers/acme/history'

type Item = {
  id: string
  group: string
  at: string
  feature: string | null
  cause: string
  from: unknown
  to: unknown
  note: unknown
}

const historyOf = async (caller: Caller, query = ''): Promise<Item[]> =>
  (await vendor(caller).get(`${path}${query}`)).history

/** A short form of an item. */
const toShortForm = ({ cause, feature, from, to }: Item) => [cause, feature, sideOf(from), sideOf(to)]

function sideOf(side: unknown): unknown {
  if (side === null) return null
  const { allowed, limit, value, source } = side as Record<string, unknown>
  return `${source}:${JSON.stringify(value ?? limit ?? allowed)}`
}

async function requestSuccessfully(caller: Caller, ...[method, at, body]: Parameters<Caller['rest']>) {
  const answer = await caller.rest(method, at, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

/** `acme` on `pro`, which grants 5 seats and `sso`; `max` grants 9 seats and the color red. */
async function createOrganization(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('sso')
  await setup.feature('seats', { kind: 'limit' })
  await setup.feature('color', colors)
  await setup.plan('pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  await setup.plan('max', { seats: { kind: 'limit', limit: 9 }, color: { kind: 'config', value: 'red' } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  return caller
}

describe('the history of a subscriber', () => {
  it("begins with the subscriber's creation, and has each change with its author and the plan", async () => {
    const caller = await createOrganization()
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7, note: 'T-1' })

    const history = await historyOf(caller)

    const by = { member_id: caller.memberId, display_name: 'admin', is_service_account: true, removed: false }
    const plan = { feature: 'seats', kind: 'limit', allowed: true, limit: 5, source: 'plan', expires_at: null }
    expect(history).toEqual([
      {
        id: expect.any(String),
        group: expect.any(String),
        at: timestamp,
        feature: 'seats',
        cause: 'override',
        from: plan,
        to: { ...plan, limit: 7, source: 'override' },
        by,
        note: 'T-1',
        plan: 'pro',
      },
      expect.objectContaining({ feature: 'seats', cause: 'subscription', to: plan, plan: 'pro' }),
      expect.objectContaining({
        feature: 'sso',
        cause: 'subscription',
        from: expect.objectContaining({ source: 'none' }),
      }),
      {
        id: expect.any(String),
        group: expect.any(String),
        at: timestamp,
        feature: null,
        cause: 'subscriber',
        from: null,
        to: null,
        by,
        note: null,
        plan: null,
      },
    ])
  })

  it('contains the changes of a plan while the subscriber has it, unless an override hides them', async () => {
    const caller = await createOrganization()
    const grants = { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 6 } }
    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { grants, note: 'more for all' })
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7 })
    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 8 } } })
    await requestSuccessfully(caller, 'POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'max' })
    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { grants: {} })
    await requestSuccessfully(caller, 'DELETE', '/org/subscribers/acme/overrides/seats')

    const history = await historyOf(caller)

    expect(history.map(toShortForm)).toEqual([
      ['override', 'seats', 'override:7', 'plan:9'],
      ['subscription', 'color', 'none:false', 'plan:"red"'],
      ['plan', 'sso', 'plan:true', 'none:false'],
      ['override', 'seats', 'plan:6', 'override:7'],
      ['plan', 'seats', 'plan:5', 'plan:6'],
      ['subscription', 'seats', 'none:0', 'plan:5'],
      ['subscription', 'sso', 'none:false', 'plan:true'],
      ['subscriber', null, null, null],
    ])
    expect(history.map(({ note }) => note)).toEqual([null, null, null, null, 'more for all', null, null, null])
  })

  it('contains the expiry of an override, without an author, and a later put as a change from the plan', async () => {
    const caller = await createOrganization()
    let soon: string
    let ms = 750
    do {
      ms *= 2
      soon = new Date(Date.now() + ms).toISOString()
      await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7, expires_at: soon })
      // On a busy machine, the override may have expired before it was stored.
    } while (Date.now() >= Date.parse(soon))
    await expect
      // An organization may read 20 histories in a second.
      .poll(async () => (await historyOf(caller)).map(toShortForm)[0], { interval: 200 })
      .toEqual(['expiry', 'seats', 'override:7', 'plan:5'])
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7, expires_at: null })

    const [again, expiry] = await historyOf(caller, '?feature=seats')

    expect(again).toMatchObject({ cause: 'override', from: { source: 'plan' }, to: { source: 'override', limit: 7 } })
    expect(expiry).toMatchObject({ cause: 'expiry', at: soon, by: null, plan: 'pro' })
  })

  it('begins when the subscriber was last created, and can be limited to one feature', async () => {
    const caller = await createOrganization()
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7 })
    await requestSuccessfully(caller, 'DELETE', '/org/subscribers/acme')
    await vendor(caller).subscriber('acme')
    await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true })
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 8 })

    expect((await historyOf(caller)).map(toShortForm)).toEqual([
      ['override', 'seats', 'none:0', 'override:8'],
      ['override', 'sso', 'none:false', 'override:true'],
      ['subscriber', null, null, null],
    ])
    expect((await historyOf(caller, '?feature=seats')).map(toShortForm)).toEqual([
      ['override', 'seats', 'none:0', 'override:8'],
    ])
  })

  it('contains the changes of an import; several lines of one subscriber appear as their result', async () => {
    const caller = await createOrganization()
    const importLines = async (lines: object[]) => {
      const body = lines.map((line) => JSON.stringify(line)).join('\n')
      const headers = { 'content-type': 'application/x-ndjson', 'x-api-key': caller.key }
      const response = await fetch(`${service.url}/org/subscribers/import`, { method: 'POST', headers, body })
      expect(await response.json()).toMatchObject({ failed: 0 })
    }
    const red = { color: { kind: 'config', value: 'red' } }
    await importLines([{ subscriber_id: 'bolt', plan_id: 'pro', overrides: red }])
    await importLines([
      { subscriber_id: 'bolt', overrides: { sso: { kind: 'flag', allowed: false } } },
      {
        subscriber_id: 'bolt',
        plan_id: 'max',
        overrides: { color: null, sso: null, seats: { kind: 'limit', limit: 1 } },
      },
    ])

    const { history } = await vendor(caller).get('/org/subscribers/bolt/history')

    expect(history.map(toShortForm)).toEqual([
      ['override', 'color', 'override:"red"', 'plan:"red"'],
      ['override', 'seats', 'plan:5', 'override:1'],
      ['subscription', 'sso', 'plan:true', 'none:false'],
      ['override', 'color', 'none:false', 'override:"red"'],
      ['subscription', 'seats', 'none:0', 'plan:5'],
      ['subscription', 'sso', 'none:false', 'plan:true'],
      ['subscriber', null, null, null],
    ])
    expect(history.map(({ by }: { by: { display_name: string } }) => by.display_name)).toEqual(Array(7).fill('admin'))
    const [second, first] = [history[0].group, history[3].group]
    expect(history.map(({ group }: Item) => group)).toEqual([second, second, second, first, first, first, first])
    expect(second).not.toBe(first)
  })

  it('contains the result of an import that moved a subscriber between plans more than a hundred times', async () => {
    const caller = await createOrganization()
    const plans = Array.from({ length: 201 }, (_, index) => (index % 2 === 0 ? 'max' : 'pro'))
    await importSuccessfully(
      caller,
      plans.map((plan_id) => ({ subscriber_id: 'acme', plan_id })),
    )

    const history = await historyOf(caller, '?feature=seats')

    expect(history.map(toShortForm)).toEqual([
      ['subscription', 'seats', 'plan:5', 'plan:9'],
      ['subscription', 'seats', 'none:0', 'plan:5'],
    ])
  })

  it('has the same time for all items of an import that changed an override many times', async () => {
    const caller = await createOrganization()
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 1 })
    const lines = Array.from({ length: 300 }, (_, index) => ({
      subscriber_id: 'acme',
      name: `Acme ${index}`,
      overrides: { seats: { kind: 'limit', limit: index + 2 } },
    }))
    await importSuccessfully(caller, [...lines, { subscriber_id: 'acme', plan_id: 'max' }])

    const { subscriptions } = await vendor(caller).get('/org/subscribers/acme/subscriptions')
    const override = await vendor(caller).get('/org/subscribers/acme/overrides/seats')
    const subscriber = await vendor(caller).get('/org/subscribers/acme')
    const [first, second, third] = await historyOf(caller)

    const moment = subscriptions[1].created_at
    expect([override.updated_at, subscriber.updated_at]).toEqual([moment, moment])
    expect([first, second, third].map((item) => item?.at)).toEqual([moment, moment, moment])
    expect(new Set([first, second, third].map((item) => item?.group)).size).toBe(1)
  })

  it('contains an override that one line of an import created and the next one changed', async () => {
    const caller = await createOrganization()
    const seats = (limit: number) => ({ subscriber_id: 'acme', overrides: { seats: { kind: 'limit', limit } } })
    const body = [seats(7), seats(8)].map((line) => JSON.stringify(line)).join('\n')
    const headers = { 'content-type': 'application/x-ndjson', 'x-api-key': caller.key }
    await fetch(`${service.url}/org/subscribers/import`, { method: 'POST', headers, body })
    const put = await vendor(caller).get('/org/subscribers/acme/overrides/seats')
    await requestSuccessfully(caller, 'DELETE', '/org/subscribers/acme/overrides/seats')

    const [deletion, creation] = await historyOf(caller, '?feature=seats')

    expect(put.updated_at).toBe(put.created_at)
    expect(creation).toMatchObject({ at: put.created_at, from: { limit: 5 }, to: { limit: 8 } })
    expect(deletion).toMatchObject({ from: { limit: 8 }, to: { limit: 5 } })
  })

  it('has the later plan after a subscription that began in the future, because the clock stepped back before it ended', async () => {
    const caller = await createOrganization()
    const setup = vendor(caller)
    const { subscriptions } = await setup.get('/org/subscribers/acme/subscriptions')
    const id = subscriptions[0].id
    const sleep = () => service.database.pool.query('select pg_sleep(0.005)')
    await sleep()
    await requestSuccessfully(caller, 'POST', `/org/subscribers/acme/subscriptions/${id}/cancel`)
    await sleep()
    const { id: later } = await setup.subscribe('acme', 'max')
    // As after a step back by more than the time from the first subscription to the second one.
    await service.database.pool.query(
      `update subscription later set created_at = first.created_at from subscription first
        where later.subscription_id = $1 and first.subscription_id = $2`,
      [later, id],
    )
    await service.database.pool.query(
      `update subscription set created_at = canceled_at - interval '1 millisecond' where subscription_id = $1`,
      [id],
    )

    const history = await historyOf(caller, '?feature=seats')

    expect(history.map(toShortForm)).toEqual([
      ['subscription', 'seats', 'plan:5', 'plan:9'],
      ['subscription', 'seats', 'plan:9', 'plan:5'],
      ['subscription', 'seats', 'none:0', 'plan:9'],
    ])
  })

  it('contains values of any size', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('theme', { kind: 'config', value_type: 'json' })
    await setup.subscriber('acme')
    const large = (letter: string) => ({ kind: 'config', value: { text: letter.repeat(20_000) } })
    for (const letter of ['a', 'b', 'c']) await setup.override('acme', 'theme', large(letter))

    const [third, second, first] = await historyOf(caller)

    expect(third).toMatchObject({ from: large('b'), to: large('c') })
    expect(second).toMatchObject({ from: large('a'), to: large('b') })
    expect(first).toMatchObject({ from: { source: 'none' }, to: large('a') })
  })

  it('gives all items of one change the same group, and the time at which the object was changed', async () => {
    const caller = await createOrganization()
    const { body: moved } = await caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'max' })
    const { body: plan } = await caller.rest('PATCH', '/org/plans/max', { grants: {} })
    const put = await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7 })
    const again = await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 8 })

    const history = await historyOf(caller)

    const groups = history.map(({ group }) => group)
    expect(new Set(groups).size).toBe(6)
    expect(groups.map((group) => groups.indexOf(group))).toEqual([0, 1, 2, 2, 4, 4, 4, 7, 7, 9])
    const moments = [
      again.updated_at,
      put.created_at,
      plan.updated_at,
      plan.updated_at,
      ...Array(3).fill(moved.created_at),
    ]
    expect(history.slice(0, 7).map(({ at }) => at)).toEqual(moments)
    expect(history.at(-1)?.at).toBe((await vendor(caller).get('/org/subscribers/acme')).created_at)
    const [{ group, at }] = (await vendor(caller).get('/org/plans/max/history')).history
    expect({ group, at }).toEqual({ group: expect.any(String), at: plan.updated_at })
  })

  it('can be read in pages after any item, however many changes an override hides', async () => {
    const caller = await createOrganization()
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 7 })
    for (let limit = 10; limit < 40; limit += 1)
      await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit } } })
    const whole = await historyOf(caller)
    expect(whole.map(toShortForm)).toHaveLength(5)

    const found: Item[] = []
    for (let more = true, after = ''; more; after = `&starting_after=${found.at(-1)?.id}`) {
      const { history, has_more } = await vendor(caller).get(`${path}?limit=1${after}`)
      found.push(...history)
      more = has_more
    }

    expect(found).toEqual(whole)
  })

  it('is the same in GraphQL', async () => {
    const caller = await createOrganization()
    const whole = await historyOf(caller)

    const {
      body: { data },
    } = await caller.graphql(
      `{ subscriber(subscriberId: "acme") { history(first: 2) {
           nodes { id at feature cause plan note group by { memberId } from { entitlement { limit source } } to { entitlement { source } } }
           pageInfo { hasNextPage endCursor } } } }`,
    )

    expect(data?.subscriber.history.nodes.map(({ id }: Item) => id)).toEqual(whole.slice(0, 2).map(({ id }) => id))
    expect(data?.subscriber.history).toMatchObject({
      nodes: [
        { cause: 'SUBSCRIPTION', group: whole[0]?.group, from: { entitlement: { source: 'NONE' } } },
        { feature: 'sso', plan: 'pro' },
      ],
      pageInfo: { hasNextPage: true, endCursor: whole[1]?.id },
    })
  })

  it('is refused for an unknown subscriber, a malformed cursor or an unknown parameter', async () => {
    const caller = await createOrganization()

    const unknown = await caller.rest('GET', '/org/subscribers/nobody/history')
    expectRefusal(unknown, 'NOT_FOUND', { resource: 'subscriber', id: 'nobody' })
    const afterYear9999 = Buffer.from(`${Date.UTC(10_000)}.0seats`).toString('base64url')
    for (const cursor of ['xyz', afterYear9999]) {
      expectInvalid(await caller.rest('GET', `${path}?starting_after=${cursor}`), ['starting_after', /id of an item/])
    }
    expectInvalid(await caller.rest('GET', `${path}?features=x`), ['features', /feature/])
  })
})

describe('the histories of plans and features', () => {
  it('contain each changed field and each changed grant as an item, with the note', async () => {
    const caller = await createOrganization()
    const grants = { seats: { kind: 'limit', limit: 6 } }
    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { name: 'Pro+', grants, note: 'T-2' })
    await requestSuccessfully(caller, 'POST', '/org/plans/pro/archive')
    await requestSuccessfully(caller, 'PATCH', '/org/features/color', {
      description: 'The look.',
      options: ['red', 'blue'],
    })

    const [plan, feature] = [
      await vendor(caller).get('/org/plans/pro/history'),
      await vendor(caller).get('/org/features/color/history'),
    ]

    const common = {
      id: expect.any(String),
      group: expect.any(String),
      at: timestamp,
      by: expect.objectContaining({ display_name: 'admin' }),
    }
    expect(plan).toEqual({
      history: [
        { ...common, feature: null, field: 'archived', from: false, to: true, note: null },
        {
          ...common,
          feature: 'seats',
          field: 'grant',
          from: { kind: 'limit', limit: 5 },
          to: { kind: 'limit', limit: 6 },
          note: 'T-2',
        },
        { ...common, feature: 'sso', field: 'grant', from: { kind: 'flag' }, to: null, note: 'T-2' },
        { ...common, feature: null, field: 'name', from: 'pro', to: 'Pro+', note: 'T-2' },
      ],
      has_more: false,
    })
    expect(feature.history).toEqual([
      { ...common, feature: null, field: 'description', from: '', to: 'The look.', note: null },
      { ...common, feature: null, field: 'options', from: colors.options, to: ['red', 'blue'], note: null },
    ])
    const second = await vendor(caller).get(`/org/plans/pro/history?limit=1&starting_after=${plan.history[0].id}`)
    expect(second).toEqual({ history: [plan.history[1]], has_more: true })
    const {
      body: { data },
    } = await caller.graphql(
      '{ plan(key: "pro") { history(first: 1) { nodes { id field from to } } } feature(key: "color") { history { nodes { id } } } }',
    )
    expect(data?.plan.history.nodes).toEqual([{ id: plan.history[0].id, field: 'archived', from: false, to: true }])
    expect(data?.feature.history.nodes).toHaveLength(2)
  })

  it('include, on request, the grants of a feature on plans, page by page', async () => {
    const caller = await createOrganization()
    await requestSuccessfully(caller, 'PATCH', '/org/features/seats', { name: 'Seats' })
    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', {
      grants: { seats: { kind: 'limit', limit: 6 } },
      note: 'T-2',
    })
    await requestSuccessfully(caller, 'PATCH', '/org/plans/max', { grants: {} })
    const at = '/org/features/seats/history'

    const { history } = await vendor(caller).get(`${at}?with_plans=true`)

    const toShortForm = ({ field, plan, from, to, note }: Record<string, unknown>) => [field, plan, from, to, note]
    expect(history.map(toShortForm)).toEqual([
      ['grant', 'max', { kind: 'limit', limit: 9 }, null, null],
      ['grant', 'pro', { kind: 'limit', limit: 5 }, { kind: 'limit', limit: 6 }, 'T-2'],
      ['name', undefined, 'seats', 'Seats', null],
      ['grant', 'max', null, { kind: 'limit', limit: 9 }, null],
      ['grant', 'pro', null, { kind: 'limit', limit: 5 }, null],
    ])
    expect(history[0]).toMatchObject({ feature: 'seats', by: { display_name: 'admin' } })
    expect(new Set(history.map(({ group }: Item) => group)).size).toBe(5)
    const pages: Item[] = []
    for (let after = ''; pages.length < 5; after = `&starting_after=${pages.at(-1)?.id}`) {
      pages.push(...(await vendor(caller).get(`${at}?with_plans=true&limit=2${after}`)).history)
    }
    expect(pages).toEqual(history)
    expect((await vendor(caller).get(at)).history.map(toShortForm)).toEqual([
      ['name', undefined, 'seats', 'Seats', null],
    ])
    const document = '{ feature(key: "seats") { history(withPlans: true, first: 2) { nodes { field plan } } } }'
    expect((await caller.graphql(document)).body.data.feature.history.nodes).toEqual([
      { field: 'grant', plan: 'max' },
      { field: 'grant', plan: 'pro' },
    ])
    expectInvalid(await caller.rest('GET', `${at}?with_plans=yes`), ['with_plans', /true, false/])
  })

  it('include the grant of a plan that waited while the feature was created', async () => {
    const caller = await service.organization()
    const { pool } = service.database
    const answers = await inTransaction(pool, async (client) => {
      const organization = 'select from organization where organization_id = $1 for update'
      await client.query(organization, [caller.organizationId])
      const feature = caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
      await untilOthersWaitFor(client)
      const plan = caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro', grants: { sso: { kind: 'flag' } } })
      await untilOthersWaitFor(client, 2)
      await client.query('rollback')
      return [await feature, await plan]
    })

    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const { history } = await vendor(caller).get('/org/features/sso/history?with_plans=true')
    expect(history).toMatchObject([{ field: 'grant', plan: 'pro', from: null, at: answers[1]?.body.created_at }])
  })

  it('have no item for a note that was sent without a change', async () => {
    const caller = await createOrganization()

    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { name: 'pro', note: 'nothing' })

    expect((await vendor(caller).get('/org/plans/pro/history')).history).toEqual([])
    const [entry] = (await vendor(caller).get('/org/audit-events?limit=1')).audit_events
    expect(entry).toMatchObject({ route: '/org/plans/{key}', status: 200, details: null })
    expectInvalid(await caller.rest('PATCH', '/org/plans/pro', { note: null }), ['note', /1 to 500/])
  })
})
