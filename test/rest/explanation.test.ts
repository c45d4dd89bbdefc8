import { beforeEach, describe, expect, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { timestamp } from '../support/matchers.ts'
import { countRequestsInOneSecond } from '../support/one-second.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService()

const path = '/org/subscribers/acme/explanation'

/** `acme` is on `pro`, with overrides of `seats` until the year 2999, of `sso` (expired) and of `theme` (not granted). */
async function organizationToExplain(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.feature('sso')
  await setup.feature('seats', { kind: 'limit' })
  await setup.feature('color', colors)
  await setup.feature('theme', { kind: 'config', value_type: 'json' })
  await setup.plan('pro', { sso: { kind: 'flag' }, seats: { kind: 'limit', limit: 5 } })
  await setup.plan('max', { sso: { kind: 'flag' }, color: { kind: 'config', value: 'red' } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  const until = (expires_at: string) => ({ expires_at })
  await setup.override('acme', 'seats', { kind: 'limit', limit: 9, note: 'T-1', ...until('2999-03-12T08:00:00.000Z') })
  await setup.override('acme', 'sso', { kind: 'flag', allowed: false, ...until('2020-01-01T00:00:00.000Z') })
  await setup.override('acme', 'theme', { kind: 'config', value: { a: [1] } })
  return caller
}

const check = async (caller: Caller, feature: string) =>
  (await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature })).body

type Item = { feature: string; entitlement: unknown; override: unknown; plan_grant: unknown; beneath: unknown }

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('the explanation of a subscriber', () => {
  it('has for each feature the answer of a check, its reason, and the entitlement that an override hides', async () => {
    const caller = await organizationToExplain()

    const explanation = await vendor(caller).get(path)

    expect(explanation).toMatchObject({
      subscriber_id: 'acme',
      plan: 'pro',
      at: timestamp,
      valid_until: '2999-03-12T08:00:00.000Z',
    })
    const snapshot = await vendor(caller).get('/org/subscribers/acme/entitlements')
    expect(explanation.items.map(({ entitlement }: Item) => entitlement)).toEqual(snapshot.entitlements)
    const items = new Map(explanation.items.map((item: Item) => [item.feature, item]))
    expect(items.get('seats')).toEqual({
      feature: 'seats',
      kind: 'limit',
      entitlement: await check(caller, 'seats'),
      override: {
        ...(await vendor(caller).get('/org/subscribers/acme/overrides/seats')),
        note: 'T-1',
        set_by: { member_id: caller.memberId, display_name: 'admin', is_service_account: true, removed: false },
      },
      plan_grant: { kind: 'limit', limit: 5 },
      beneath: { feature: 'seats', kind: 'limit', allowed: true, limit: 5, source: 'plan', expires_at: null },
    })
    expect(items.get('sso')).toMatchObject({ override: null, plan_grant: { kind: 'flag' }, beneath: null })
    expect(items.get('theme')).toMatchObject({
      override: { value: { a: [1] } },
      plan_grant: null,
      beneath: { allowed: false, value: null, source: 'none' },
    })
  })

  it('can assume another active plan, or none', async () => {
    const caller = await organizationToExplain()

    const [max, none] = [
      await vendor(caller).get(`${path}?if_plan=max`),
      await vendor(caller).get(`${path}?if_plan=none`),
    ]

    const sources = ({ items }: { items: { entitlement: { source: string } }[] }) =>
      items.map(({ entitlement }) => entitlement.source)
    expect([max.plan, none.plan]).toEqual(['max', null])
    expect(sources(max)).toEqual(['override', 'plan', 'override', 'plan'])
    expect(sources(none)).toEqual(['override', 'none', 'override', 'none'])
  })

  it('can be requested for a future time, when an override will have expired', async () => {
    const caller = await organizationToExplain()

    const later = await vendor(caller).get(`${path}?at=2999-03-12T08:00:00Z`)

    expect(later).toMatchObject({ at: '2999-03-12T08:00:00.000Z', valid_until: null })
    const seats = later.items.find(({ feature }: Item) => feature === 'seats')
    expect(seats).toMatchObject({ entitlement: { limit: 5, source: 'plan' }, override: null, beneath: null })
  })

  it('has no items if there are no features, but still names the plan', async () => {
    const caller = await service.organization()
    await vendor(caller).plan('pro')
    await vendor(caller).subscriber('acme')
    await vendor(caller).subscribe('acme', 'pro')

    expect(await vendor(caller).get(path)).toMatchObject({ plan: 'pro', items: [], valid_until: null })
  })

  it('is refused for unknown objects, and for times before the subscriber was created', async () => {
    const caller = await organizationToExplain()

    expectRefusal(await caller.rest('GET', '/org/subscribers/nobody/explanation'), 'NOT_FOUND', {
      resource: 'subscriber',
      id: 'nobody',
    })
    expectRefusal(await caller.rest('GET', `${path}?if_plan=nope`), 'NOT_FOUND', { resource: 'plan', id: 'nope' })
    expectInvalid(await caller.rest('GET', `${path}?at=2020-01-01T00:00:00Z`), ['at', /not be before/])
    expectInvalid(await caller.rest('GET', `${path}?plan=pro`), ['plan', /Unknown query parameter/])
  })

  it('does not count as an eval, and is limited to 20 per second', async () => {
    const caller = await organizationToExplain()

    const used = (await vendor(caller).get('/org/eval-usage')).used
    countRequestsInOneSecond()
    for (let count = 0; count < 20; count++) expect((await caller.rest('GET', path)).status).toBe(200)

    expectRefusal(await caller.rest('GET', path), 'RATE_LIMITED', { retry_after_seconds: 1 })
    expect((await vendor(caller).get('/org/eval-usage')).used).toBe(used)
  })

  it('is the same in GraphQL', async () => {
    const caller = await organizationToExplain()

    const { body } = await caller.graphql(`{ explanation(subscriberId: "acme", ifPlan: "none") {
      plan validUntil
      items { feature kind entitlement { limit source } override { note setBy { displayName removed } } planGrant { limit } beneath { limit } }
    } }`)

    expect(body.data.explanation).toMatchObject({ plan: null, validUntil: '2999-03-12T08:00:00.000Z' })
    expect(body.data.explanation.items[2]).toEqual({
      feature: 'seats',
      kind: 'LIMIT',
      entitlement: { limit: 9, source: 'OVERRIDE' },
      override: { note: 'T-1', setBy: { displayName: 'admin', removed: false } },
      planGrant: null,
      beneath: { limit: 0 },
    })
  })
})

describe('the member who set an override', () => {
  it('keeps their name after they are removed', async () => {
    const caller = await organizationToExplain()
    const support = await service.member(caller.organizationId, 'support')
    await vendor(support).override('acme', 'seats', { kind: 'limit', limit: 10 })
    expect((await caller.rest('DELETE', `/org/members/${support.memberId}`)).status).toBe(204)

    const { items } = await vendor(caller).get(path)

    expect(items.find(({ feature }: Item) => feature === 'seats').override.set_by).toEqual({
      member_id: support.memberId,
      display_name: 'support',
      is_service_account: true,
      removed: true,
    })
  })
})
