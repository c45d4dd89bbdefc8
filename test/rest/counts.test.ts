import { describe, expect, it } from 'vitest'
import { expectInvalid } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'

const service = await sharedService()
const exactly = (value: number) => ({ value, is_exact: true })
const none = exactly(0)
const past = '2020-01-01T00:00:00.000Z'

/** `ann` and `bob` are on `pro`, and `cy` no longer is; `sso` has a live override and an expired one. */
async function createFurnishedOrganization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', grantOfEach)
  await setup.plan('max', { sso: { kind: 'flag' } })
  await setup.archive('max')
  for (const subscriber of ['ann', 'bob', 'cy']) {
    await setup.subscriber(subscriber)
    await setup.subscribe(subscriber, 'pro')
  }
  const { subscriptions } = await setup.get('/org/subscribers/cy/subscriptions')
  await caller.rest('POST', `/org/subscribers/cy/subscriptions/${subscriptions[0].id}/cancel`)
  await setup.override('ann', 'sso', { kind: 'flag', allowed: true })
  await setup.override('bob', 'sso', { kind: 'flag', allowed: true, expires_at: past })
  return caller
}

async function addSubscribers(organizationId: string, count: number) {
  await service.database.pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select $1, 'many-' || i, now(), now() from generate_series(1, $2::int) i`,
    [organizationId, count],
  )
}

describe('the counts of an organization', () => {
  it('match the lists, live overrides, and invites that can still be used', async () => {
    const caller = await createFurnishedOrganization()
    for (const role of ['viewer', 'support']) await caller.rest('POST', '/org/invites', { role })
    await service.database.pool.query(
      `update invite set expires_at = now() where organization_id = $1 and role = 'support'`,
      [caller.organizationId],
    )

    expect(await vendor(caller).get('/org/counts')).toEqual({
      features: exactly(3),
      plans: exactly(2),
      subscribers: exactly(3),
      live_overrides: exactly(1),
      members: exactly(1),
      service_accounts: exactly(1),
      pending_invites: exactly(1),
    })
  })

  it('are 0 in a new organization, whatever other organizations have', async () => {
    await createFurnishedOrganization()
    const caller = await service.organization()

    const { members, service_accounts, ...others } = await vendor(caller).get('/org/counts')

    expect([members, service_accounts]).toEqual([exactly(1), exactly(1)])
    for (const count of Object.values(others)) expect(count).toEqual(none)
  })

  it('are null for callers who may not read the objects', async () => {
    const caller = await createFurnishedOrganization()
    const viewer = await service.member(caller.organizationId, 'viewer')

    expect(await vendor(viewer).get('/org/counts')).toMatchObject({ subscribers: exactly(3), pending_invites: null })
    expectInvalid(await caller.rest('GET', '/org/counts?of=plans'), ['of', /Unknown query parameter/])
    const { body } = await viewer.graphql('{ counts { plans { value isExact } pendingInvites { value } } }')
    expect(body.data.counts).toEqual({ plans: { value: 2, isExact: true }, pendingInvites: null })
  })

  it('are exact up to 10,000', async () => {
    const caller = await service.organization()
    await addSubscribers(caller.organizationId, 10_000)
    expect((await vendor(caller).get('/org/counts')).subscribers).toEqual(exactly(10_000))

    await vendor(caller).subscriber('one-more')

    expect((await vendor(caller).get('/org/counts')).subscribers).toEqual({ value: 10_000, is_exact: false })
  })
})

describe('counts in GraphQL', () => {
  it('include the subscribers of a plan, the overrides of a feature, and the plans that grant it', async () => {
    const caller = await createFurnishedOrganization()

    const { body } = await caller.graphql(`{
      plans(includeArchived: true) { key subscriberCount { value isExact } }
      features { key overrideCount { value isExact } grants { planKey grant { kind limit } } }
    }`)

    expect(body.errors).toBeUndefined()
    expect(body.data.plans).toEqual([
      { key: 'max', subscriberCount: { value: 0, isExact: true } },
      { key: 'pro', subscriberCount: { value: 2, isExact: true } },
    ])
    const flag = { kind: 'FLAG', limit: null }
    expect(body.data.features[2]).toEqual({
      key: 'sso',
      overrideCount: { value: 1, isExact: true },
      grants: [
        { planKey: 'max', grant: flag },
        { planKey: 'pro', grant: flag },
      ],
    })
    expect(body.data.features[1]).toMatchObject({
      overrideCount: { value: 0 },
      grants: [{ planKey: 'pro', grant: { limit: 5 } }],
    })
  })

  it('include nothing of other organizations that use the same keys, and neither do previews', async () => {
    await createFurnishedOrganization()
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.features()
    await setup.plan('pro', { seats: { kind: 'limit', limit: 1 } })
    await setup.plan('max')
    await setup.subscriber('ann')

    const { body } = await caller.graphql(`{
      plans { key subscriberCount { value } }
      features { key overrideCount { value } grants { planKey } }
      previewPlanUpdate(input: { key: "pro", grants: [{ feature: "sso", kind: FLAG }] }) {
        subscribers { value } changes { feature from { limit } hiddenByOverride { value } }
      }
    }`)

    expect(body.errors).toBeUndefined()
    expect(body.data.plans).toEqual(['max', 'pro'].map((key) => ({ key, subscriberCount: { value: 0 } })))
    expect(body.data.features).toEqual([
      { key: 'color', overrideCount: { value: 0 }, grants: [] },
      { key: 'seats', overrideCount: { value: 0 }, grants: [{ planKey: 'pro' }] },
      { key: 'sso', overrideCount: { value: 0 }, grants: [] },
    ])
    expect(body.data.previewPlanUpdate).toEqual({
      subscribers: { value: 0 },
      changes: [
        { feature: 'seats', from: { limit: 1 }, hiddenByOverride: { value: 0 } },
        { feature: 'sso', from: null, hiddenByOverride: { value: 0 } },
      ],
    })
  })
})
