import { describe, expect, it } from 'vitest'
import { timestamp } from '../support/matchers.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

/** A vendor with a flag `sso` and the limit `seats`. */
async function organizationWithFeatures(): Promise<Caller> {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).feature('seats', { kind: 'limit' })
  return caller
}

const grants = {
  sso: { kind: 'flag' },
  seats: { kind: 'limit', limit: 5 },
}

describe('archive and unarchive', () => {
  it.each([undefined, {}])('retire a plan and reactivate it, with the body %j', async (body) => {
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
  it('removes a plan that never had a subscription, even an archived plan, with its grants', async () => {
    const caller = await organizationWithFeatures()
    await vendor(caller).plan('pro', grants)
    await vendor(caller).archive('pro')

    expect(await caller.rest('DELETE', '/org/plans/pro')).toMatchObject({ status: 204, body: undefined })

    expectRefusal(await caller.rest('GET', '/org/plans/pro'), 'NOT_FOUND', { resource: 'plan', id: 'pro' })
    expectRefusal(await caller.rest('DELETE', '/org/plans/pro'), 'NOT_FOUND', { resource: 'plan', id: 'pro' })
    expect(await caller.rest('DELETE', '/org/features/sso')).toMatchObject({ status: 204 })
  })

  it('is 409 for a plan that ever had a subscription, even a canceled one, or one of a deleted subscriber', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.plan('pro')
    await setup.subscriber('acme')
    const { id } = await setup.subscribe('acme', 'pro')
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
    expect(await setup.get('/org/plans/pro')).toMatchObject({ key: 'pro' })
  })
})
