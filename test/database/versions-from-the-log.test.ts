import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { migrationsFolder } from '../../src/database/migration-files.ts'
import { nextMillisecond } from '../support/next-millisecond.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

const service = await sharedService()
const { pool } = service.database
const migration = readFileSync(`${migrationsFolder}/20261127111500_versions_from_the_log/migration.sql`, 'utf8')

/**
 * Creates the state in which the previous migration leaves a database of an older version: only present rows, whose past begins
 * now.
 */
async function forgetPast({ organizationId }: Caller): Promise<void> {
  for (const table of ['override_version', 'plan_grant_version', 'former_feature'])
    await pool.query(`delete from ${table} where organization_id = $1`, [organizationId])
  await pool.query('update subscription set canceled_by = null where organization_id = $1', [organizationId])
  await pool.query(
    `insert into plan_grant_version (organization_id, plan_key, feature_key, valid_from, kind, "limit", value)
     select g.organization_id, g.plan_key, g.feature_key, p.updated_at, g.kind, g."limit", g.value
       from plan_grant g join plan p using (organization_id, plan_key) where g.organization_id = $1`,
    [organizationId],
  )
  await pool.query(`insert into past_start values ($1, clock_timestamp())`, [organizationId])
}

async function readLog(): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`begin; ${migration}; commit`)
  } finally {
    client.release(true)
  }
}

type Item = Record<'cause' | 'feature' | 'field' | 'from' | 'to' | 'by' | 'note' | 'plan', unknown>
/** The changes without their times: the log has the time of the outcome, a few milliseconds after that of the row. */
const toStory = ({ cause, feature, field, from, to, by, note, plan }: Item) => ({
  ...{ cause, feature, field, from, to, by, note, plan },
})

async function storiesOf(caller: Caller) {
  const read = async (path: string) => (await vendor(caller).get(`${path}/history?limit=100`)).history.map(toStory)
  return [await read('/org/subscribers/acme'), await read('/org/plans/pro'), await read('/org/plans/max')]
}

async function organization() {
  const caller = await service.organization()
  const setup = vendor(caller)
  const requestSuccessfully = async (...[method, at, body]: Parameters<Caller['rest']>) => {
    const answer = await caller.rest(method, at, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  }
  await setup.feature('seats', { kind: 'limit' })
  await setup.feature('theme', { kind: 'config', value_type: 'json' })
  await setup.feature('old')
  await setup.plan('pro', { seats: { kind: 'limit', limit: 5 }, old: { kind: 'flag' } })
  await setup.plan('max', { theme: { kind: 'config', value: { b: 1, a: [2] } } })
  await setup.subscriber('acme')
  await setup.subscribe('acme', 'pro')
  return { caller, setup, requestSuccessfully }
}

it('the migration reconstructs the versions from before it was applied, as far as the log is exact', async () => {
  const { caller, setup, requestSuccessfully } = await organization()
  const patch = (plan: string, grants: object, note?: string) =>
    requestSuccessfully('PATCH', `/org/plans/${plan}`, { grants, ...(note && { note }) })
  await setup.override('acme', 'seats', { kind: 'limit', limit: 7, note: 'T-1' })
  await setup.override('acme', 'seats', { kind: 'limit', limit: null, expires_at: '2999-01-01T00:00:00.000Z' })
  await requestSuccessfully('DELETE', '/org/subscribers/acme/overrides/seats')
  await setup.override('acme', 'theme', { kind: 'config', value: { z: 1, y: 'é' } })
  await patch('pro', { seats: { kind: 'limit', limit: 6 } }, 'fewer')
  await requestSuccessfully('POST', '/org/subscribers/acme/subscriptions/change', { plan_id: 'max' })
  await patch('max', { theme: { kind: 'config', value: 'x' }, seats: { kind: 'limit', limit: 1 } })
  await patch('max', { theme: { kind: 'config', value: 'y' }, seats: { kind: 'limit', limit: 1 } })
  await requestSuccessfully('PATCH', '/org/plans/max', { name: 'Max!' })
  const lines = [{ subscriber_id: 'acme', overrides: { theme: null, seats: { kind: 'limit', limit: 3 } } }]
  await fetch(`${service.url}/org/subscribers/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'x-api-key': caller.key },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  await requestSuccessfully('DELETE', '/org/features/old')
  await setup.override('acme', 'seats', { kind: 'limit', limit: 4 })
  const stories = await storiesOf(caller)
  const { created_at } = await setup.get('/org/subscribers/acme')

  await forgetPast(caller)
  await readLog()

  expect(await storiesOf(caller)).toEqual(stories)
  const first = await setup.get(`/org/subscribers/acme/explanation?at=${created_at}`)
  expect(first.items.map(({ feature }: { feature: string }) => feature).sort()).toEqual(['old', 'seats', 'theme'])
})

it('the reconstructed past begins after the last value that was too large for the log', async () => {
  const { caller, setup } = await organization()
  const large = (letter: string) => ({ kind: 'config', value: letter.repeat(20_000) })
  await setup.override('acme', 'seats', { kind: 'limit', limit: 7 })
  await setup.override('acme', 'theme', large('a'))
  const { updated_at } = await setup.override('acme', 'theme', large('b'))
  // The past begins a millisecond after this change.
  await nextMillisecond()
  await setup.override('acme', 'seats', { kind: 'limit', limit: 8 })

  await forgetPast(caller)
  await readLog()

  expect((await caller.rest('GET', `/org/subscribers/acme/explanation?at=${updated_at}`)).status).toBe(422)
  const { history } = await setup.get('/org/subscribers/acme/history')
  expect(history.map(({ from, to }: Item) => [from, to])).toEqual([
    [expect.objectContaining({ limit: 7 }), expect.objectContaining({ limit: 8 })],
  ])
})
