import { describe, expect, it } from 'vitest'
import { importLines, importSuccessfully } from '../support/import.ts'
import { type Answer, type Caller, startService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { setStoredBytes } from '../support/stored-bytes.ts'
import { vendor } from '../support/vendor.ts'

const cap = 100_000
const service = await startService({ MAX_STORED_BYTES: `${cap}` })
const unlimitedService = await startService()
const { pool } = service.database

const fillToCap = (caller: Caller, own?: number | null) =>
  setStoredBytes(pool, caller.organizationId, { total: cap, ...(own !== undefined && { cap: own }) })

function expectFull({ status, body }: Answer, value = cap): void {
  expect({ status, code: body.error?.code, details: body.error?.details }).toEqual({
    status: 409,
    code: 'CONFLICT',
    details: { field: 'stored_bytes', value },
  })
  expect(body.error.message).toMatch(/Delete.*org:limits/)
}

describe('an organization that stores MAX_STORED_BYTES', () => {
  it('may add nothing more in either API, and the refusals are recorded', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('seats', { kind: 'limit' })
    await vendor(caller).subscriber('acme')
    await fillToCap(caller)
    const before = await stateOf(service.database, caller.organizationId)

    expectFull(await caller.rest('POST', '/org/subscribers', { subscriber_id: 'globex' }))
    expectFull(await caller.rest('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit: 5 }))
    expectFull(await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Pro' }))
    const { body } = await caller.graphql('mutation { createSubscriber(input: { subscriberId: "globex" }) { name } }')
    expect(body.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      status: 409,
      details: { field: 'stored_bytes', value: cap },
    })

    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
    const outcomes = (await auditOf(service.database, caller.organizationId)).slice(-4)
    expect(outcomes.map(({ outcome, status }) => [outcome, status])).toEqual(outcomes.map(() => ['responded', 409]))
  })

  it('gets any other error of a write before the error about its stored bytes', async () => {
    const caller = await service.organization()
    await fillToCap(caller)

    const missing = await caller.rest('PUT', '/org/subscribers/nobody/overrides/seats', { kind: 'limit', limit: 5 })
    const wrong = await caller.rest('POST', '/org/subscribers', { subscriber_id: '' })

    expect([missing.status, wrong.status]).toEqual([404, 422])
  })

  it('can still delete, cancel, demote, revoke and pause', async () => {
    const caller = await service.organization()
    const setup = vendor(caller)
    await setup.feature('sso')
    await setup.plan('pro')
    await setup.subscriber('acme')
    const subscription = await setup.subscribe('acme', 'pro')
    await setup.override('acme', 'sso', { kind: 'flag', allowed: true })
    await caller.rest('PUT', '/org/webhook', { url: 'https://hooks.example/' })
    const { service_account_id: account } = (
      await caller.rest('POST', '/org/service-accounts', { name: 'ci', role: 'developer' })
    ).body
    const { key_id: key } = (await caller.rest('POST', `/org/service-accounts/${account}/api-keys`, { name: 'one' }))
      .body
    await fillToCap(caller)

    const requests = [
      ['POST', '/org/webhook/disable'],
      ['POST', `/org/subscribers/acme/subscriptions/${subscription.id}/cancel`],
      ['DELETE', '/org/subscribers/acme/overrides/sso'],
      ['DELETE', '/org/subscribers/acme'],
      ['PATCH', `/org/service-accounts/${account}`, { role: 'viewer' }],
      ['DELETE', `/org/service-accounts/${account}/api-keys/${key}`],
      ['POST', '/org/plans/pro/archive'],
    ] as const
    for (const [method, path, body] of requests) {
      const { status } = await caller.rest(method, path, body)
      expect([path, Math.floor(status / 100)]).toEqual([path, 2])
    }
  })

  it('sees the refusals of catalog changes in their previews', async () => {
    const caller = await service.organization()
    await vendor(caller).plan('pro')
    await fillToCap(caller)
    const input = { name: 'Professional' }
    const refused = await caller.rest('PATCH', '/org/plans/pro', input)
    expectFull(refused)

    const { problems } = (await caller.rest('POST', '/org/plans/pro/preview', input)).body
    const changes = [
      { operation: 'update_plan', key: 'pro', input },
      { operation: 'archive_plan', key: 'pro' },
      { operation: 'create_plan', input: { key: 'pro', name: 'Pro' } },
      { operation: 'create_plan', input: { key: 'max', name: 'Max' } },
    ]
    const { refusals } = (await caller.rest('POST', '/org/catalog/preview', { changes })).body

    const { code, message, details } = refused.body.error
    expect(problems).toEqual([{ path: '', message }])
    expect(refusals).toEqual([
      { index: 0, code, message, details },
      { index: 2, code: 'CONFLICT', message: expect.any(String), details: { field: 'key', value: 'pro' } },
      { index: 3, code, message, details },
    ])
  })

  it('has its imports and their dry runs refused, unless these change nothing, until there is room again', async () => {
    const caller = await service.organization()
    await fillToCap(caller)
    const lines = [{ subscriber_id: 'a' }, { subscriber_id: 'b' }]

    expectFull(await importLines(caller, lines))
    expect((await vendor(caller).get('/org/subscribers')).subscribers).toEqual([])
    expectFull(await importLines(caller, lines, {}, '?dry_run=true'))

    await setStoredBytes(pool, caller.organizationId, { total: 0 })
    expect(await importSuccessfully(caller, lines, '?dry_run=true')).toMatchObject({ created: 2 })
    expect(await importSuccessfully(caller, lines)).toMatchObject({ created: 2 })

    await fillToCap(caller)
    for (const query of ['?dry_run=true', ''])
      expect(await importSuccessfully(caller, lines, query)).toMatchObject({ unchanged: 2 })
  })

  it('may have its own cap (larger, smaller or none), which applies at once', async () => {
    const caller = await service.organization()
    const create = (id: string) => caller.rest('POST', '/org/subscribers', { subscriber_id: id })

    await fillToCap(caller, cap + 50_000)
    expect((await create('a')).status).toBe(201)
    await fillToCap(caller, 10)
    expectFull(await create('b'), 10)
    await fillToCap(caller, -1)
    expect((await create('b')).status).toBe(201)
    await fillToCap(caller, null)
    expectFull(await create('c'))
  })
})

describe('the cap on stored bytes', () => {
  it("includes a process's own writes since the last count", async () => {
    const caller = await service.organization()
    await setStoredBytes(pool, caller.organizationId, { total: cap - 10_000 })

    const statuses: number[] = []
    for (let n = 0; n < 10; n++) {
      statuses.push((await caller.rest('POST', '/org/subscribers', { subscriber_id: `s${n}` })).status)
    }

    const admitted = statuses.filter((status) => status === 201).length
    expect(admitted).toBeGreaterThan(0)
    expect(statuses).toEqual(statuses.map((_, n) => (n < admitted ? 201 : 409)))
    expect(admitted).toBeLessThan(10)

    await setStoredBytes(pool, caller.organizationId, { total: cap - 10_000 })
    expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'more' })).status).toBe(201)
  })

  it('is applied by each process to its own writes if the organization was never counted', async () => {
    const caller = await service.organization()
    const note = 'x'.repeat(4000)
    const lines = (from: number) =>
      Array.from({ length: 20 }, (_, n) => ({ subscriber_id: `${note.slice(0, 200)}${from + n}` }))

    const statuses: number[] = []
    for (let round = 0; round < 6; round++) statuses.push((await importLines(caller, lines(round * 20))).status)

    expect(statuses[0]).toBe(200)
    expect(statuses.at(-1)).toBe(409)
  })

  it('does not exist if MAX_STORED_BYTES is not set', async () => {
    const caller = await unlimitedService.organization()
    await setStoredBytes(pool, caller.organizationId, { total: Number.MAX_SAFE_INTEGER })

    expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'a' })).status).toBe(201)
  })
})
