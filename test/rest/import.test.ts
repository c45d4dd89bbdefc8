import { describe, expect, it } from 'vitest'
import { importLines, importSuccessfully } from '../support/import.ts'
import { sharedService } from '../support/service.ts'
import { stateOf } from '../support/state.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()

async function organization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  for (const plan of ['free', 'pro', 'old']) await setup.plan(plan, { seats: { kind: 'limit', limit: 5 } })
  await setup.archive('old')
  const check = async (id: string, feature: string) =>
    (await caller.rest('POST', `/org/subscribers/${id}/entitlements/check`, { feature })).body
  return { caller, setup, check }
}

const counts = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }

describe('an import', () => {
  it('creates subscribers with plans and overrides, which apply to the next eval', async () => {
    const { caller, setup, check } = await organization()

    const answer = await importSuccessfully(caller, [
      { subscriber_id: 'a', name: 'A', plan_id: 'pro', overrides: { seats: { kind: 'limit', limit: 9 } } },
      { subscriber_id: 'b', plan_id: 'free' },
      { subscriber_id: 'c' },
    ])

    expect(answer).toEqual({ ...counts, lines: 3, created: 3 })
    expect(await check('a', 'seats')).toMatchObject({ limit: 9, source: 'override' })
    expect(await check('b', 'seats')).toMatchObject({ limit: 5, source: 'plan' })
    expect(await check('c', 'seats')).toMatchObject({ limit: 0, source: 'none' })
    expect(await setup.get('/org/subscribers/a')).toMatchObject({ subscriber_id: 'a', name: 'A' })
  })

  it('gives each subscriber the state in its line, and keeps everything that the line does not name', async () => {
    const { caller, setup, check } = await organization()
    await setup.subscriber('a', { name: 'Old' })
    await setup.subscribe('a', 'free')
    await setup.override('a', 'seats', { kind: 'limit', limit: 1 })
    await setup.override('a', 'sso', { kind: 'flag', allowed: true })

    const lines = [{ subscriber_id: 'a', name: null, plan_id: 'pro', overrides: { seats: null } }]
    expect(await importSuccessfully(caller, lines)).toEqual({ ...counts, lines: 1, updated: 1 })
    const after = await stateOf(service.database, caller.organizationId)
    expect(await importSuccessfully(caller, lines)).toEqual({ ...counts, lines: 1, unchanged: 1 })

    expect(await stateOf(service.database, caller.organizationId)).toEqual(after)
    expect(await setup.get('/org/subscribers/a')).toMatchObject({ name: null })
    expect(await check('a', 'seats')).toMatchObject({ limit: 5, source: 'plan' })
    expect(await check('a', 'sso')).toMatchObject({ allowed: true, source: 'override' })
    const { subscriptions } = await setup.get('/org/subscribers/a/subscriptions')
    expect(subscriptions.map(({ plan_id, status }: Record<string, string>) => [plan_id, status])).toEqual([
      ['free', 'canceled'],
      ['pro', 'active'],
    ])
    expect(await importSuccessfully(caller, [{ subscriber_id: 'a', plan_id: null }])).toMatchObject({ updated: 1 })
    expect(await check('a', 'seats')).toMatchObject({ limit: 0, source: 'none' })
    expect(await importSuccessfully(caller, [{ subscriber_id: 'a' }])).toMatchObject({ unchanged: 1 })
  })

  it('applies several lines of one subscriber in their order', async () => {
    const { caller, setup, check } = await organization()

    const answer = await importSuccessfully(caller, [
      { subscriber_id: 'a', plan_id: 'free', overrides: { seats: { kind: 'limit', limit: 1 } } },
      { subscriber_id: 'a', name: 'A', plan_id: 'pro', overrides: { seats: null } },
      { subscriber_id: 'a', plan_id: null },
      { subscriber_id: 'a', plan_id: 'free', overrides: { seats: { kind: 'limit', limit: 3 } } },
      { subscriber_id: 'a', plan_id: 'free' },
    ])

    expect(answer).toEqual({ ...counts, lines: 5, created: 1, updated: 3, unchanged: 1 })
    expect(await setup.get('/org/subscribers/a')).toMatchObject({ name: 'A' })
    expect(await check('a', 'seats')).toMatchObject({ limit: 3, source: 'override' })
    const { subscriptions } = await setup.get('/org/subscribers/a/subscriptions')
    expect(subscriptions.map(({ plan_id, status }: Record<string, string>) => [plan_id, status])).toEqual([
      ['free', 'canceled'],
      ['pro', 'canceled'],
      ['free', 'active'],
    ])
  })

  it('stores any text as it was sent, including the separators that the statements of a batch use', async () => {
    const { caller, setup } = await organization()
    const names = ['a\u001fb', '\u001e', 'NULL', '{}', '"', null]
    const lines = names.map((name, index) => ({ subscriber_id: `s${index}`, name }))

    expect(await importSuccessfully(caller, lines)).toMatchObject({ created: names.length })
    expect(await importSuccessfully(caller, lines)).toMatchObject({ unchanged: names.length })

    const stored = (await setup.get('/org/subscribers')).subscribers
    expect(stored.map(({ name }: { name: string | null }) => name)).toEqual(names)
  })

  it('changes nothing in a dry run, but gets the answer of a real import', async () => {
    const { caller, setup } = await organization()
    await setup.subscriber('b')
    const lines = [{ subscriber_id: 'a', plan_id: 'pro' }, { subscriber_id: 'b', name: 'B' }, { subscriber_id: 'c d' }]
    const before = await stateOf(service.database, caller.organizationId)

    const dry = await importSuccessfully(caller, lines, '?dry_run=true')

    expect(dry).toMatchObject({ lines: 3, created: 1, updated: 1, failed: 1 })
    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
    const [entry] = (await setup.get('/org/audit-events?limit=1')).audit_events
    expect(entry).toMatchObject({ route: '/org/subscribers/import', outcome: 'responded', status: 200, details: null })
    expect(await importSuccessfully(caller, lines)).toEqual(dry)
  })
})

describe('a refused line', () => {
  it('changes nothing, does not affect other lines, and is reported as the single operation would report it', async () => {
    const { caller, setup } = await organization()
    const put = (feature: string, body: object) => ({ overrides: { [feature]: body } })
    const bad: [object | string, object][] = [
      ['{"subscriber_id":', { code: 'INVALID_JSON', details: null }],
      ['[]', { code: 'VALIDATION_ERROR', details: { fields: [{ path: '', message: expect.any(String) }] } }],
      [{ name: 'x' }, { code: 'VALIDATION_ERROR' }],
      [{ subscriber_id: 'a b' }, { code: 'VALIDATION_ERROR', subscriber_id: 'a b' }],
      [
        { subscriber_id: 'x', plan_id: 'nope' },
        { code: 'NOT_FOUND', details: { resource: 'plan', id: 'nope' } },
      ],
      [
        { subscriber_id: 'x', plan_id: 'old' },
        { code: 'PLAN_ARCHIVED', details: { resource: 'plan', id: 'old' } },
      ],
      [
        { subscriber_id: 'x', plan_id: 'pro', ...put('nope', { kind: 'flag', allowed: true }) },
        { code: 'NOT_FOUND', details: { resource: 'feature', id: 'nope' } },
      ],
      [
        { subscriber_id: 'x', ...put('seats', { kind: 'flag', allowed: true }) },
        { message: 'kind must be limit, the kind of feature "seats".', details: fieldDetails('overrides.seats.kind') },
      ],
      [{ subscriber_id: 'x', ...put('seats', { kind: 'limit' }) }, { details: fieldDetails('overrides.seats.limit') }],
      [
        { subscriber_id: 'x', ...put('seats', { kind: 'limit', limit: 1, limits: 2 }) },
        { details: fieldDetails('overrides.seats.limits') },
      ],
      [
        { subscriber_id: 'x', ...put('color', { kind: 'config', value: 'pink' }) },
        { details: fieldDetails('overrides.color.value') },
      ],
      [{ subscriber_id: 'x', overrides: { seats: 5 } }, { details: fieldDetails('overrides.seats') }],
      [{ subscriber_id: 'x', overrides: null }, { details: fieldDetails('overrides') }],
      [`{"subscriber_id":"x","name":"${'n'.repeat(70_000)}"}`, { code: 'BODY_TOO_LARGE', subscriber_id: null }],
      ...Array.from({ length: 50 }, (): [object, object] => [
        { subscriber_id: 'x', ...put('seats\0', { kind: 'limit', limit: 1 }) },
        { code: 'NOT_FOUND', details: { resource: 'feature', id: 'seats\ufffd' } },
      ]),
    ]

    const answer = await importSuccessfully(caller, [
      { subscriber_id: 'first' },
      ...bad.map(([line]) => line),
      { subscriber_id: 'last', surplus: 'is ignored' },
    ])

    expect(answer).toMatchObject({ lines: bad.length + 2, created: 2, failed: bad.length })
    expect(answer.errors).toMatchObject(bad.map(([, error], index) => ({ line: index + 2, ...error })))
    const { subscribers } = await setup.get('/org/subscribers')
    expect(subscribers.map(({ subscriber_id }: { subscriber_id: string }) => subscriber_id)).toEqual(['first', 'last'])
    const single = await caller.rest('PUT', '/org/subscribers/first/overrides/seats', { kind: 'limit' })
    expect(answer.errors[8].message).toBe(single.body.error.message)
  })

  it('is reported with its number from 1, counting empty lines, if it is one of the first thousand', async () => {
    const { caller } = await organization()
    const lines = ['', ' \t\r', ...Array.from({ length: 1_200 }, () => '{}'), '', { subscriber_id: 'a' }]

    const answer = await importSuccessfully(caller, lines)

    expect(answer).toMatchObject({ lines: 1_201, created: 1, failed: 1_200 })
    expect(answer.errors).toHaveLength(1_000)
    expect(answer.errors[0].line).toBe(3)
  })
})

function fieldDetails(path: string) {
  return { fields: [{ path, message: expect.any(String) }] }
}

describe('an import request', () => {
  it('may be empty, and is 415 with another content type or a content encoding', async () => {
    const { caller } = await organization()

    expect(await importSuccessfully(caller, [])).toEqual(counts)
    const others: Record<string, string>[] = [{ 'content-type': 'application/json' }, { 'content-encoding': 'gzip' }]
    for (const headers of others) {
      const answer = await importLines(caller, [{ subscriber_id: 'a' }], headers)
      expect(answer).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } })
    }
  })
})
