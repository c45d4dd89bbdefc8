import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { timestamp, ulid } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

const path = '/org/subscribers/acme/subscriptions'

/** A vendor with the subscriber `acme`, the plans `pro` and `basic`, and the archived plan `old`. */
async function organizationWithPlans(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  for (const plan of ['pro', 'basic', 'old']) await setup.plan(plan)
  await setup.archive('old')
  await setup.subscriber('acme')
  return caller
}

const list = async (caller: Caller) => (await vendor(caller).get(path)).subscriptions

describe('POST .../subscriptions', () => {
  it('subscribes to a plan by its key', async () => {
    const caller = await organizationWithPlans()

    const answer = await caller.rest('POST', path, { plan_id: 'pro', ignored: true })

    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: ulid,
      subscriber_id: 'acme',
      plan_id: 'pro',
      status: 'active',
      created_at: timestamp,
      canceled_at: null,
    })
    expect(await list(caller)).toEqual([answer.body])
  })

  it('is 409 while there is an active subscription, and 201 again once it is canceled', async () => {
    const caller = await organizationWithPlans()
    const active = await vendor(caller).subscribe('acme', 'pro')

    const answer = await caller.rest('POST', path, { plan_id: 'basic' })

    expectRefusal(answer, 'CONFLICT', { field: 'subscription', value: active.id })
    expect(await list(caller)).toEqual([active])
    await caller.rest('POST', `${path}/${active.id}/cancel`)
    expect(await caller.rest('POST', path, { plan_id: 'basic' })).toMatchObject({ status: 201 })
  })

  it.each([path, `${path}/change`])('refuses in this order: 404, PLAN_ARCHIVED, CONFLICT (%s)', async (where) => {
    const caller = await organizationWithPlans()
    const isChange = where.endsWith('change')
    const active = isChange ? null : await vendor(caller).subscribe('acme', 'pro')

    for (const plan of ['nope', 'No pe', '__proto__', 'x'.repeat(300)]) {
      const answer = await caller.rest('POST', where, { plan_id: plan })
      expectRefusal(answer, 'NOT_FOUND', { resource: 'plan', id: plan })
    }
    const archived = await caller.rest('POST', where, { plan_id: 'old' })
    expectRefusal(archived, 'PLAN_ARCHIVED', { resource: 'plan', id: 'old' })
    const conflict = await caller.rest('POST', where, { plan_id: 'basic' })
    expectRefusal(conflict, 'CONFLICT', { field: 'subscription', value: active?.id ?? null })
    expect(await list(caller)).toEqual(active ? [active] : [])
  })

  it.each<[unknown, [string, RegExp]]>([
    [{}, ['plan_id', /^plan_id is required/]],
    [undefined, ['plan_id', /^plan_id is required/]],
    [{ planId: 'pro' }, ['planId', /did you mean "plan_id"\?/i]],
    [{ plan: 'pro' }, ['plan', /did you mean "plan_id"\?/i]],
    [{ plna_id: 'pro' }, ['plna_id', /did you mean "plan_id"\?/i]],
    [{ plan_id: '' }, ['plan_id', /key of a plan/]],
    [{ plan_id: null }, ['plan_id', /key of a plan/]],
    [{ plan_id: 5 }, ['plan_id', /key of a plan/]],
    [{ plan_id: ['pro'] }, ['plan_id', /key of a plan/]],
    [{ plan_id: 'pro\u0000' }, ['plan_id', /key of a plan/]],
    [{ plan_id: '\ud800' }, ['plan_id', /key of a plan/]],
  ])('refuses %j with 422, on create and change', async (body, field) => {
    const caller = await organizationWithPlans()

    expectInvalid(await caller.rest('POST', path, body), field)
    expectInvalid(await caller.rest('POST', `${path}/change`, body), field)
    expect(await list(caller)).toEqual([])
  })
})

describe('POST .../subscriptions/change', () => {
  it('cancels the active subscription, creates another, and answers 200', async () => {
    const caller = await organizationWithPlans()
    const old = await vendor(caller).subscribe('acme', 'pro')

    const answer = await caller.rest('POST', `${path}/change`, { plan_id: 'basic' })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...old, id: ulid, plan_id: 'basic', created_at: timestamp })
    expect(answer.body.id > old.id).toBe(true)
    expect(await list(caller)).toEqual([
      { ...old, status: 'canceled', canceled_at: answer.body.created_at },
      answer.body,
    ])
  })

  it('treats a change to the same plan like a change to another plan', async () => {
    const caller = await organizationWithPlans()
    const old = await vendor(caller).subscribe('acme', 'pro')

    const answer = await caller.rest('POST', `${path}/change`, { plan_id: 'pro' })

    expect(answer).toMatchObject({ status: 200, body: { plan_id: 'pro', status: 'active' } })
    expect(answer.body.id).not.toBe(old.id)
    expect((await list(caller)).map(({ status }: { status: string }) => status)).toEqual(['canceled', 'active'])
  })

  it('refuses an archived plan and keeps the active subscription', async () => {
    const caller = await organizationWithPlans()
    const active = await vendor(caller).subscribe('acme', 'pro')

    const answer = await caller.rest('POST', `${path}/change`, { plan_id: 'old' })

    expectRefusal(answer, 'PLAN_ARCHIVED', { resource: 'plan', id: 'old' })
    expect(await list(caller)).toEqual([active])
  })

  it('is 409 after the last subscription was canceled', async () => {
    const caller = await organizationWithPlans()
    const { id } = await vendor(caller).subscribe('acme', 'pro')
    await caller.rest('POST', `${path}/${id}/cancel`)

    const answer = await caller.rest('POST', `${path}/change`, { plan_id: 'pro' })

    expectRefusal(answer, 'CONFLICT', { field: 'subscription', value: null })
  })
})

describe('POST .../subscriptions/{subscription_id}/cancel', () => {
  it.each([undefined, {}])('answers 200 with the canceled subscription, with the body %j', async (body) => {
    const caller = await organizationWithPlans()
    const active = await vendor(caller).subscribe('acme', 'pro')

    const answer = await caller.rest('POST', `${path}/${active.id}/cancel`, body)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...active, status: 'canceled', canceled_at: timestamp })
    expect(await list(caller)).toEqual([answer.body])
  })

  it('is 409 for a subscription that is already canceled, and changes nothing', async () => {
    const caller = await organizationWithPlans()
    const { id } = await vendor(caller).subscribe('acme', 'pro')
    const canceled = (await caller.rest('POST', `${path}/${id}/cancel`)).body

    const answer = await caller.rest('POST', `${path}/${id}/cancel`)

    expectRefusal(answer, 'CONFLICT', { field: 'status', value: 'canceled' })
    expect(await list(caller)).toEqual([canceled])
  })

  it('works for an archived plan, which keeps its subscribers', async () => {
    const caller = await organizationWithPlans()
    const active = await vendor(caller).subscribe('acme', 'pro')
    await vendor(caller).archive('pro')

    expect(await list(caller)).toEqual([active])
    expect(await caller.rest('POST', `${path}/${active.id}/cancel`)).toMatchObject({ status: 200 })
  })

  it('is 404 for an unknown id, a malformed id, and a subscription of another subscriber', async () => {
    const caller = await organizationWithPlans()
    await vendor(caller).subscriber('other')
    const { id } = await vendor(caller).subscribe('other', 'pro')

    for (const each of [newId(), 'nope', id, id.toLowerCase(), '%00', '%ff']) {
      const decoded = each === '%00' ? '\ufffd' : each
      const answer = await caller.rest('POST', `${path}/${each}/cancel`)
      expectRefusal(answer, 'NOT_FOUND', { resource: 'subscription', id: decoded })
    }
    expect((await vendor(caller).get('/org/subscribers/other/subscriptions')).subscriptions).toMatchObject([
      { id, status: 'active' },
    ])
  })
})
