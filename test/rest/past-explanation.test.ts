import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { mayDeleteEntries } from '../../src/database/sql.ts'
import { expectInvalid } from '../support/refusal.ts'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService()
const { pool } = service.database

const path = '/org/subscribers/acme/explanation'
type Item = { feature: string; entitlement: Record<string, unknown>; unknown?: true }

/** The database's time, once it is in a millisecond of its own. */
async function moment(): Promise<string> {
  const read = async () => (await pool.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]?.now as Date
  const now = await read()
  while ((await read()).getTime() === now.getTime());
  return now.toISOString()
}

async function must(caller: Caller, ...[method, at, body]: Parameters<Caller['rest']>) {
  const answer = await caller.rest(method, at, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
}

async function organization() {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('seats', { kind: 'limit' })
  await given.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await given.subscriber('acme')
  await given.subscribe('acme', 'pro')
  return { caller, given, explain: (at: string, query = '') => given.get(`${path}?at=${at}${query}`) }
}

describe('the explanation of a past moment', () => {
  it('has the override with its note and who set it, the plan, and what the override hid', async () => {
    const { caller, given, explain } = await organization()
    const put = await given.override('acme', 'seats', { kind: 'limit', limit: 7, note: 'T-1' })
    const then = await moment()
    const now = await given.get(path)
    await must(caller, 'DELETE', '/org/subscribers/acme/overrides/seats')
    await must(caller, 'PATCH', '/org/plans/pro', { grants: {} })
    await given.subscriber('bolt')

    const explained = await explain(then)

    const [item] = now.items
    expect(explained).toEqual({
      ...now,
      at: then,
      items: [
        { ...item, override: { ...item.override, created_at: expect.any(String), updated_at: expect.any(String) } },
      ],
    })
    expect(explained.items[0].override).toMatchObject({ id: put.id, note: 'T-1', set_by: { display_name: 'admin' } })
    expect((await given.get(path)).items[0]).toMatchObject({ entitlement: { source: 'none' }, plan_grant: null })
  })

  it('has features that were deleted since, and none that were created since', async () => {
    const { caller, given, explain } = await organization()
    await given.feature('old')
    const then = await moment()
    await must(caller, 'DELETE', '/org/features/old')
    await given.feature('new')

    const { items } = await explain(then)

    expect(items.map(({ feature }: Item) => feature)).toEqual(['old', 'seats'])
  })

  it('supposes another plan with the grants that it had then', async () => {
    const { caller, given, explain } = await organization()
    await given.plan('max', { seats: { kind: 'limit', limit: 9 } })
    const then = await moment()
    await must(caller, 'PATCH', '/org/plans/max', { grants: { seats: { kind: 'limit', limit: 99 } } })

    expect(await explain(then, '&if_plan=max')).toMatchObject({ plan: 'max', items: [{ entitlement: { limit: 9 } }] })
    expect(await explain(then, '&if_plan=none')).toMatchObject({ plan: null, items: [{ entitlement: { limit: 0 } }] })
  })

  it('says unknown where a value was too large for the log, unless the entry before or after has it', async () => {
    const { caller, given, explain } = await organization()
    await given.feature('theme', { kind: 'config', value_type: 'string' })
    await given.feature('json', { kind: 'config', value_type: 'json' })
    const text = (letter: string) => ({
      kind: 'config',
      value: [letter.repeat(3000), ...Array(5).fill(letter.repeat(3000))],
    })
    await given.override('acme', 'json', text('a'))
    const first = await moment()
    await given.override('acme', 'json', text('b'))
    const last = await moment()

    const itemOf = async (at: string) => (await explain(at)).items.find(({ feature }: Item) => feature === 'json')

    expect(await itemOf(first)).toEqual({ feature: 'json', unknown: true })
    expect(await itemOf(last)).toMatchObject({ entitlement: text('b') })
    const { body } = await caller.graphql(
      `{ explanation(subscriberId: "acme", at: "${first}") { items { feature unknown kind entitlement { allowed } } } }`,
    )
    expect(body.data.explanation.items).toContainEqual({
      feature: 'json',
      unknown: true,
      kind: null,
      entitlement: null,
    })
  })

  it('is refused before the present life of the subscriber', async () => {
    const { caller, given } = await organization()
    const before = await moment()
    await must(caller, 'DELETE', '/org/subscribers/acme')
    await given.subscriber('acme')

    expectInvalid(await caller.rest('GET', `${path}?at=${before}`), ['at', /must not be before/])
    expect((await given.get(`${path}?at=${await moment()}`)).items).toHaveLength(1)
  })

  it('is refused before what retention kept, and the history begins there', async () => {
    const { caller, given, explain } = await organization()
    await given.override('acme', 'seats', { kind: 'limit', limit: 7 })
    const pruned = await moment()
    await given.override('acme', 'seats', { kind: 'limit', limit: 8 })
    const kept = await moment()
    await given.override('acme', 'seats', { kind: 'limit', limit: 9 })
    await pool.query(
      `with setting as materialized (select ${mayDeleteEntries})
       delete from audit_event using setting where organization_id = $1 and changed_at < $2`,
      [caller.organizationId, pruned],
    )

    expectInvalid(await caller.rest('GET', `${path}?at=${pruned}`), ['at', /must not be before/])
    expect((await explain(kept)).items[0]).toMatchObject({ entitlement: { limit: 8 }, plan_grant: { limit: 5 } })
    const { history } = await given.get('/org/subscribers/acme/history')
    expect(
      history.map(({ from, to }: { from: Item['entitlement']; to: Item['entitlement'] }) => [from.limit, to.limit]),
    ).toEqual([
      [8, 9],
      [7, 8],
    ])
  })

  it('orders entries without their moment by what they changed', async () => {
    const { caller, given } = await organization()
    await given.override('acme', 'seats', { kind: 'limit', limit: 3 })
    const ids = [newId(), newId()]
    // Of an older version: the request that came second changed it first.
    const details = [
      { from: 2, to: 3 },
      { from: 1, to: 2 },
    ]
    for (const [place, limit] of details.entries()) {
      await pool.query(
        `insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                                  method, route, params, ip, outcome, status, details)
         values ($1, $2, clock_timestamp(), $2, $3, 'member_apikey', 'api', 'PUT',
                 '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
                 '{"subscriber_id":"acme","feature_key":"seats"}', '::1', 'responded', 200, $4)`,
        [caller.organizationId, ids[place], caller.memberId, JSON.stringify({ limit })],
      )
    }

    const { history } = await given.get('/org/subscribers/acme/history?feature=seats&limit=2')

    expect(history.map(({ to }: { to: Item['entitlement'] }) => to.limit)).toEqual([3, 2])
  })
})
