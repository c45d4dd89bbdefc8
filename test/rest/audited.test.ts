import { describe, expect, it } from 'vitest'
import { type Answer, type Caller, send, startService } from '../support/service.ts'
import { auditOf } from '../support/state.ts'
import { colors, timestamp, vendor } from '../support/vendor.ts'

const service = await startService()

/** What the newest entry of the log should contain for this answer, apart from the caller and the time. */
async function recorded(caller: Caller, { headers }: Answer) {
  const { rows } = await service.database.pool.query(
    `select method, route, params, outcome::text, status, details, created_id
       from audit_event where organization_id = $1 and request_id = $2`,
    [caller.organizationId, headers.get('x-request-id')],
  )
  expect(rows).toHaveLength(1)
  const { details, ...entry } = rows[0]
  return { ...entry, details: JSON.parse(details) }
}

type Step = [
  method: string,
  path: string,
  body: unknown,
  entry: { route: string; status: number } & Record<string, unknown>,
]

/** Sends each request and compares its entry; `created_id` and `details` default to null and `params` to empty. */
async function expectRecorded(caller: Caller, steps: Step[]): Promise<void> {
  for (const [method, path, body, entry] of steps) {
    const answer = await caller.rest(method, path, body)
    const defaults = { method, params: {}, outcome: 'responded', details: null, created_id: null }
    expect(await recorded(caller, answer), `${method} ${path}`).toEqual({ ...defaults, ...entry })
  }
}

describe('a write is recorded with what it changed', () => {
  it('on features', async () => {
    const [list, one] = ['/org/features', '/org/features/{key}']
    const params = { key: 'color' }

    await expectRecorded(await service.organization(), [
      [
        'POST',
        list,
        { key: 'sso', name: 'S', kind: 'flag', description: 'x' },
        { route: list, status: 201, created_id: 'sso', details: { key: 'sso', name: 'S', kind: 'flag' } },
      ],
      [
        'POST',
        list,
        { key: 'color', name: 'C', ...colors },
        { route: list, status: 201, created_id: 'color', details: { key: 'color', name: 'C', ...colors } },
      ],
      [
        'POST',
        list,
        { key: 'j', name: 'J', kind: 'config', value_type: 'json' },
        {
          route: list,
          status: 201,
          created_id: 'j',
          details: { key: 'j', name: 'J', kind: 'config', value_type: 'json' },
        },
      ],
      [
        'PATCH',
        '/org/features/color',
        { name: 'New', description: 'Shade', options: ['red'] },
        {
          route: one,
          params,
          status: 200,
          details: {
            name: { from: 'C', to: 'New' },
            description: { from: '', to: 'Shade' },
            options: { from: colors.options, to: ['red'] },
          },
        },
      ],
      ['PATCH', '/org/features/color', { name: 'New' }, { route: one, params, status: 200 }],
      ['PATCH', '/org/features/color', { name: '' }, { route: one, params, status: 422 }],
      ['POST', list, { key: 'sso', name: 'S', kind: 'flag' }, { route: list, status: 409 }],
      ['DELETE', '/org/features/color', undefined, { route: one, params, status: 204 }],
      ['DELETE', '/org/features/color', undefined, { route: one, params, status: 404 }],
    ])
  })

  it('on plans', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('sso')
    await vendor(caller).feature('seats', { kind: 'limit' })
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'json' })
    const [list, one, params] = ['/org/plans', '/org/plans/{key}', { key: 'pro' }]
    const theme = (value: unknown) => ({ kind: 'config', value })
    const grants = { seats: { kind: 'limit', limit: 5 }, theme: theme({ a: 1, b: 2 }) }

    await expectRecorded(caller, [
      [
        'POST',
        list,
        { key: 'pro', name: 'P', grants },
        { route: list, status: 201, created_id: 'pro', details: { key: 'pro', name: 'P', kind: 'standard', grants } },
      ],
      [
        'PATCH',
        '/org/plans/pro',
        { name: 'Q' },
        { route: one, params, status: 200, details: { name: { from: 'P', to: 'Q' } } },
      ],
      [
        'PATCH',
        '/org/plans/pro',
        { grants: { theme: theme({ b: 2, a: 1 }), sso: { kind: 'flag' } } },
        {
          route: one,
          params,
          status: 200,
          details: { grants: { seats: { from: grants.seats, to: null }, sso: { from: null, to: { kind: 'flag' } } } },
        },
      ],
      [
        'PATCH',
        '/org/plans/pro',
        { grants: { theme: theme({ a: 1, b: 2 }), sso: { kind: 'flag' } } },
        { route: one, params, status: 200 },
      ],
      [
        'POST',
        '/org/plans/pro/archive',
        undefined,
        { route: `${one}/archive`, params, status: 200, details: { archived: { from: false, to: true } } },
      ],
      ['POST', '/org/plans/pro/archive', undefined, { route: `${one}/archive`, params, status: 200 }],
      [
        'POST',
        '/org/plans/pro/unarchive',
        undefined,
        { route: `${one}/unarchive`, params, status: 200, details: { archived: { from: true, to: false } } },
      ],
      ['DELETE', '/org/plans/pro', undefined, { route: one, params, status: 204 }],
    ])
  })

  it('on subscribers and subscriptions', async () => {
    const caller = await service.organization()
    for (const plan of ['a', 'b']) await vendor(caller).plan(plan)
    const [list, one] = ['/org/subscribers', '/org/subscribers/{subscriber_id}']
    const params = { subscriber_id: 'acme' }

    await expectRecorded(caller, [
      [
        'POST',
        list,
        { subscriber_id: 'acme' },
        { route: list, status: 201, created_id: 'acme', details: { subscriber_id: 'acme', name: null } },
      ],
      [
        'PATCH',
        `${list}/acme`,
        { name: 'A' },
        { route: one, params, status: 200, details: { name: { from: null, to: 'A' } } },
      ],
    ])
    const path = `${list}/acme/subscriptions`
    const first = await caller.rest('POST', path, { plan_id: 'a' })
    const second = await caller.rest('POST', `${path}/change`, { plan_id: 'b' })
    const third = await caller.rest('POST', `${path}/change`, { plan_id: 'b' })
    const canceled = await caller.rest('POST', `${path}/${third.body.id}/cancel`)
    expect(await recorded(caller, first)).toMatchObject({
      route: `${one}/subscriptions`,
      created_id: first.body.id,
      details: { subscription_id: first.body.id, plan_id: 'a' },
    })
    expect((await recorded(caller, second)).details).toEqual({
      subscription_id: second.body.id,
      canceled_subscription_id: first.body.id,
      plan_id: { from: 'a', to: 'b' },
    })
    expect(await recorded(caller, third)).toMatchObject({
      created_id: third.body.id,
      route: `${one}/subscriptions/change`,
    })
    expect((await recorded(caller, third)).details).toEqual({
      subscription_id: third.body.id,
      canceled_subscription_id: second.body.id,
    })
    expect(await recorded(caller, canceled)).toEqual({
      method: 'POST',
      route: `${one}/subscriptions/{subscription_id}/cancel`,
      params: { ...params, subscription_id: third.body.id },
      outcome: 'responded',
      status: 200,
      details: { plan_id: 'b' },
      created_id: null,
    })
    await expectRecorded(caller, [['DELETE', `${list}/acme`, undefined, { route: one, params, status: 204 }]])
  })

  it('on overrides', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('theme', { kind: 'config', value_type: 'json' })
    await vendor(caller).subscriber('acme')
    const path = '/org/subscribers/acme/overrides/theme'
    const route = '/org/subscribers/{subscriber_id}/overrides/{feature_key}'
    const entry = { route, params: { subscriber_id: 'acme', feature_key: 'theme' }, status: 200 }
    const body = (value: unknown, expiresAt: string | null = null) => ({ kind: 'config', value, expires_at: expiresAt })

    const created = await caller.rest('PUT', path, body({ a: 1, b: 2 }))
    const details = { override_id: created.body.id, kind: 'config', value: { a: 1, b: 2 }, expires_at: null }
    expect(await recorded(caller, created)).toMatchObject({ ...entry, created_id: created.body.id })
    expect((await recorded(caller, created)).details).toEqual(details)
    await expectRecorded(caller, [
      ['PUT', path, body({ b: 2, a: 1 }), entry],
      [
        'PUT',
        path,
        body({ b: 2, a: 1 }, '2999-01-01T00:00:00Z'),
        { ...entry, details: { expires_at: { from: null, to: timestamp } } },
      ],
      ['PUT', path, body(5, '2999-01-01T00:00:00Z'), { ...entry, details: { value: { from: { a: 1, b: 2 }, to: 5 } } }],
      [
        'PUT',
        path,
        body('x'.repeat(20_000), '2999-01-01T00:00:00Z'),
        { ...entry, details: { value: { too_large: true } } },
      ],
      ['PUT', path, { kind: 'flag', allowed: true }, { ...entry, status: 422 }],
      ['DELETE', path, undefined, { ...entry, status: 204 }],
    ])
  })
})

describe('nothing is recorded', () => {
  it('for reads, evals, 401 and unknown routes', async () => {
    const caller = await service.organization('evaluator')
    const { organizationId } = caller

    await caller.rest('GET', '/org/features')
    await caller.rest('GET', '/org/subscribers/x/entitlements')
    await caller.rest('POST', '/org/subscribers/x/entitlements/check', '{')
    await caller.rest('POST', '/org/nope', {})
    await send(`${service.url}/org/features`, 'POST', {})

    expect(await auditOf(service.database, organizationId)).toEqual([])
  })
})

describe('a refusal because of the role', () => {
  it('is recorded as rejected, with the caller and their address', async () => {
    const caller = await service.organization('viewer')

    const answer = await caller.rest('DELETE', '/org/features/sso', undefined, { 'user-agent': 'a browser' })

    const { rows } = await service.database.pool.query('select * from audit_event where organization_id = $1', [
      caller.organizationId,
    ])
    expect(rows).toMatchObject([
      {
        outcome: 'rejected',
        status: 403,
        request_id: answer.body.error.request_id,
        member_id: caller.memberId,
        auth_type: 'member_apikey',
        key_prefix: caller.key.slice(0, 12),
        service: 'api',
        ip: '127.0.0.1',
        user_agent: 'a browser',
        params: { key: 'sso' },
        details: null,
      },
    ])
  })
})
