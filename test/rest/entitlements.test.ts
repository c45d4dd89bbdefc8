import { beforeEach, describe, expect, it } from 'vitest'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

const path = '/org/subscribers/acme/entitlements'

/** A vendor with four features; the plan `pro` grants all except `theme`, and `acme` has no subscription yet. */
async function organizationWithPlan(): Promise<Caller> {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.feature('theme', { kind: 'config', value_type: 'json' })
  await setup.plan('pro', {
    sso: { kind: 'flag' },
    seats: { kind: 'limit', limit: 5 },
    color: { kind: 'config', value: 'red' },
  })
  await setup.subscriber('acme')
  return caller
}

const fromPlan = { source: 'plan', expires_at: null }
const fromNothing = { allowed: false, source: 'none', expires_at: null }

async function check(caller: Caller, feature: string) {
  const answer = await caller.rest('POST', `${path}/check`, { feature })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return answer.body
}

// The counted evals of a test must be of one month.
beforeEach(waitIfNearMidnight)

describe('GET .../entitlements', () => {
  it('has one item for every feature, newest first, each equal to the answer of a check', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    await setup.subscribe('acme', 'pro')
    await setup.override('acme', 'seats', { kind: 'limit', limit: null, expires_at: '2999-06-01T00:00:00Z' })
    await setup.override('acme', 'theme', {
      kind: 'config',
      value: { b: 1, a: [] },
      expires_at: '2999-01-01T00:00:00Z',
    })

    const snapshot = await setup.get(path)

    expect(snapshot).toEqual({
      subscriber_id: 'acme',
      plan: 'pro',
      entitlements: [
        {
          feature: 'theme',
          kind: 'config',
          allowed: true,
          value: { b: 1, a: [] },
          source: 'override',
          expires_at: '2999-01-01T00:00:00.000Z',
        },
        { feature: 'color', kind: 'config', allowed: true, value: 'red', ...fromPlan },
        {
          feature: 'seats',
          kind: 'limit',
          allowed: true,
          limit: null,
          source: 'override',
          expires_at: '2999-06-01T00:00:00.000Z',
        },
        { feature: 'sso', kind: 'flag', allowed: true, ...fromPlan },
      ],
      valid_until: '2999-01-01T00:00:00.000Z',
    })
    for (const item of snapshot.entitlements) expect(await check(caller, item.feature)).toEqual(item)
  })

  it('grants nothing without a plan or an override', async () => {
    const caller = await organizationWithPlan()

    expect(await vendor(caller).get(path)).toEqual({
      subscriber_id: 'acme',
      plan: null,
      entitlements: [
        { feature: 'theme', kind: 'config', value: null, ...fromNothing },
        { feature: 'color', kind: 'config', value: null, ...fromNothing },
        { feature: 'seats', kind: 'limit', limit: 0, ...fromNothing },
        { feature: 'sso', kind: 'flag', ...fromNothing },
      ],
      valid_until: null,
    })
  })

  it('is an empty list for an empty catalog', async () => {
    const caller = await service.organization('support')
    await vendor(caller).subscriber('acme')

    const nothing = { subscriber_id: 'acme', plan: null, entitlements: [], valid_until: null }
    expect(await vendor(caller).get(path)).toEqual(nothing)
  })

  it('ignores query parameters', async () => {
    const caller = await organizationWithPlan()

    expect(await vendor(caller).get(`${path}?feature=sso&limit=0`)).toMatchObject({ subscriber_id: 'acme' })
  })

  it('answers for features, plans and subscribers named __proto__ and constructor', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    for (const key of ['__proto__', 'constructor']) await setup.feature(key, { kind: 'limit' })
    const grants = '{"__proto__":{"kind":"limit","limit":1}}'
    await caller.rest('POST', '/org/plans', `{"key":"__proto__","name":"P","grants":${grants}}`)
    await setup.subscriber('__proto__')
    await setup.subscribe('__proto__', '__proto__')
    await setup.override('__proto__', 'constructor', { kind: 'limit', limit: 2 })

    const { plan, entitlements } = await setup.get('/org/subscribers/__proto__/entitlements')

    expect(plan).toBe('__proto__')
    expect(entitlements).toEqual([
      { feature: 'constructor', kind: 'limit', allowed: true, limit: 2, source: 'override', expires_at: null },
      { feature: '__proto__', kind: 'limit', allowed: true, limit: 1, ...fromPlan },
    ])
  })
})

describe('the resolution order', () => {
  it('is the live override, then the plan, then nothing, even after changes', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    const seats = { feature: 'seats', kind: 'limit' }
    const override = { ...seats, allowed: true, limit: 9, source: 'override', expires_at: null }

    const { id } = await setup.subscribe('acme', 'pro')
    expect(await check(caller, 'seats')).toEqual({ ...seats, allowed: true, limit: 5, ...fromPlan })
    await setup.override('acme', 'seats', { kind: 'limit', limit: 9 })
    expect(await check(caller, 'seats')).toEqual(override)
    await caller.rest('DELETE', '/org/subscribers/acme/overrides/seats')
    expect(await check(caller, 'seats')).toEqual({ ...seats, allowed: true, limit: 5, ...fromPlan })
    await setup.archive('pro')
    expect(await check(caller, 'seats')).toEqual({ ...seats, allowed: true, limit: 5, ...fromPlan })
    await caller.rest('POST', `/org/subscribers/acme/subscriptions/${id}/cancel`)
    expect(await check(caller, 'seats')).toEqual({ ...seats, limit: 0, ...fromNothing })
    await setup.override('acme', 'seats', { kind: 'limit', limit: 9 })
    expect(await check(caller, 'seats')).toEqual(override)
  })

  it('skips an override that has expired', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    await setup.subscribe('acme', 'pro')
    await setup.override('acme', 'sso', { kind: 'flag', allowed: false, expires_at: '2020-01-01T00:00:00Z' })

    expect(await check(caller, 'sso')).toEqual({ feature: 'sso', kind: 'flag', allowed: true, ...fromPlan })
    expect(await setup.get(path)).toMatchObject({ valid_until: null })
  })

  it.each<[string, object, object]>([
    ['sso', { kind: 'flag', allowed: false }, { allowed: false }],
    ['seats', { kind: 'limit', limit: 0 }, { allowed: false, limit: 0 }],
    ['seats', { kind: 'limit', limit: null }, { allowed: true, limit: null }],
    ['color', { kind: 'config', value: 'blue' }, { allowed: true, value: 'blue' }],
    ['theme', { kind: 'config', value: false }, { allowed: true, value: false }],
  ])('prefers the override to the plan for %s with %j', async (feature, body, expected) => {
    const caller = await organizationWithPlan()
    await vendor(caller).subscribe('acme', 'pro')
    const { kind } = await vendor(caller).override('acme', feature, { ...body })

    expect(await check(caller, feature)).toEqual({ feature, kind, ...expected, source: 'override', expires_at: null })
  })

  it('applies a changed plan and a changed subscription at once', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    await setup.subscribe('acme', 'pro')
    expect(await check(caller, 'seats')).toMatchObject({ limit: 5 })
    await caller.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 0 } } })
    expect(await check(caller, 'seats')).toMatchObject({ allowed: false, limit: 0, source: 'plan' })
    expect(await check(caller, 'sso')).toMatchObject({ allowed: false, source: 'none' })
    await setup.plan('free')
    await caller.rest('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'free' })
    expect(await setup.get(path)).toMatchObject({ plan: 'free' })
    expect(await check(caller, 'seats')).toMatchObject({ limit: 0, source: 'none' })
  })
})

describe('POST .../entitlements/check', () => {
  it('ignores unknown fields', async () => {
    const caller = await organizationWithPlan()

    const answer = await caller.rest('POST', `${path}/check`, { feature: 'sso', at: 'now', __proto__: 1 })

    expect(answer).toMatchObject({ status: 200, body: { feature: 'sso', ...fromNothing } })
  })

  it.each<[unknown, [string, RegExp]]>([
    [undefined, ['feature', /^feature is required/]],
    [{}, ['feature', /^feature is required/]],
    [{ feature_key: 'sso' }, ['feature_key', /did you mean "feature"\?/i]],
    [{ featrue: 'sso' }, ['featrue', /did you mean "feature"\?/i]],
    [{ feature: null }, ['feature', /^feature must be the key of a feature/]],
    [{ feature: '' }, ['feature', /^feature must be the key of a feature/]],
    [{ feature: 5 }, ['feature', /^feature must be text \("5"\): the key of a feature/]],
    [{ feature: ['sso'] }, ['feature', /^feature must be the key of a feature/]],
    [{ feature: 'nope' }, ['feature', /"nope" is not in the catalog/]],
    [{ feature: 'SSO' }, ['feature', /"SSO" is not in the catalog/]],
    [{ feature: 'sso,seats' }, ['feature', /"sso,seats" is not in the catalog/]],
    [{ feature: '__proto__' }, ['feature', /"__proto__" is not in the catalog/]],
    [{ feature: 'x'.repeat(5000) }, ['feature', /is not in the catalog/]],
  ])('refuses %j with 422', async (body, field) => {
    const caller = await organizationWithPlan()

    expectInvalid(await caller.rest('POST', `${path}/check`, body), field)
  })

  it('is 404 for an unknown subscriber, even if the feature is unknown too', async () => {
    const caller = await organizationWithPlan()

    const answer = await caller.rest('POST', '/org/subscribers/nope/entitlements/check', { feature: 'nope' })

    expectRefusal(answer, 'NOT_FOUND', { resource: 'subscriber', id: 'nope' })
  })
})

describe('POST .../entitlements/check with features', () => {
  const several = (caller: Caller, features: unknown) => caller.rest('POST', `${path}/check`, { features })

  it('answers each feature in the requested order, as a check of one feature does, and counts one eval', async () => {
    const caller = await organizationWithPlan()
    const setup = vendor(caller)
    await setup.subscribe('acme', 'pro')
    await setup.override('acme', 'theme', { kind: 'config', value: [1, '],['], expires_at: '2999-01-01T00:00:00Z' })
    await setup.override('acme', 'seats', { kind: 'limit', limit: 7, expires_at: '2020-01-01T00:00:00Z' })
    const features = ['seats', 'theme', 'color', 'sso']

    const answer = await several(caller, features)

    const { used } = await setup.get('/org/eval-usage')
    const alone = []
    for (const feature of features) alone.push(await check(caller, feature))
    expect(answer).toMatchObject({ status: 200, body: { entitlements: alone } })
    expect(Object.keys(answer.body)).toEqual(['entitlements'])
    expect(used).toBe(1)
  })

  it('answers with a list even for one feature', async () => {
    const caller = await organizationWithPlan()

    const { body } = await several(caller, ['sso'])

    expect(body).toEqual({ entitlements: [{ feature: 'sso', kind: 'flag', ...fromNothing }] })
  })

  it('accepts 100 features', async () => {
    const caller = await organizationWithPlan()
    const keys = Array.from({ length: 100 }, (_, index) => `feature-${index}`)

    const answer = await several(caller, keys)

    expectInvalid(answer, ...keys.map((key, index) => toUnknown(index, key)))
  })

  const toUnknown = (index: number, key: string): [string, RegExp] => [
    `features.${index}`,
    new RegExp(`^features\\.${index} "${key}" is not in the catalog\\.$`),
  ]
  const list = /^features must be a list of 1 to 100 different keys of features/
  const tooMany = Array.from({ length: 101 }, (_, index) => `feature-${index}`)
  it.each<[unknown, ...[string, RegExp][]]>([
    [{ feature: 'sso', features: ['sso'] }, ['features', /^Send feature or features, not both\.$/]],
    [{ feature: null, features: ['sso'] }, ['features', /^Send feature or features, not both\.$/]],
    [{ features: null }, ['features', list]],
    [{ features: [] }, ['features', list]],
    [{ features: 'sso' }, ['features', list]],
    [{ features: ['sso', ''] }, ['features', list]],
    [{ features: ['sso', 5] }, ['features', list]],
    [{ features: tooMany }, ['features', list]],
    [
      { features: ['sso', 'color', 'sso', 'no', 'no'] },
      ['features.2', /^features\.2 repeats "sso"\.$/],
      ['features.4', /^features\.4 repeats "no"\.$/],
    ],
    [
      { features: ['nope', 'sso', 'SSO', 'a,b', 'seats', '__proto__'] },
      toUnknown(0, 'nope'),
      toUnknown(2, 'SSO'),
      toUnknown(3, 'a,b'),
      toUnknown(5, '__proto__'),
    ],
    [{ featurse: ['sso'] }, ['featurse', /^feature is required: unknown field "featurse", did you mean "feature"\?$/]],
  ])('refuses %j with 422', async (body, ...fields) => {
    const caller = await organizationWithPlan()

    expectInvalid(await caller.rest('POST', `${path}/check`, body), ...fields)
    expect((await vendor(caller).get('/org/eval-usage')).used).toBe(0)
  })

  it('is refused in this order: by shape, rate, subscriber, catalog and allotment', async () => {
    const caller = await organizationWithPlan()
    const limit = (data: { rateLimit?: number; allotment?: bigint }) =>
      service.database.prisma.evalCounter.update({ where: { organizationId: caller.organizationId }, data })
    const codeOf = async (features: unknown, subscriber = 'acme') => {
      const { body } = await caller.rest('POST', `/org/subscribers/${subscriber}/entitlements/check`, { features })
      return body.error.code
    }

    await limit({ allotment: 0n })
    expect(await codeOf(['sso', 'nope'], 'nobody')).toBe('NOT_FOUND')
    expect(await codeOf(['sso', 'nope'])).toBe('VALIDATION_ERROR')
    expect(await codeOf(['sso', 'seats'])).toBe('CONFLICT')
    await limit({ rateLimit: 0 })
    expect(await codeOf(['sso', 'nope'], 'nobody')).toBe('RATE_LIMITED')
    expect(await codeOf(['sso', 'sso'], 'nobody')).toBe('VALIDATION_ERROR')
  })
})
