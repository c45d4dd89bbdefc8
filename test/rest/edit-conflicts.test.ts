import { beforeEach, describe, expect, it } from 'vitest'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const longAgo = '2020-01-01T00:00:00.000Z'

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).plan('pro')
  await vendor(caller).plan('max')
  await vendor(caller).subscriber('acme')
})

type Case = [what: string, method: string, path: () => string, read: () => string, change: object]

const cases: Case[] = [
  ['feature', 'PATCH', () => '/org/features/sso', () => '/org/features/sso', { name: 'Other' }],
  ['plan', 'PATCH', () => '/org/plans/pro', () => '/org/plans/pro', { name: 'Other' }],
  ['subscriber', 'PATCH', () => '/org/subscribers/acme', () => '/org/subscribers/acme', { name: 'Other' }],
  [
    'member',
    'PATCH',
    () => `/org/members/${caller.memberId}`,
    () => `/org/members/${caller.memberId}`,
    { display_name: 'Other' },
  ],
]

describe.each(cases)('a change to a %s with expected_updated_at', (_what, method, path, read, change) => {
  it('is made if nobody has changed the object since', async () => {
    const { updated_at } = await vendor(caller).get(read())

    const answer = await caller.rest(method, path(), { ...change, expected_updated_at: updated_at })

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject(change)
  })

  it('is refused, and changes nothing, if somebody else changed the object since', async () => {
    const before = await vendor(caller).get(read())

    const answer = await caller.rest(method, path(), { ...change, expected_updated_at: longAgo })

    expectRefusal(answer, 'CONFLICT', { field: 'updated_at', value: before.updated_at })
    expect(await vendor(caller).get(read())).toEqual(before)
  })
})

describe('a put of an override', () => {
  const path = '/org/subscribers/acme/overrides/sso'
  const body = { kind: 'flag', allowed: true }

  it('with expected_updated_at null is made only if there is no override yet', async () => {
    const first = await caller.rest('PUT', path, { ...body, expected_updated_at: null })
    const second = await caller.rest('PUT', path, { ...body, allowed: false, expected_updated_at: null })

    expect(first.status).toBe(200)
    expectRefusal(second, 'CONFLICT', { field: 'updated_at', value: first.body.updated_at })
  })

  it('with the updated_at of a deleted override is refused', async () => {
    expectRefusal(await caller.rest('PUT', path, { ...body, expected_updated_at: longAgo }), 'CONFLICT', {
      field: 'updated_at',
      value: null,
    })
  })
})

describe('a delete of an override', () => {
  const path = '/org/subscribers/acme/overrides/sso'

  it('accepts expected_updated_at as a query parameter', async () => {
    const { updated_at } = await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true })

    const stale = await caller.rest('DELETE', `${path}?expected_updated_at=${longAgo}`)
    const wrong = await caller.rest('DELETE', `${path}?expected_updated_at=today`)
    const right = await caller.rest('DELETE', `${path}?expected_updated_at=${updated_at}`)

    expectRefusal(stale, 'CONFLICT', { field: 'updated_at', value: updated_at })
    expectInvalid(wrong, ['expected_updated_at', /must be the override's updated_at/])
    expect(right.status).toBe(204)
  })
})

describe('a change or cancel of a subscription with expected_subscription_id', () => {
  const path = '/org/subscribers/acme/subscriptions'
  const other = '01J0000000000000000000000Z'

  it('is refused if another subscription is active', async () => {
    const { id } = await vendor(caller).subscribe('acme', 'pro')

    const change = await caller.rest('POST', `${path}/change`, { plan_id: 'max', expected_subscription_id: other })
    const cancel = await caller.rest('POST', `${path}/${id}/cancel`, { expected_subscription_id: other })

    for (const answer of [change, cancel]) expectRefusal(answer, 'CONFLICT', { field: 'subscription', value: id })
  })

  it('is made if the expected subscription is still active', async () => {
    const { id } = await vendor(caller).subscribe('acme', 'pro')

    const change = await caller.rest('POST', `${path}/change`, { plan_id: 'max', expected_subscription_id: id })
    const cancel = await caller.rest('POST', `${path}/${change.body.id}/cancel`, {
      expected_subscription_id: change.body.id,
    })

    expect([change.status, cancel.status]).toEqual([200, 200])
  })
})

describe('the note of an override', () => {
  const path = '/org/subscribers/acme/overrides/sso'

  it('is stored, recorded when it changes, and removed by null or by its absence in a put', async () => {
    const put = async (note?: string | null) =>
      (await caller.rest('PUT', path, { kind: 'flag', allowed: true, ...(note !== undefined && { note }) })).body

    expect(await put('T-1')).toMatchObject({ note: 'T-1' })
    expect(await put('T-2')).toMatchObject({ note: 'T-2' })
    expect(await put(null)).not.toHaveProperty('note')
    await put('T-3')
    expect(await put()).not.toHaveProperty('note')

    const log = await vendor(caller).get('/org/audit-events?params[feature_key]=sso')
    expect(log.audit_events.map(({ details }: { details: object }) => details)).toEqual([
      { note: { from: 'T-3', to: null } },
      { note: { from: null, to: 'T-3' } },
      { note: { from: 'T-2', to: null } },
      { note: { from: 'T-1', to: 'T-2' } },
      { override_id: expect.any(String), kind: 'flag', allowed: true, expires_at: null, note: 'T-1' },
    ])
  })

  it('queues no event when only the note changes', async () => {
    await caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
    await caller.rest('PUT', path, { kind: 'flag', allowed: true })
    const count = async () => (await vendor(caller).get('/org/webhook/events')).events.length
    const before = await count()

    await caller.rest('PUT', path, { kind: 'flag', allowed: true, note: 'why' })

    expect(await count()).toBe(before)
  })

  it('has 1 to 500 characters', async () => {
    for (const note of ['', 'x'.repeat(501)]) {
      expectInvalid(await caller.rest('PUT', path, { kind: 'flag', allowed: true, note }), ['note', /1 to 500/])
    }
  })
})
