import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Observation } from '../../src/operation/observation.ts'
import { listFewestStatements } from '../graphql/count-statements.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { signUp, trustedLoopback } from '../support/person.ts'
import { race, times } from '../support/race.ts'
import { type RepeatedWrite, sendOnce } from '../support/repeated.ts'
import { type Caller, startService } from '../support/service.ts'
import { auditOf } from '../support/state.ts'
import { vendor } from '../support/vendor.ts'

const observed: Observation[] = []
// In its own database, because creating a trigger locks the whole table.
const env = { ...trustedLoopback, DATABASE_URL: await createOwnDatabase() }
const service = await startService(env, undefined, (observation) => void observed.push(observation))
const { pool } = service.database
const sendWithKey = (caller: Caller, request: RepeatedWrite, key?: string) =>
  sendOnce(service.url, caller, request, key)

const createSeats: RepeatedWrite = ['POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' }]

/** The number of entries in the audit log. */
const countEntries = async ({ organizationId }: Caller) => (await auditOf(service.database, organizationId)).length

const ageRecords = (caller: Caller, interval: string) =>
  pool.query(`update kept_answer set reserved_at = reserved_at - $2::interval where organization_id = $1`, [
    caller.organizationId,
    interval,
  ])

describe('a write with an Idempotency-Key', () => {
  it('runs once, and its repetition gets the same status and bytes', async () => {
    const admin = await service.organization()

    const first = await sendWithKey(admin, createSeats, 'k1')
    const again = await sendWithKey(admin, createSeats, 'k1')

    expect(first).toMatchObject({ status: 201, replayed: null })
    expect(again).toMatchObject({ status: 201, replayed: 'true', text: first.text })
    expect(again.requestId).not.toBe(first.requestId)
    expect(await countEntries(admin)).toBe(1)
  })

  it('is answered without a body when it is repeated after a 204', async () => {
    const admin = await service.organization()
    await vendor(admin).feature('sso')

    const first = await sendWithKey(admin, ['DELETE', '/org/features/sso'], 'k1')
    const again = await sendWithKey(admin, ['DELETE', '/org/features/sso'], 'k1')

    expect(first).toMatchObject({ status: 204, text: '', replayed: null })
    expect(again).toMatchObject({ status: 204, text: '', replayed: 'true' })
  })

  it('counts as repeated if its key is quoted in one request and bare in the other', async () => {
    const admin = await service.organization()

    const first = await sendWithKey(admin, createSeats, '"a\\"b"')

    expect(await sendWithKey(admin, createSeats, 'a"b')).toMatchObject({ replayed: 'true', text: first.text })
  })

  it.each(['', '"', '""', 'two words', '"open', 'x'.repeat(256), '"k";a=1'])(
    'is 422 if the key is %j, and is recorded',
    async (key) => {
      const admin = await service.organization()

      const answer = await sendWithKey(admin, createSeats, key)

      expect(answer).toMatchObject({ status: 422, replayed: null })
      expect(answer.body.error.details.fields).toMatchObject([{ path: 'Idempotency-Key' }])
      expect(await auditOf(service.database, admin.organizationId)).toMatchObject([
        { outcome: 'responded', status: 422 },
      ])
    },
  )

  it('may use the key again after a 413 or 415, because the request did not run', async () => {
    const admin = await service.organization()
    const send = (type: string, body: string) =>
      fetch(`${service.url}/org/features`, {
        method: 'POST',
        headers: { 'x-api-key': admin.key, 'idempotency-key': 'k1', 'content-type': type },
        body,
      })

    const refused = [await send('text/plain', '{}'), await send('application/json', `"${'x'.repeat(2_000_000)}"`)]

    expect(refused.map(({ status }) => status)).toEqual([415, 413])
    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ status: 201, replayed: null })
  })

  it('accepts a key of 255 characters', async () => {
    const admin = await service.organization()
    const key = '~'.repeat(255)

    expect(await sendWithKey(admin, createSeats, key)).toMatchObject({ status: 201 })
    expect(await sendWithKey(admin, createSeats, `"${key}"`)).toMatchObject({ status: 201, replayed: 'true' })
  })

  it.each<[string, RepeatedWrite]>([
    ['method', ['PUT', '/org/features/seats']],
    ['path', ['POST', '/org/plans', createSeats[2]]],
    ['query', ['POST', '/org/features?', createSeats[2]]],
    ['body', ['POST', '/org/features', ` ${JSON.stringify(createSeats[2])}`]],
  ])('is 422 if the key was used before with another %s', async (what, other) => {
    const admin = await service.organization()
    await vendor(admin).subscriber('acme')
    await sendWithKey(admin, createSeats, 'k1')
    const request: RepeatedWrite = what === 'method' ? ['PATCH', '/org/subscribers/acme', { name: 'A' }] : other

    const answer = await sendWithKey(admin, request, 'k1')

    expect(answer).toMatchObject({ status: 422, replayed: null })
    expect(answer.body.error.details.fields).toMatchObject([{ path: 'Idempotency-Key' }])
  })

  it('can be repeated with another API key of its member, but not by another member', async () => {
    const admin = await service.organization()
    const other = await service.member(admin.organizationId, 'admin')
    await sendWithKey(admin, createSeats, 'k1')
    const accounts = await admin.rest('GET', '/org/service-accounts')
    const account = accounts.body.service_accounts.find(
      (each: { member_id: string }) => each.member_id === admin.memberId,
    )
    const path = `/org/service-accounts/${account.service_account_id}/api-keys`
    const { body: second } = await admin.rest('POST', path, { name: 'second' })

    expect(await sendWithKey(other, createSeats, 'k1')).toMatchObject({ status: 409, replayed: null })
    expect(await sendWithKey({ ...admin, key: second.key }, createSeats, 'k1')).toMatchObject({
      status: 201,
      replayed: 'true',
    })
  })

  it('runs once when it arrives thirty times at once, and all requests get its answer', async () => {
    const admin = await service.organization()

    const answers = await Promise.all(times(30, () => sendWithKey(admin, createSeats, 'k1')))

    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await countEntries(admin)).toBe(1)
  })

  it.each<[number, RepeatedWrite, RepeatedWrite]>([
    [
      404,
      ['POST', '/org/subscribers/acme/subscriptions', { plan_id: 'pro' }],
      ['POST', '/org/subscribers', { subscriber_id: 'acme' }],
    ],
    [409, ['POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' }], ['DELETE', '/org/features/sso']],
    [422, ['PUT', '/org/subscribers/old/overrides/sso', { kind: 'limit', limit: 1 }], ['DELETE', '/org/features/sso']],
    [422, ['POST', '/org/plans', { key: 'A B', name: 'x' }], ['POST', '/org/plans', { key: 'other', name: 'x' }]],
  ])(
    'refused with %i is refused again with the same bytes, even if the reason no longer exists',
    async (status, request, change) => {
      const admin = await service.organization()
      await vendor(admin).feature('sso')
      await vendor(admin).plan('pro')
      await vendor(admin).subscriber('old')

      const first = await sendWithKey(admin, request, 'k1')
      await admin.rest(...change)
      const again = await sendWithKey(admin, request, 'k1')

      expect(first).toMatchObject({ status, replayed: null })
      expect(again).toMatchObject({ status, replayed: 'true', text: first.text })
      expect(again.body.error.request_id).toBe(first.requestId)
      expect(observed.find(({ requestId }) => requestId === again.requestId)).toMatchObject({
        status,
        code: first.body.error.code,
      })
      expect(again.requestId).not.toBe(first.requestId)
    },
  )

  it('runs again if it was refused before it ran: 400, 403, 413', async () => {
    const admin = await service.organization()
    const viewer = await service.member(admin.organizationId, 'viewer')

    expect(await sendWithKey(viewer, createSeats, 'k1')).toMatchObject({ status: 403 })
    await pool.query(`update member set role = 'admin' where organization_id = $1`, [admin.organizationId])
    expect(await sendWithKey(viewer, ['POST', '/org/features', '{'], 'k1')).toMatchObject({ status: 400 })
    expect(await sendWithKey(viewer, ['POST', '/org/features', 'x'.repeat(2_000_000)], 'k1')).toMatchObject({
      status: 413,
    })

    expect(await sendWithKey(viewer, createSeats, 'k1')).toMatchObject({ status: 201, replayed: null })
  })

  it('is refused if the member who repeats it has lost the label or was disabled', async () => {
    const admin = await service.organization()
    const other = await service.member(admin.organizationId, 'admin')
    await sendWithKey(other, createSeats, 'k1')

    await admin.rest('PATCH', `/org/members/${other.memberId}`, { role: 'viewer' })
    expect(await sendWithKey(other, createSeats, 'k1')).toMatchObject({ status: 403, replayed: null })
    await admin.rest('PATCH', `/org/members/${other.memberId}`, { status: 'disabled' })
    expect(await sendWithKey(other, createSeats, 'k1')).toMatchObject({ status: 401, replayed: null })
  })

  it('runs again after a failure of the service', async () => {
    const admin = await service.organization()
    const name = `fail_${admin.organizationId.toLowerCase()}`
    await pool.query(`
      create function ${name}() returns trigger language plpgsql as $$ begin raise 'this table is closed'; end $$;
      create trigger ${name} before insert on feature for each row
        when (new.organization_id = '${admin.organizationId}') execute function ${name}()`)
    const first = await sendWithKey(admin, createSeats, 'k1')
    await pool.query(`drop function ${name}() cascade`)

    expect(first).toMatchObject({ status: 500, replayed: null })
    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ status: 201, replayed: null })
  })

  it('runs again after 24 hours', async () => {
    const admin = await service.organization()
    await sendWithKey(admin, createSeats, 'k1')

    await ageRecords(admin, '23 hours 59 minutes')
    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ status: 201, replayed: 'true' })
    await ageRecords(admin, '1 minute')
    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ status: 409, replayed: null })
  })

  it('runs when it is repeated after the process of the first request was killed before the commit', async () => {
    const admin = await service.organization()
    await reserve(admin, randomUUID())
    await ageRecords(admin, '4 seconds')

    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ status: 201, replayed: null })
  })

  it('runs too if the clock of the database stepped back after that', async () => {
    const admin = await service.organization()
    await reserve(admin, randomUUID())
    await ageRecords(admin, '-1 hour')

    expect(await sendWithKey(admin, createSeats, 'k1')).toMatchObject({ status: 201, replayed: null })
  })

  it('is 409 if the first request still runs in another process, for longer than a write may take', async () => {
    const admin = await service.organization()
    const first = await pool.connect()
    await reserve(admin, (await sendWithKey(admin, createSeats, 'other')).text)
    try {
      await first.query('begin')
      await first.query(`select from kept_answer where organization_id = $1 for update`, [admin.organizationId])
      await pool.query('select 1')

      const answer = await sendWithKey(admin, createSeats, 'k1')

      expect(answer).toMatchObject({ status: 409, replayed: null })
      expect(answer.body.error.details).toEqual({ field: 'idempotency_key', value: 'k1' })
    } finally {
      await first.query('rollback')
      first.release()
    }
  })

  /** Stores the record of a request with the key `k1` that began and has no answer. */
  async function reserve(caller: Caller, requestId: string): Promise<void> {
    const key = randomUUID()
    await sendWithKey(caller, createSeats, key)
    await caller.rest('DELETE', '/org/features/seats')
    await pool.query(
      `update kept_answer set status = null, body = null, request_id = $3, idempotency_key = 'k1'
        where organization_id = $1 and idempotency_key = $2`,
      [caller.organizationId, key, requestId],
    )
  }
})

describe('an answer that is too large to store', () => {
  const options = times(100, (n) => `option-${n}-${'x'.repeat(200)}`)
  const large: RepeatedWrite = [
    'POST',
    '/org/features',
    { key: 'many', name: 'Many', kind: 'config', value_type: 'enum', options },
  ]

  it("is replaced, for a repetition, by its status and the object's current state", async () => {
    const admin = await service.organization()
    const first = await sendWithKey(admin, large, 'k1')

    expect(await sendWithKey(admin, large, 'k1')).toMatchObject({ status: 201, replayed: 'true', text: first.text })
    await admin.rest('PATCH', '/org/features/many', { name: 'Renamed' })
    const again = await sendWithKey(admin, large, 'k1')

    expect(again).toMatchObject({ status: 201, replayed: 'true' })
    expect(again.body).toEqual({ ...first.body, name: 'Renamed', updated_at: again.body.updated_at })
  })

  it('is replaced, for a repetition, by 404 once the object is deleted', async () => {
    const admin = await service.organization()
    await sendWithKey(admin, large, 'k1')
    await admin.rest('DELETE', '/org/features/many')

    const again = await sendWithKey(admin, large, 'k1')

    expect(again).toMatchObject({ status: 404, replayed: 'true' })
    expect(again.body.error.details).toEqual({ resource: 'feature', id: 'many' })
    expect(again.body.error.request_id).toBe(again.requestId)
  })
})

describe('the header Idempotency-Key', () => {
  it('is 422 for writes whose answer may contain a secret, and for an import', async () => {
    const admin = await service.organization()
    const { body: account } = await admin.rest('POST', '/org/service-accounts', { name: 'ci', role: 'viewer' })
    await admin.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
    const keys = `/org/service-accounts/${account.service_account_id}/api-keys`

    for (const request of [
      ['PUT', '/org/webhook', { url: 'https://receiver.example/' }],
      ['POST', '/org/webhook/rotate'],
      ['POST', keys, { name: 'x' }],
      ['POST', '/org/invites', { role: 'viewer' }],
    ] satisfies RepeatedWrite[]) {
      const answer = await sendWithKey(admin, request)
      expect(answer, request[1]).toMatchObject({ status: 422 })
      expect(answer.body.error.details.fields).toMatchObject([{ path: 'Idempotency-Key' }])
    }
    const imported = await admin.rest('POST', '/org/subscribers/import', '{"subscriber_id":"s"}', {
      'idempotency-key': 'k1',
    })
    expect(imported.status).toBe(422)
    expect(imported.body.error.details.fields).toMatchObject([{ path: 'Idempotency-Key' }])
    expect((await admin.rest('GET', '/org/subscribers')).body.subscribers).toEqual([])
  })

  it("is ignored by a person's own requests", async () => {
    const person = await signUp(service)

    for (const name of ['Ada', 'Grace']) {
      const answer = await person.rest('PATCH', '/user', { display_name: name }, { 'idempotency-key': 'k1' })
      expect(answer).toMatchObject({ status: 200, body: { display_name: name } })
    }
  })

  it('is ignored by reads, evals, previews and tokens', async () => {
    const admin = await service.organization()
    await vendor(admin).feature('sso')
    await vendor(admin).plan('pro')
    await vendor(admin).subscriber('acme')

    for (const request of [
      ['GET', '/org/features'],
      ['POST', '/org/subscribers/acme/entitlements/check', { feature: 'sso' }],
      ['POST', '/org/plans/pro/preview', { name: 'Pro' }],
      ['POST', '/org/subscribers/acme/tokens', {}],
    ] satisfies RepeatedWrite[]) {
      for (const _ of [1, 2])
        expect(await sendWithKey(admin, request, ' ')).toMatchObject({ status: 200, replayed: null })
    }
  })
})

it('a write with an Idempotency-Key takes three more statements, and its repetition commits nothing', async () => {
  const admin = await service.organization()
  await vendor(admin).feature('seats', { kind: 'limit' })
  await vendor(admin).subscriber('acme')
  const put = (limit: number): RepeatedWrite => [
    'PUT',
    '/org/subscribers/acme/overrides/seats',
    { kind: 'limit', limit },
  ]
  await admin.rest(...put(1))

  let limit = 2
  const plain = await listFewestStatements(() => admin.rest(...put(limit++)))
  // After its first answer for an organization, a process deletes the oldest stored answers.
  await sendWithKey(admin, put(100), 'k100')
  const first = await listFewestStatements(() => sendWithKey(admin, put(limit), `k${limit++}`))
  const again = await listFewestStatements(() => sendWithKey(admin, put(100), 'k100'))

  expect(plain.filter((text) => text.includes('kept_answer'))).toEqual([])
  expect(first).toHaveLength(plain.length + 3)
  expect(again).not.toContain('COMMIT')
})

it('only one of several different requests with the same Idempotency-Key is accepted', async () => {
  const admin = await service.organization()

  const { tally } = await race(
    times(
      10,
      (n) => () => admin.rest('POST', '/org/subscribers', { subscriber_id: `s${n}` }, { 'idempotency-key': 'k1' }),
    ),
  )

  expect(tally).toEqual({ 201: 1, '422 VALIDATION_ERROR': 9 })
})
