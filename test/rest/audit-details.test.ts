import { describe, expect, it } from 'vitest'
import { expectEntry, readLog } from '../support/audit.ts'
import { type Caller, sharedService } from '../support/service.ts'

const service = await sharedService()

const features = '/org/features'
const feature = '/org/features/{key}'
const overrides = '/org/subscribers/{subscriber_id}/overrides/{feature_key}'

async function send(admin: Caller, method: string, path: string, body?: unknown) {
  const answer = await admin.rest(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

const flag = { key: 'sso', name: 'SSO', kind: 'flag' }
const limit = { key: 'seats', name: 'Seats', kind: 'limit' }
const color = { key: 'color', name: 'Color', kind: 'config', value_type: 'enum', options: ['red', 'blue'] }
const theme = { key: 'theme', name: 'Theme', kind: 'config', value_type: 'json' }

/** An organization with the features above and two plans; `acme` is a subscriber. */
async function vendor(): Promise<Caller> {
  const admin = await service.organization()
  for (const body of [flag, limit, color, theme]) await send(admin, 'POST', features, body)
  await send(admin, 'POST', '/org/plans', { key: 'pro', name: 'Pro', grants: { seats: { kind: 'limit', limit: 5 } } })
  await send(admin, 'POST', '/org/plans', { key: 'max', name: 'Max' })
  await send(admin, 'POST', '/org/subscribers', { subscriber_id: 'acme' })
  return admin
}

describe('the entry of a feature', () => {
  it('records key, name and kind on creation', async () => {
    const admin = await service.organization()

    await expectEntry(admin, ['POST', features, { ...flag, description: 'not in the entry' }], () => ({
      route: features,
      details: flag,
      created_id: 'sso',
    }))
  })

  it('records the value_type of a config feature, and the options of an enum', async () => {
    const admin = await service.organization()

    await expectEntry(admin, ['POST', features, theme], () => ({
      route: features,
      details: theme,
      created_id: 'theme',
    }))
    await expectEntry(admin, ['POST', features, color], () => ({
      route: features,
      details: color,
      created_id: 'color',
    }))
  })

  it('records only the changed fields among name, description and options', async () => {
    const admin = await vendor()

    await expectEntry(
      admin,
      ['PATCH', '/org/features/color', { name: 'Colour', description: 'Of the sky', options: ['blue', 'red', 'grey'] }],
      () => ({
        route: feature,
        params: { key: 'color' },
        details: {
          name: { from: 'Color', to: 'Colour' },
          description: { from: '', to: 'Of the sky' },
          options: { from: ['red', 'blue'], to: ['blue', 'red', 'grey'] },
        },
      }),
    )
    await expectEntry(admin, ['PATCH', '/org/features/color', { name: 'Colour', description: 'Sky' }], () => ({
      route: feature,
      params: { key: 'color' },
      details: { description: { from: 'Of the sky', to: 'Sky' } },
    }))
    await expectEntry(admin, ['PATCH', '/org/features/color', { name: 'Colour' }], () => ({
      route: feature,
      params: { key: 'color' },
    }))
  })

  it('has null details on deletion', async () => {
    const admin = await vendor()

    await expectEntry(admin, ['DELETE', '/org/features/sso'], () => ({ route: feature, params: { key: 'sso' } }))
  })
})

describe('the entry of a plan', () => {
  it('records key, name, kind and each grant on creation', async () => {
    const admin = await vendor()
    const grants = {
      sso: { kind: 'flag' },
      seats: { kind: 'limit', limit: null },
      theme: { kind: 'config', value: { b: 1, a: [2] } },
    }

    await expectEntry(admin, ['POST', '/org/plans', { key: 'all', name: 'All', grants }], () => ({
      route: '/org/plans',
      details: { key: 'all', name: 'All', kind: 'standard', grants },
      created_id: 'all',
    }))
    await expectEntry(admin, ['POST', '/org/plans', { key: 'none', name: 'None', kind: 'trial' }], () => ({
      route: '/org/plans',
      details: { key: 'none', name: 'None', kind: 'trial', grants: {} },
      created_id: 'none',
    }))
  })

  it('records a changed name and each changed grant, with null when the plan does not grant the feature', async () => {
    const admin = await vendor()
    await send(admin, 'PATCH', '/org/plans/pro', {
      grants: {
        sso: { kind: 'flag' },
        seats: { kind: 'limit', limit: 5 },
        color: { kind: 'config', value: 'red' },
        theme: { kind: 'config', value: { a: 1, b: { c: 2, d: 3 } } },
      },
    })

    const grants = {
      seats: { kind: 'limit', limit: 9 },
      color: { kind: 'config', value: 'red' },
      theme: { kind: 'config', value: { b: { d: 3, c: 2 }, a: 1 } },
    }
    await expectEntry(admin, ['PATCH', '/org/plans/pro', { name: 'Professional', grants }], () => ({
      route: '/org/plans/{key}',
      params: { key: 'pro' },
      details: {
        name: { from: 'Pro', to: 'Professional' },
        grants: {
          seats: { from: { kind: 'limit', limit: 5 }, to: { kind: 'limit', limit: 9 } },
          sso: { from: { kind: 'flag' }, to: null },
        },
      },
    }))
    await expectEntry(admin, ['PATCH', '/org/plans/max', { grants: { sso: { kind: 'flag' } } }], () => ({
      route: '/org/plans/{key}',
      params: { key: 'max' },
      details: { grants: { sso: { from: null, to: { kind: 'flag' } } } },
    }))
    await expectEntry(admin, ['PATCH', '/org/plans/pro', { name: 'Professional', grants }], () => ({
      route: '/org/plans/{key}',
      params: { key: 'pro' },
    }))
  })

  it('records grants of a feature whose key is __proto__', async () => {
    const admin = await service.organization()
    await send(admin, 'POST', features, { key: '__proto__', name: 'Proto', kind: 'flag' })
    const grants = JSON.parse('{"__proto__":{"kind":"flag"}}')

    await admin.rest('POST', '/org/plans', `{"key":"p","name":"P","grants":${JSON.stringify(grants)}}`)
    const [created] = await readLog(admin, '?limit=1')
    await admin.rest('PATCH', '/org/plans/p', { grants: {} })
    const [updated] = await readLog(admin, '?limit=1')

    expect(JSON.stringify(created?.details)).toBe(
      '{"key":"p","name":"P","kind":"standard","grants":{"__proto__":{"kind":"flag"}}}',
    )
    expect(JSON.stringify(updated?.details)).toBe('{"grants":{"__proto__":{"from":{"kind":"flag"},"to":null}}}')
  })

  it('records archived as a change, and has null details if nothing changes', async () => {
    const admin = await vendor()
    const archive = { route: '/org/plans/{key}/archive', params: { key: 'pro' } }
    const unarchive = { route: '/org/plans/{key}/unarchive', params: { key: 'pro' } }

    await expectEntry(admin, ['POST', '/org/plans/pro/archive'], () => ({
      ...archive,
      details: { archived: { from: false, to: true } },
    }))
    await expectEntry(admin, ['POST', '/org/plans/pro/archive'], () => archive)
    await expectEntry(admin, ['POST', '/org/plans/pro/unarchive'], () => ({
      ...unarchive,
      details: { archived: { from: true, to: false } },
    }))
    await expectEntry(admin, ['POST', '/org/plans/pro/unarchive'], () => unarchive)
    await expectEntry(admin, ['DELETE', '/org/plans/pro'], () => ({
      route: '/org/plans/{key}',
      params: { key: 'pro' },
    }))
  })
})

describe('the entry of a subscriber', () => {
  it('records subscriber_id and name on creation and a new name as a change, and has null details on deletion', async () => {
    const admin = await service.organization()
    const one = { route: '/org/subscribers/{subscriber_id}', params: { subscriber_id: 'a@b' } }

    await expectEntry(admin, ['POST', '/org/subscribers', { subscriber_id: 'a@b', name: 'Acme' }], () => ({
      route: '/org/subscribers',
      details: { subscriber_id: 'a@b', name: 'Acme' },
      created_id: 'a@b',
    }))
    await expectEntry(admin, ['POST', '/org/subscribers', { subscriber_id: 'c' }], () => ({
      route: '/org/subscribers',
      details: { subscriber_id: 'c', name: null },
      created_id: 'c',
    }))
    await expectEntry(admin, ['PATCH', '/org/subscribers/a%40b', { name: null }], () => ({
      ...one,
      details: { name: { from: 'Acme', to: null } },
    }))
    await expectEntry(admin, ['PATCH', '/org/subscribers/a%40b', { name: null }], () => one)
    await expectEntry(admin, ['DELETE', '/org/subscribers/a%40b'], () => one)
  })
})

describe('the entry of a subscription', () => {
  const params = { subscriber_id: 'acme' }
  const path = '/org/subscribers/acme/subscriptions'
  const route = '/org/subscribers/{subscriber_id}/subscriptions'

  it('records its id and plan on creation', async () => {
    const admin = await vendor()

    await expectEntry(admin, ['POST', path, { plan_id: 'pro' }], ({ body }) => ({
      route,
      params,
      details: { subscription_id: body.id, plan_id: 'pro' },
      created_id: body.id,
    }))
  })

  it('records both subscriptions on a change, and the plan only when it differs', async () => {
    const admin = await vendor()
    const first = await send(admin, 'POST', path, { plan_id: 'pro' })

    const second = await expectEntry(admin, ['POST', `${path}/change`, { plan_id: 'max' }], ({ body }) => ({
      route: `${route}/change`,
      params,
      details: {
        subscription_id: body.id,
        canceled_subscription_id: first.id,
        plan_id: { from: 'pro', to: 'max' },
      },
      created_id: body.id,
    }))
    await expectEntry(admin, ['POST', `${path}/change`, { plan_id: 'max' }], ({ body }) => ({
      route: `${route}/change`,
      params,
      details: { subscription_id: body.id, canceled_subscription_id: second.body.id },
      created_id: body.id,
    }))
  })

  it('records the plan on cancellation', async () => {
    const admin = await vendor()
    const { id } = await send(admin, 'POST', path, { plan_id: 'pro' })

    await expectEntry(admin, ['POST', `${path}/${id}/cancel`], () => ({
      route: `${route}/{subscription_id}/cancel`,
      params: { ...params, subscription_id: id },
      details: { plan_id: 'pro' },
    }))
  })
})

describe('the entry of an override', () => {
  const paramsOf = (key: string) => ({ subscriber_id: 'acme', feature_key: key })
  const pathOf = (key: string) => `/org/subscribers/acme/overrides/${key}`

  it('records every field of a new override of each kind', async () => {
    const admin = await vendor()
    const bodies: [string, Record<string, unknown>][] = [
      ['sso', { kind: 'flag', allowed: false }],
      ['seats', { kind: 'limit', limit: null }],
      ['theme', { kind: 'config', value: { b: [1], a: null } }],
    ]

    for (const [key, body] of bodies) {
      await expectEntry(admin, ['PUT', pathOf(key), body], (answer) => ({
        route: overrides,
        params: paramsOf(key),
        details: { override_id: answer.body.id, ...body, expires_at: null },
        created_id: answer.body.id,
      }))
    }
    const expiring = { kind: 'config', value: 'red', expires_at: '2999-01-01T01:00:00+01:00' }
    await expectEntry(admin, ['PUT', pathOf('color'), expiring], (answer) => ({
      route: overrides,
      params: paramsOf('color'),
      details: { override_id: answer.body.id, kind: 'config', value: 'red', expires_at: '2999-01-01T00:00:00.000Z' },
      created_id: answer.body.id,
    }))
  })

  it('records value and expiry of an existing override as changes', async () => {
    const admin = await vendor()
    const expected = { route: overrides, params: paramsOf('seats') }
    const put = (body: object): [string, string, object] => ['PUT', pathOf('seats'), { kind: 'limit', ...body }]
    await send(admin, ...put({ limit: 1 }))

    await expectEntry(admin, put({ limit: 2, expires_at: '2999-01-01T00:00:00Z' }), () => ({
      ...expected,
      details: { limit: { from: 1, to: 2 }, expires_at: { from: null, to: '2999-01-01T00:00:00.000Z' } },
    }))
    await expectEntry(admin, put({ limit: null, expires_at: '2999-01-01T00:00:00Z' }), () => ({
      ...expected,
      details: { limit: { from: 2, to: null } },
    }))
    await expectEntry(admin, put({ limit: null, expires_at: '2999-01-01T01:00:00.000+01:00' }), () => expected)
    await expectEntry(admin, ['DELETE', pathOf('seats')], () => expected)
  })

  it('treats a JSON value with reordered keys as the same value', async () => {
    const admin = await vendor()
    const expected = { route: overrides, params: paramsOf('theme') }
    const put = (value: unknown): [string, string, object] => ['PUT', pathOf('theme'), { kind: 'config', value }]
    await send(admin, ...put({ a: 1, b: { c: 2, d: [3, 4] } }))

    await expectEntry(admin, put({ b: { d: [3, 4], c: 2 }, a: 1 }), () => expected)
    await expectEntry(admin, put({ b: { d: [4, 3], c: 2 }, a: 1 }), () => ({
      ...expected,
      details: { value: { from: { a: 1, b: { c: 2, d: [3, 4] } }, to: { b: { d: [4, 3], c: 2 }, a: 1 } } },
    }))
  })
})

describe('a large field', () => {
  /** Returns text whose JSON has exactly this many bytes in UTF-8. */
  const sized = (bytes: number) => 'é'.repeat((bytes - 2) / 2)
  const edge = 16 * 1024

  it('is recorded whole up to 16 KiB of JSON in UTF-8, and as too_large beyond that', async () => {
    const admin = await vendor()
    const expected = { route: overrides, params: { subscriber_id: 'acme', feature_key: 'theme' } }
    const path = '/org/subscribers/acme/overrides/theme'

    const answer = await expectEntry(admin, ['PUT', path, { kind: 'config', value: sized(edge) }], ({ body }) => ({
      ...expected,
      details: { override_id: body.id, kind: 'config', value: sized(edge), expires_at: null },
      created_id: body.id,
    }))
    await send(admin, 'DELETE', path)
    await expectEntry(admin, ['PUT', path, { kind: 'config', value: sized(edge + 2) }], ({ body }) => ({
      ...expected,
      details: { override_id: body.id, kind: 'config', value: { too_large: true }, expires_at: null },
      created_id: body.id,
    }))
    expect(answer.body.value).toBe(sized(edge))
  })

  it('is measured by the size of from and to together', async () => {
    const admin = await vendor()
    const path = '/org/subscribers/acme/overrides/theme'
    await send(admin, 'PUT', path, { kind: 'config', value: sized(10_000) })

    await expectEntry(
      admin,
      ['PUT', path, { kind: 'config', value: `${sized(9_998)}x`, expires_at: '2999-01-01T00:00:00Z' }],
      () => ({
        route: overrides,
        params: { subscriber_id: 'acme', feature_key: 'theme' },
        details: { value: { too_large: true }, expires_at: { from: null, to: '2999-01-01T00:00:00.000Z' } },
      }),
    )
  })

  it('is replaced by too_large separately for each feature in grants', async () => {
    const admin = await vendor()
    const large = { kind: 'config', value: sized(edge) }

    await expectEntry(
      admin,
      ['POST', '/org/plans', { key: 'big', name: 'Big', grants: { theme: large, seats: { kind: 'limit', limit: 1 } } }],
      () => ({
        route: '/org/plans',
        details: {
          key: 'big',
          name: 'Big',
          kind: 'standard',
          grants: { theme: { too_large: true }, seats: { kind: 'limit', limit: 1 } },
        },
        created_id: 'big',
      }),
    )
    await expectEntry(admin, ['PATCH', '/org/plans/big', { grants: { seats: { kind: 'limit', limit: 2 } } }], () => ({
      route: '/org/plans/{key}',
      params: { key: 'big' },
      details: {
        grants: {
          theme: { too_large: true },
          seats: { from: { kind: 'limit', limit: 1 }, to: { kind: 'limit', limit: 2 } },
        },
      },
    }))
  })

  it("may be a feature's list of options", async () => {
    const admin = await service.organization()
    const options = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(200, 'x'))

    await expectEntry(admin, ['POST', features, { ...color, options }], () => ({
      route: features,
      details: { key: 'color', name: 'Color', kind: 'config', value_type: 'enum', options: { too_large: true } },
      created_id: 'color',
    }))
  })
})
