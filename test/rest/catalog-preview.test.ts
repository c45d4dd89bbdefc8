import { beforeEach, describe, expect, it } from 'vitest'
import { expectInvalid } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'

const service = await sharedService()

type Change = { operation: string; key?: string; input?: object }

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', grantOfEach)
  await setup.plan('max')
  await setup.subscriber('ann')
  await setup.subscribe('ann', 'max')
  await setup.override('ann', 'seats', { kind: 'limit', limit: 9 })
})

async function preview(changes: Change[]) {
  const { status, body } = await caller.rest('POST', '/org/catalog/preview', { changes })
  expect(status).toBe(200)
  return body.refusals
}

const create = (key: string) => ({ operation: 'create_feature', input: { key, name: key, kind: 'flag' } })

describe('the preview of changes to the catalog', () => {
  it('reports no refusal if all changes would succeed one after the other', async () => {
    const changes = [
      create('new'),
      { operation: 'create_plan', input: { key: 'team', name: 'Team', grants: { new: { kind: 'flag' } } } },
      { operation: 'update_plan', key: 'pro', input: { grants: {} } },
      { operation: 'delete_feature', key: 'sso' },
      { operation: 'archive_plan', key: 'max' },
      { operation: 'unarchive_plan', key: 'max' },
      { operation: 'delete_plan', key: 'pro' },
    ]

    expect(await preview(changes)).toEqual([])
    for (const { operation, key, input } of changes.slice(0, 4) as Change[]) {
      const method = { create: 'POST', update: 'PATCH', delete: 'DELETE' }[operation.slice(0, 6)] as string
      const noun = operation.endsWith('plan') ? 'plans' : 'features'
      const { status } = await caller.rest(method, `/org/${noun}${key ? `/${key}` : ''}`, input)
      expect(status).toBeLessThan(300)
    }
  })

  it.each<[string, string, Change]>([
    ['POST', '/org/features', { operation: 'create_feature', input: { key: 'sso', name: 'SSO', kind: 'flag' } }],
    ['POST', '/org/features', { operation: 'create_feature', input: { key: 'Not a key', name: '', kind: 'x' } }],
    ['PATCH', '/org/features/color', { operation: 'update_feature', key: 'color', input: { options: ['x'] } }],
    ['DELETE', '/org/features/seats', { operation: 'delete_feature', key: 'seats' }],
    ['PATCH', '/org/plans/nope', { operation: 'update_plan', key: 'nope', input: { name: 'No' } }],
    ['PATCH', '/org/plans/pro', { operation: 'update_plan', key: 'pro', input: { grants: { x: { kind: 'flag' } } } }],
    ['DELETE', '/org/plans/max', { operation: 'delete_plan', key: 'max' }],
  ])('reports the refusal that %s %s would answer with: %j', async (method, path, change) => {
    const [refusal] = await preview([change])

    const { error } = (await caller.rest(method, path, change.input)).body
    const { code, message, details } = error
    expect(refusal).toEqual({ index: 0, code, message, details: details ?? null })
  })

  it('validates each change as if the earlier accepted changes had been made', async () => {
    const inUse = { operation: 'create_plan', input: { key: 'a', name: 'A', grants: { new: { kind: 'flag' } } } }

    const refusals = await preview([
      inUse,
      create('new'),
      inUse,
      create('new'),
      { operation: 'delete_feature', key: 'new' },
    ])

    expect(refusals.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [0, 'VALIDATION_ERROR'],
      [3, 'CONFLICT'],
      [4, 'CONFLICT'],
    ])
  })

  it('writes, records and sends nothing', async () => {
    const before = await stateOf(service.database, caller.organizationId)
    const recorded = await auditOf(service.database, caller.organizationId)

    await preview([create('new'), { operation: 'update_plan', key: 'max', input: { grants: grantOfEach } }])

    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
    expect(await auditOf(service.database, caller.organizationId)).toEqual(recorded)
  })

  it('refuses input that is not a list of up to 200 valid changes', async () => {
    const post = (body: object) => caller.rest('POST', '/org/catalog/preview', body)

    expectInvalid(await post({}), ['changes', /^changes is required/])
    expectInvalid(await post({ changes: Array(201).fill(create('new')) }), ['changes', /at most 200/])
    expectInvalid(await post({ changes: [{ operation: 'delete_feature' }] }), ['changes.0.key', /is required/])
    expectInvalid(await post({ changes: [{ operation: 'put_webhook' }] }), [
      'changes.0.operation',
      /one of create_feature/,
    ])
    expectInvalid(await post({ changes: [{ ...create('a'), input: [] }] }), ['changes.0.input', /a JSON object/])
  })

  it('answers the same in GraphQL', async () => {
    const changes = [create('new'), { operation: 'delete_plan', key: 'max' }]
    const query =
      'query ($input: PreviewCatalogInput!) { previewCatalog(input: $input) { refusals { index code message details } } }'

    const inUpperCase = changes.map((change) => ({ ...change, operation: change.operation.toUpperCase() }))
    const { data } = (await caller.graphql(query, { input: { changes: inUpperCase } })).body

    expect(data.previewCatalog.refusals).toEqual(await preview(changes))
    expect(data.previewCatalog.refusals).toHaveLength(1)
  })
})
