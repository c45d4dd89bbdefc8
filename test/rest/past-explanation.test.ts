import { describe, expect, it } from 'vitest'
import { expectInvalid } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { pool } = service.database

const path = '/org/subscribers/acme/explanation'
type Item = { feature: string; entitlement: Record<string, unknown> }

/** Returns the database's time once its millisecond has passed, so that later writes have a later time. */
async function timeBeforeNextMillisecond(): Promise<string> {
  const read = async () => (await pool.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]?.now as Date
  const now = await read()
  while ((await read()).getTime() === now.getTime());
  return now.toISOString()
}

async function requestSuccessfully(caller: Caller, ...[method, at, body]: Parameters<Caller['rest']>) {
  const answer = await caller.rest(method, at, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
}

async function organization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('seats', { kind: 'limit' })
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  return { caller, setup, explain: (at: string, query = '') => setup.get(`${path}?at=${at}${query}`) }
}

describe('the explanation of a past moment', () => {
  it('has the plan, the override with its note and author, and the value that the override hid', async () => {
    const { caller, setup, explain } = await organization()
    const put = await setup.override('acme', 'seats', { kind: 'limit', limit: 7, note: 'T-1' })
    const then = await timeBeforeNextMillisecond()
    const now = await setup.get(path)
    await requestSuccessfully(caller, 'DELETE', '/org/subscribers/acme/overrides/seats')
    await requestSuccessfully(caller, 'PATCH', '/org/plans/pro', { grants: {} })
    await setup.subscriber('bolt')

    const explained = await explain(then)

    const [item] = now.items
    expect(explained).toEqual({
      ...now,
      at: then,
      items: [item],
    })
    expect(explained.items[0].override).toMatchObject({ id: put.id, note: 'T-1', set_by: { display_name: 'admin' } })
    expect((await setup.get(path)).items[0]).toMatchObject({ entitlement: { source: 'none' }, plan_grant: null })
  })

  it('has features that were deleted since then, but none that were created since then', async () => {
    const { caller, setup, explain } = await organization()
    await setup.feature('old')
    const then = await timeBeforeNextMillisecond()
    await requestSuccessfully(caller, 'DELETE', '/org/features/old')
    await setup.feature('new')

    const { items } = await explain(then)

    expect(items.map(({ feature }: Item) => feature)).toEqual(['old', 'seats'])
  })

  it('can assume another plan, with the grants that this plan had then', async () => {
    const { caller, setup, explain } = await organization()
    await setup.plan('max', { seats: { kind: 'limit', limit: 9 } })
    const then = await timeBeforeNextMillisecond()
    await requestSuccessfully(caller, 'PATCH', '/org/plans/max', { grants: { seats: { kind: 'limit', limit: 99 } } })

    expect(await explain(then, '&if_plan=max')).toMatchObject({ plan: 'max', items: [{ entitlement: { limit: 9 } }] })
    expect(await explain(then, '&if_plan=none')).toMatchObject({ plan: null, items: [{ entitlement: { limit: 0 } }] })
  })

  it('has values of any size', async () => {
    const { setup, explain } = await organization()
    await setup.feature('json', { kind: 'config', value_type: 'json' })
    const large = (letter: string) => ({ kind: 'config', value: Array(20).fill(letter.repeat(3000)) })
    await setup.override('acme', 'json', large('a'))
    const first = await timeBeforeNextMillisecond()
    await setup.override('acme', 'json', large('b'))
    const last = await timeBeforeNextMillisecond()

    const itemOf = async (at: string) => (await explain(at)).items.find(({ feature }: Item) => feature === 'json')

    expect((await itemOf(first)).entitlement).toMatchObject(large('a'))
    expect((await itemOf(last)).entitlement).toMatchObject(large('b'))
  })

  it('is exact to the millisecond in which a subscriber, override, subscription or plan was changed', async () => {
    const { caller, setup, explain } = await organization()
    await setup.plan('max', { seats: { kind: 'limit', limit: 9 } })
    const { body: bolt } = await caller.rest('POST', '/org/subscribers', { subscriber_id: 'bolt' })
    const justBefore = (at: string) => new Date(Date.parse(at) - 1).toISOString()
    await timeBeforeNextMillisecond()
    const put = await setup.override('acme', 'seats', { kind: 'limit', limit: 7 })
    await timeBeforeNextMillisecond()
    const again = await setup.override('acme', 'seats', { kind: 'limit', limit: 8 })
    await timeBeforeNextMillisecond()
    await requestSuccessfully(caller, 'DELETE', '/org/subscribers/acme/overrides/seats')
    const { body: changed } = await caller.rest('POST', '/org/subscribers/acme/subscriptions/change', {
      plan_id: 'max',
    })
    await timeBeforeNextMillisecond()
    const plan = await caller.rest('PATCH', '/org/plans/max', { grants: { seats: { kind: 'limit', limit: 10 } } })
    await timeBeforeNextMillisecond()

    expect((await setup.get(`/org/subscribers/bolt/explanation?at=${bolt.created_at}`)).plan).toBeNull()
    const before = await caller.rest('GET', `/org/subscribers/bolt/explanation?at=${justBefore(bolt.created_at)}`)
    expectInvalid(before, ['at', /must not be before/])
    const limitAt = async (at: string) => (await explain(at)).items[0].entitlement.limit
    expect(await limitAt(put.created_at)).toBe(7)
    expect(await limitAt(justBefore(put.created_at))).toBe(5)
    expect(await limitAt(again.updated_at)).toBe(8)
    expect(await limitAt(justBefore(again.updated_at))).toBe(7)
    expect(await explain(changed.created_at)).toMatchObject({ plan: 'max', items: [{ entitlement: { limit: 9 } }] })
    expect((await explain(justBefore(changed.created_at))).plan).toBe('pro')
    expect(await limitAt(plan.body.updated_at)).toBe(10)
    expect(await limitAt(justBefore(plan.body.updated_at))).toBe(9)
  })

  it('is refused for times before the subscriber was last created', async () => {
    const { caller, setup } = await organization()
    const before = await timeBeforeNextMillisecond()
    await requestSuccessfully(caller, 'DELETE', '/org/subscribers/acme')
    await setup.subscriber('acme')

    expectInvalid(await caller.rest('GET', `${path}?at=${before}`), ['at', /must not be before/])
    expect((await setup.get(`${path}?at=${await timeBeforeNextMillisecond()}`)).items).toHaveLength(1)
  })
})
