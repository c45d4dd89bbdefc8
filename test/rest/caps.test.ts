import { describe, expect, it } from 'vitest'
import { type Answer, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await startService({
  MAX_FEATURES: '4',
  MAX_PLANS: '3',
  MAX_CATALOG_BYTES: '2000',
  MAX_OVERRIDE_BYTES: '1000',
})
const roomyService = await startService()

const text = (length: number) => 'x'.repeat(length)
const config = { kind: 'config', value_type: 'string' }
const grantNote = (length: number) => ({ note: { kind: 'config', value: text(length) } })
const grantInputs = (length: number) => `[{ feature: "note", kind: CONFIG, value: "${text(length)}" }]`

function expectCap({ status, body }: Answer, field: string, value: number): void {
  expect({ status, code: body.error?.code, details: body.error?.details }).toEqual({
    status: 409,
    code: 'CONFLICT',
    details: { field, value },
  })
  expect(body.error.message).toMatch(/Delete|Shorten/)
}

function expectGraphqlCap({ body }: Answer, field: string, value: number): void {
  expect(body.errors[0].extensions).toMatchObject({ code: 'CONFLICT', status: 409, details: { field, value } })
}

describe('a catalog', () => {
  it('has at most MAX_FEATURES features, in both APIs', async () => {
    const caller = await service.organization()
    for (const key of ['a', 'b', 'c', 'd']) await vendor(caller).feature(key)

    expectCap(await caller.rest('POST', '/org/features', { key: 'e', name: 'E', kind: 'flag' }), 'features', 4)
    expectGraphqlCap(
      await caller.graphql('mutation { createFeature(input: { key: "e", name: "E", kind: FLAG }) { key } }'),
      'features',
      4,
    )

    const { features } = await vendor(caller).get('/org/features')
    expect(features).toHaveLength(4)
  })

  it('accepts a new feature once another is deleted, and reports a duplicate key as a duplicate', async () => {
    const caller = await service.organization()
    for (const key of ['a', 'b', 'c', 'd']) await vendor(caller).feature(key)
    const duplicate = await caller.rest('POST', '/org/features', { key: 'a', name: 'A', kind: 'flag' })
    expect(duplicate.body.error.details).toEqual({ field: 'key', value: 'a' })

    await caller.rest('DELETE', '/org/features/a')

    await vendor(caller).feature('e')
  })

  it('has at most MAX_PLANS plans, archived ones included, in both APIs', async () => {
    const caller = await service.organization()
    for (const key of ['a', 'b', 'c']) await vendor(caller).plan(key)
    await vendor(caller).archive('a')

    expectCap(await caller.rest('POST', '/org/plans', { key: 'd', name: 'D' }), 'plans', 3)
    expectGraphqlCap(
      await caller.graphql('mutation { createPlan(input: { key: "d", name: "D" }) { key } }'),
      'plans',
      3,
    )
  })

  it('stays within the cap on features when two writes run at once', async () => {
    const caller = await service.organization()
    for (const key of ['a', 'b', 'c']) await vendor(caller).feature(key)

    const answers = await Promise.all(
      ['d', 'e', 'f', 'g'].map((key) => caller.rest('POST', '/org/features', { key, name: key, kind: 'flag' })),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  it('has at most MAX_CATALOG_BYTES in the grants of its plans, in both APIs', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('note', config)
    await vendor(caller).plan('a', grantNote(1700))

    expectCap(
      await caller.rest('POST', '/org/plans', { key: 'b', name: 'B', grants: grantNote(300) }),
      'catalog_bytes',
      2000,
    )
    expectCap(await caller.rest('PATCH', '/org/plans/a', { grants: grantNote(2000) }), 'catalog_bytes', 2000)
    expectGraphqlCap(
      await caller.graphql(
        `mutation { createPlan(input: { key: "b", name: "B", grants: ${grantInputs(300)} }) { key } }`,
      ),
      'catalog_bytes',
      2000,
    )
    expectGraphqlCap(
      await caller.graphql(`mutation { updatePlan(input: { key: "a", grants: ${grantInputs(2000)} }) { key } }`),
      'catalog_bytes',
      2000,
    )

    const { plans } = await vendor(caller).get('/org/plans')
    expect(plans).toMatchObject([{ key: 'a', grants: { note: { value: text(1700) } } }])
  })

  it('shows a refusal in the preview of an update if and only if the update would exceed MAX_CATALOG_BYTES', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('note', config)
    await vendor(caller).plan('a', grantNote(1000))
    const { catalogBytes } = await service.database.prisma.organization.findUniqueOrThrow({
      where: { id: caller.organizationId },
    })
    const largest = 1000 + 2000 - Number(catalogBytes)
    const preview = async (length: number) =>
      (await caller.rest('POST', '/org/plans/a/preview', { grants: grantNote(length) })).body.problems

    expect(await preview(largest)).toEqual([])
    const problems = await preview(largest + 1)

    const refused = await caller.rest('PATCH', '/org/plans/a', { grants: grantNote(largest + 1) })
    expectCap(refused, 'catalog_bytes', 2000)
    expect(problems).toEqual([{ path: '', message: refused.body.error.message }])
    expect((await caller.rest('PATCH', '/org/plans/a', { grants: grantNote(largest) })).status).toBe(200)
  })

  it('has at most MAX_CATALOG_BYTES in its features, including descriptions and options, in both APIs', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('a', { kind: 'flag', description: text(1500) })
    const options = [text(250), text(251)]
    const create = { key: 'b', name: 'B', kind: 'config', value_type: 'enum', options }

    expectCap(await caller.rest('POST', '/org/features', create), 'catalog_bytes', 2000)
    expectCap(await caller.rest('PATCH', '/org/features/a', { description: text(2000) }), 'catalog_bytes', 2000)
    expectGraphqlCap(
      await caller.graphql(`mutation { updateFeature(input: { key: "a", description: "${text(2000)}" }) { key } }`),
      'catalog_bytes',
      2000,
    )
  })

  it('stays within the cap on bytes when two writes run at once', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('note', config)

    const answers = await Promise.all(
      ['a', 'b', 'c'].map((key) => caller.rest('POST', '/org/plans', { key, name: key, grants: grantNote(1000) })),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('stays readable above the cap, and may become smaller', async () => {
    const caller = await roomyService.organization()
    await vendor(caller).feature('note', config)
    await vendor(caller).plan('a', grantNote(4000))
    const small = { ...caller, rest: (await service.member(caller.organizationId, 'admin')).rest }

    expect((await vendor(small).get('/org/plans/a')).grants.note.value).toHaveLength(4000)
    expectCap(await small.rest('PATCH', '/org/plans/a', { grants: grantNote(4001) }), 'catalog_bytes', 2000)
    const shrunk = await small.rest('PATCH', '/org/plans/a', { grants: grantNote(3000) })
    expect(shrunk.status).toBe(200)
  })

  it('has its bytes counted again by every kind of write', async () => {
    const caller = await service.organization()
    await vendor(caller).feature('note', config)
    for (let round = 0; round < 3; round++) {
      await vendor(caller).plan('a', grantNote(1500))
      await caller.rest('PATCH', '/org/plans/a', { grants: {} })
      await caller.rest('PATCH', '/org/plans/a', { grants: grantNote(1700) })
      await caller.rest('DELETE', '/org/plans/a')
    }
    await caller.rest('DELETE', '/org/features/note')

    const { rows } = await service.database.pool.query(
      'select catalog_bytes::int from organization where organization_id = $1',
      [caller.organizationId],
    )
    expect(rows).toEqual([{ catalog_bytes: 0 }])
  })
})

describe("a subscriber's overrides", () => {
  async function createOverridingSubscriber() {
    const caller = await service.organization()
    for (const key of ['a', 'b', 'c', 'd']) await vendor(caller).feature(key, config)
    await vendor(caller).subscriber('acme')
    const put = (feature: string, length: number) =>
      caller.rest('PUT', `/org/subscribers/acme/overrides/${feature}`, { kind: 'config', value: text(length) })
    return { caller, put }
  }

  it('have at most MAX_OVERRIDE_BYTES in their values, in both APIs', async () => {
    const { caller, put } = await createOverridingSubscriber()
    expect((await put('a', 600)).status).toBe(200)

    expectCap(await put('b', 500), 'override_bytes', 1000)
    expectCap(await put('a', 1000), 'override_bytes', 1000)
    expectGraphqlCap(
      await caller.graphql(
        `mutation { putOverride(input: { subscriberId: "acme", featureKey: "b", kind: CONFIG, value: "${text(500)}" }) { id } }`,
      ),
      'override_bytes',
      1000,
    )

    expect((await put('b', 300)).status).toBe(200)
  })

  it('stay within the cap when two writes run at once', async () => {
    const { put } = await createOverridingSubscriber()

    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((feature) => put(feature, 400)))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
  })

  it('stay readable above the cap, and may become smaller', async () => {
    const caller = await roomyService.organization()
    await vendor(caller).feature('a', config)
    await vendor(caller).subscriber('acme')
    await vendor(caller).override('acme', 'a', { kind: 'config', value: text(3000) })
    const small = await service.member(caller.organizationId, 'admin')
    const put = (length: number) =>
      small.rest('PUT', '/org/subscribers/acme/overrides/a', { kind: 'config', value: text(length) })

    expect((await vendor(small).get('/org/subscribers/acme/overrides')).overrides[0].value).toHaveLength(3000)
    expectCap(await put(3001), 'override_bytes', 1000)
    expect((await put(2000)).status).toBe(200)
  })
})
