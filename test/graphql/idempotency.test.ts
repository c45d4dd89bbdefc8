import { describe, expect, it } from 'vitest'
import { times } from '../support/race.ts'
import { runOnceInGraphql, sendOnce } from '../support/repeated.ts'
import { type Caller, send, sharedService } from '../support/service.ts'
import { auditOf } from '../support/state.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { pool } = service.database
const sendWithKey = (caller: Caller, query: string, key?: string, rest?: object) =>
  runOnceInGraphql(service.url, caller, query, key, rest)

const createSeats = `mutation { createFeature(input: { key: "seats", name: "Seats", kind: LIMIT }) { key kind createdAt } }`

const entriesOf = async ({ organizationId }: Caller) => (await auditOf(service.database, organizationId)).length
const keyFault = {
  errors: [{ extensions: { code: 'VALIDATION_ERROR', details: { fields: [{ path: 'Idempotency-Key' }] } } }],
}

describe('a mutation with an Idempotency-Key', () => {
  it('runs once, and a repetition is answered with the same bytes', async () => {
    const admin = await service.organization()

    const first = await sendWithKey(admin, createSeats, 'k1')
    const again = await sendWithKey(admin, createSeats, '"k1"')

    expect(first).toMatchObject({ status: 200, replayed: null, body: { data: { createFeature: { key: 'seats' } } } })
    expect(again).toMatchObject({ status: 200, replayed: 'true', text: first.text })
    expect(again.requestId).not.toBe(first.requestId)
    expect(await entriesOf(admin)).toBe(1)
  })

  it('is answered again with the nested fields of the first answer, even if they have changed', async () => {
    const admin = await service.organization()
    const nested = `mutation { createSubscriber(input: { subscriberId: "acme" }) { subscriberId subscriptions { nodes { planId } } } }`
    const first = await sendWithKey(admin, nested, 'k1')
    await vendor(admin).plan('pro')
    await vendor(admin).subscribe('acme', 'pro')

    expect(await sendWithKey(admin, nested, 'k1')).toMatchObject({ replayed: 'true', text: first.text })
  })

  it('is refused again with the same bytes if it was refused, even if it could now succeed', async () => {
    const admin = await service.organization()
    await vendor(admin).feature('seats')

    const first = await sendWithKey(admin, createSeats, 'k1')
    await admin.rest('DELETE', '/org/features/seats')
    const again = await sendWithKey(admin, createSeats, 'k1')

    expect(first.body).toMatchObject({ data: { createFeature: null }, errors: [{ extensions: { code: 'CONFLICT' } }] })
    expect(again).toMatchObject({ status: 200, replayed: 'true', text: first.text })
    expect(again.body.errors[0].extensions.requestId).toBe(first.requestId)
  })

  it('that deletes an object gets the same answer when it is repeated', async () => {
    const admin = await service.organization()
    await vendor(admin).feature('sso')
    const remove = `mutation { deleteFeature(input: { key: "sso" }) }`

    const first = await sendWithKey(admin, remove, 'k1')

    expect(first.body).toEqual({ data: { deleteFeature: 'sso' } })
    expect(await sendWithKey(admin, remove, 'k1')).toMatchObject({ replayed: 'true', text: first.text })
  })

  it('runs once when it arrives twenty times at once, and all requests get the same answer', async () => {
    const admin = await service.organization()

    const answers = await Promise.all(times(20, () => sendWithKey(admin, createSeats, 'k1')))

    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await entriesOf(admin)).toBe(1)
  })

  it('is answered from its stored result if the process was killed after it stored the result but before it stored the answer', async () => {
    const admin = await service.organization()
    const first = await sendWithKey(admin, createSeats, 'k1')
    const { rows } = await pool.query('select * from kept_answer where organization_id = $1', [admin.organizationId])
    expect(rows).toMatchObject([{ status: 201, body: first.text, result: null }])
    const lost = await resultOf(admin)

    await pool.query(
      `update kept_answer set body = null, result = $2, reserved_at = reserved_at - interval '4 seconds' where organization_id = $1`,
      [admin.organizationId, lost],
    )
    const again = await sendWithKey(admin, createSeats, 'k1')

    expect(again).toMatchObject({ replayed: 'true', text: first.text })
    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ replayed: 'true', text: first.text })
    expect(await entriesOf(admin)).toBe(1)
  })

  it('is 422 if its key is repeated with other variables, in another document or in the REST API', async () => {
    const admin = await service.organization()
    const query = `mutation Create($name: String!) { createSubscriber(input: { subscriberId: "a", name: $name }) { name } }`
    await sendWithKey(admin, query, 'k1', { variables: { name: 'A' } })

    expect((await sendWithKey(admin, query, 'k1', { variables: { name: 'B' } })).body).toMatchObject(keyFault)
    expect((await sendWithKey(admin, createSeats, 'k1')).body).toMatchObject(keyFault)
    expect(
      await sendOnce(service.url, admin, ['POST', '/org/subscribers', { subscriber_id: 'b' }], 'k1'),
    ).toMatchObject({
      status: 422,
    })
    expect(await sendWithKey(admin, query, 'k1', { variables: { name: 'A' } })).toMatchObject({ replayed: 'true' })
  })

  it('is refused in the same way as without a key if its variables are nested too deeply', async () => {
    const admin = await service.organization()
    await admin.rest('POST', '/org/features', { key: 'limits', name: 'L', kind: 'config', value_type: 'json' })
    const create = `mutation ($value: JSON) {
      createPlan(input: { key: "pro", name: "Pro", grants: [{ feature: "limits", kind: CONFIG, value: $value }] }) { key } }`
    const nested = (levels: number) => ({ variables: { value: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) } })
    const deep = `{"query":${JSON.stringify(create)},"variables":{"value":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`

    const shallow = await sendWithKey(admin, create, 'k1', nested(100))
    const headers = { 'x-api-key': admin.key, 'idempotency-key': 'k2' }
    const { body } = await send(`${service.url}/graphql`, 'POST', deep, headers)

    expect(body.errors[0].extensions).toMatchObject({ status: 422, details: shallow.body.errors[0].extensions.details })
  })

  it('is authorized again, and refused if the member has lost the label', async () => {
    const admin = await service.organization()
    const other = await service.member(admin.organizationId, 'admin')
    await sendWithKey(other, createSeats, 'k1')
    await admin.rest('PATCH', `/org/members/${other.memberId}`, { role: 'viewer' })

    const again = await sendWithKey(other, createSeats, 'k1')

    expect(again).toMatchObject({ replayed: null, body: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } })
  })

  /** The serialized result of `createSeats`, as a process that was killed leaves it. */
  async function resultOf({ organizationId }: Caller): Promise<Buffer> {
    const { serialize } = await import('node:v8')
    const row = await service.database.prisma.feature.findFirstOrThrow({ where: { organizationId } })
    return serialize(row)
  }
})

describe('an answer that is too large to store for repetitions', () => {
  const list = times(100, (n) => `"${n}-${'x'.repeat(200)}"`).join()
  const large = `mutation { createFeature(input: { key: "many", name: "Many", kind: CONFIG, valueType: ENUM, options: [${list}] }) { name options } }`

  it("is created again from the object's current state, and is NOT_FOUND once the object is deleted", async () => {
    const admin = await service.organization()
    const first = await sendWithKey(admin, large, 'k1')

    expect(await sendWithKey(admin, large, 'k1')).toMatchObject({ replayed: 'true', text: first.text })
    await admin.rest('PATCH', '/org/features/many', { name: 'Renamed' })
    const again = await sendWithKey(admin, large, 'k1')
    await admin.rest('DELETE', '/org/features/many')
    const gone = await sendWithKey(admin, large, 'k1')

    expect(again.body.data.createFeature).toEqual({ ...first.body.data.createFeature, name: 'Renamed' })
    expect(gone).toMatchObject({ replayed: 'true', body: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } })
  })
})

describe('the header Idempotency-Key', () => {
  it.each([
    ['a query', '{ features { key } }'],
    ['two fields', `mutation { a: deleteFeature(input: { key: "a" }) b: deleteFeature(input: { key: "b" }) }`],
    [
      'two fields in a fragment',
      `mutation { ...both } fragment both on Mutation { a: deleteFeature(input: { key: "a" }) __typename }`,
    ],
  ])('is 422 with a document of %s, of which nothing runs', async (_what, query) => {
    const admin = await service.organization()

    const answer = await sendWithKey(admin, query, 'k1')

    expect(answer.body).toMatchObject(keyFault)
    expect(answer.body.data).toBeUndefined()
    expect(await entriesOf(admin)).toBe(0)
  })

  it.each([
    ['a secret in its answer', `mutation { createInvite(input: { role: VIEWER }) { link } }`],
    ['the lines of an import', `mutation { importSubscribers(input: { lines: [{ subscriberId: "a" }] }) { lines } }`],
  ])('is 422 with a mutation that has %s', async (_what, query) => {
    const admin = await service.organization()

    expect((await sendWithKey(admin, query, 'k1')).body).toMatchObject(keyFault)
  })
})
