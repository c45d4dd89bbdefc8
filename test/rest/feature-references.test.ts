import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'
import { colors, vendor } from '../support/vendor.ts'

const service = await sharedService()

describe('OPTION_IN_USE', () => {
  it('names each removed option in use, in display order, with its sorted plans and subscribers; nothing changes', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    const before = await setup.feature('color', colors)
    for (const plan of ['pro', 'basic']) await setup.plan(plan, { color: { kind: 'config', value: 'green' } })
    await setup.archive('pro')
    for (const id of ['zeta', 'Acme', 'acme']) {
      await setup.subscriber(id)
      await setup.override(id, 'color', { kind: 'config', value: id === 'zeta' ? 'blue' : 'green' })
    }

    const answer = await caller.rest('PATCH', '/org/features/color', { name: 'New', options: ['red'] })

    expectRefusal(answer, 'OPTION_IN_USE', {
      resource: 'feature',
      id: 'color',
      field: 'options',
      usage: [
        { option: 'green', plans: ['basic', 'pro'], overrides: ['Acme', 'acme'] },
        { option: 'blue', plans: [], overrides: ['zeta'] },
      ],
    })
    expect(await setup.get('/org/features/color')).toEqual(before)
  })

  it('does not apply to the option of an expired override', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('color', colors)
    await setup.subscriber('acme')
    await setup.override('acme', 'color', { kind: 'config', value: 'red', expires_at: '2020-01-01T00:00:00Z' })

    const answer = await caller.rest('PATCH', '/org/features/color', { options: ['green'] })

    expect(answer).toMatchObject({ status: 200, body: { options: ['green'] } })
  })

  it('compares options by their whole text', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    const option = '"quoted" \\ 🚀 \u2028'
    await setup.feature('color', { ...colors, options: [option, 'x'] })
    await setup.plan('pro', { color: { kind: 'config', value: option } })

    const answer = await caller.rest('PATCH', '/org/features/color', { options: ['x'] })

    const usage = [{ option, plans: ['pro'], overrides: [] }]
    expectRefusal(answer, 'OPTION_IN_USE', { resource: 'feature', id: 'color', field: 'options', usage })
  })
})

describe('DELETE /org/features/{key}', () => {
  it('answers 204 without a body, and the key may be used again', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('sso')

    const answer = await caller.rest('DELETE', '/org/features/sso')

    expect(answer).toMatchObject({ status: 204, body: undefined })
    expectRefusal(await caller.rest('GET', '/org/features/sso'), 'NOT_FOUND', { resource: 'feature', id: 'sso' })
    expectRefusal(await caller.rest('DELETE', '/org/features/sso'), 'NOT_FOUND', { resource: 'feature', id: 'sso' })
    await vendor(caller).feature('sso', { kind: 'limit' })
  })

  it('treats an empty body with the JSON content type as no body', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('sso')

    const headers = { 'content-type': 'application/json' }
    expect(await caller.rest('DELETE', '/org/features/sso', undefined, headers)).toMatchObject({ status: 204 })
  })

  it('is 409 while a plan grants the feature, even an archived plan', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.plan('pro', { sso: { kind: 'flag' } })
    await setup.archive('pro')

    expectRefusal(await caller.rest('DELETE', '/org/features/sso'), 'CONFLICT', { field: 'feature', value: 'sso' })
    await caller.rest('PATCH', '/org/plans/pro', { grants: {} })
    expect(await caller.rest('DELETE', '/org/features/sso')).toMatchObject({ status: 204 })
  })

  it('is 409 while the feature has an override, even an expired one', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.subscriber('acme')
    await setup.override('acme', 'sso', { kind: 'flag', allowed: true, expires_at: '2020-01-01T00:00:00Z' })

    expectRefusal(await caller.rest('DELETE', '/org/features/sso'), 'CONFLICT', { field: 'feature', value: 'sso' })
    await caller.rest('DELETE', '/org/subscribers/acme/overrides/sso')
    expect(await caller.rest('DELETE', '/org/features/sso')).toMatchObject({ status: 204 })
  })
})
