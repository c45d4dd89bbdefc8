import { beforeEach, describe, expect, it } from 'vitest'
import { expectInvalid, expectRefusal } from '../support/refusal.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'
import { grantOfEach, vendor } from '../support/vendor.ts'

const service = await sharedService()
const path = '/org/plans/pro/preview'
const exactly = (value: number) => ({ value, is_exact: true })

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  const setup = vendor(caller)
  await setup.features()
  await setup.plan('pro', grantOfEach)
  await setup.plan('max')
  for (const subscriber of ['ann', 'bob', 'cy']) await setup.subscriber(subscriber)
  for (const subscriber of ['ann', 'bob']) await setup.subscribe(subscriber, 'pro')
  await setup.subscribe('cy', 'max')
  await setup.override('ann', 'seats', { kind: 'limit', limit: 9 })
  await setup.override('bob', 'seats', { kind: 'limit', limit: 9, expires_at: '2020-01-01T00:00:00.000Z' })
  await setup.override('cy', 'seats', { kind: 'limit', limit: 9 })
})

/**
 * Adds many organizations with one override each, and analyzes the tables: from then on, PostgreSQL expects one override in
 * each organization.
 */
async function addSmallOrganizations(count: number) {
  const { pool } = service.database
  const timesAndRows = 'now(), now() from generate_series(1, $2::int) n'
  const values = [`${caller.organizationId}-`, count]
  await pool.query(
    `insert into organization (organization_id, name, created_at, updated_at) select $1 || n, '', ${timesAndRows}`,
    values,
  )
  await pool.query(
    `insert into feature (organization_id, feature_key, name, description, kind, created_at, updated_at)
     select $1 || n, 'seats', '', '', 'limit', ${timesAndRows}`,
    values,
  )
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at) select $1 || n, 'acme', ${timesAndRows}`,
    values,
  )
  await pool.query(
    `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
     select $1 || n, 'acme', 'seats', $1 || n, 'limit', 1, ${timesAndRows}`,
    values,
  )
  await pool.query('analyze override, subscription, subscriber')
}

/** Adds subscribers of the plan, each with an override of the seats. */
async function addSubscribersWithOverride(count: number) {
  const values = [caller.organizationId, count]
  const { pool } = service.database
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select $1, 'many-' || n, now(), now() from generate_series(1, $2::int) n`,
    values,
  )
  await pool.query(
    `insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
     select $1, 'many-' || n, 'many-' || n, 'pro', now() from generate_series(1, $2::int) n`,
    values,
  )
  await pool.query(
    `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
     select $1, 'many-' || n, 'seats', 'many-' || n, 'limit', 1, now(), now() from generate_series(1, $2::int) n`,
    values,
  )
}

async function preview(body: object) {
  const answer = await caller.rest('POST', path, body)
  expect(answer.status).toBe(200)
  return answer.body
}

describe('the preview of a plan update', () => {
  it('shows each change with the number of overrides that hide it, and the number of subscribers', async () => {
    const grants = { seats: { kind: 'limit', limit: 3 }, color: grantOfEach.color }

    expect(await preview({ grants })).toEqual({
      subscribers: exactly(2),
      changes: [
        { feature: 'seats', from: grantOfEach.seats, to: grants.seats, hidden_by_override: exactly(1) },
        { feature: 'sso', from: { kind: 'flag' }, to: null, hidden_by_override: exactly(0) },
      ],
      problems: [],
    })
  })

  it.each([{}, { name: 'Professional' }, { grants: grantOfEach }])('is empty for %j', async (body) => {
    expect(await preview(body)).toEqual({ subscribers: exactly(2), changes: [], problems: [] })
  })

  it('lists the problems for which stored data would make the update fail', async () => {
    const grants = { seats: { kind: 'flag' }, color: { kind: 'config', value: 'pink' }, constructor: { kind: 'flag' } }

    const { changes, problems } = await preview({ grants })

    const refused = await caller.rest('PATCH', '/org/plans/pro', { grants })
    expect(problems).toEqual(refused.body.error.details.fields)
    expect(problems.map((problem: { path: string }) => problem.path)).toEqual([
      'grants.seats.kind',
      'grants.color.value',
      'grants.constructor',
    ])
    expect(changes.map(({ feature }: { feature: string }) => feature)).toEqual(['sso'])
  })

  it('distinguishes a malformed key, such as seats.a, from the existing key seats', async () => {
    const seats = { kind: 'limit', limit: 3 }
    const grants = { ...grantOfEach, seats, 'seats.a': { kind: 'flag' }, 'seats.\0': { kind: 'flag' } }

    const { changes, problems } = await preview({ grants })

    const refused = await caller.rest('PATCH', '/org/plans/pro', { grants })
    expect(problems).toEqual(refused.body.error.details.fields)
    expect(changes).toEqual([{ feature: 'seats', from: grantOfEach.seats, to: seats, hidden_by_override: exactly(1) }])
  })

  it('refuses, as the update does, malformed input, an unknown plan, and a plan changed since it was read', async () => {
    expectInvalid(await caller.rest('POST', path, { grants: [] }), ['grants', /object with a grant/])
    expectInvalid(await caller.rest('POST', path, { kind: 'x' }), ['kind', /kind cannot be changed/])
    const stale = await caller.rest('POST', path, { expected_updated_at: '2020-01-01T00:00:00.000Z' })
    expect(stale).toMatchObject({ status: 409, body: { error: { details: { field: 'updated_at' } } } })
    expectRefusal(await caller.rest('POST', '/org/plans/nope/preview', {}), 'NOT_FOUND', {
      resource: 'plan',
      id: 'nope',
    })
  })

  it('writes and records nothing', async () => {
    const before = await stateOf(service.database, caller.organizationId)
    const recorded = await auditOf(service.database, caller.organizationId)

    const answer = await caller.rest('POST', path, { grants: {} })

    expect(answer.body.changes).toHaveLength(3)
    expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
    expect(await auditOf(service.database, caller.organizationId)).toEqual(recorded)
  })

  it('checks at most 10,000 overrides for all changes, and marks counts that are only minimums', async () => {
    await addSmallOrganizations(3_000)
    await addSubscribersWithOverride(7_500)

    const all = await preview({ grants: {} })
    const one = await preview({ grants: { ...grantOfEach, seats: { kind: 'limit', limit: 3 } } })

    expect(all.subscribers).toEqual(exactly(7_502))
    const hiddenOf = ({ changes }: typeof all) => changes.map((each: typeof all) => each.hidden_by_override)
    const [color, seats, sso] = hiddenOf(all)
    expect([color, sso]).toEqual([exactly(0), exactly(0)])
    expect(seats).toEqual({ value: expect.any(Number), is_exact: false })
    expect(seats.value).toBeGreaterThan(3_000)
    expect(hiddenOf(one)).toEqual([exactly(7_501)])
  })

  it('is a query in GraphQL', async () => {
    const { body } = await caller.graphql(`{
      previewPlanUpdate(input: { key: "pro", grants: [{ feature: "seats", kind: LIMIT, limit: 3 }, { feature: "nope", kind: FLAG }] }) {
        subscribers { value isExact }
        changes { feature from { kind limit } to { limit } hiddenByOverride { value } }
        problems { path message }
      }
    }`)

    const { subscribers, changes, problems } = body.data.previewPlanUpdate
    expect(subscribers).toEqual({ value: 2, isExact: true })
    const seats = {
      feature: 'seats',
      from: { kind: 'LIMIT', limit: 5 },
      to: { limit: 3 },
      hiddenByOverride: { value: 1 },
    }
    expect(changes).toContainEqual(seats)
    expect(problems).toEqual([{ path: 'grants.nope', message: expect.stringMatching(/names no feature/) }])
  })
})
