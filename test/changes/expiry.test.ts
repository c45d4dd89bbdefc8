import { expect, it } from 'vitest'
import { pruneChanges } from '../../worker/jobs/prune-changes.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { vendor } from '../support/vendor.ts'
import { openStream } from './event-stream.ts'

const test = await startDeliveryTest()

it('the expiry of an override is reported as a change even without an endpoint', async () => {
  const caller = await test.service.organization()
  await vendor(caller).feature('seats', { kind: 'limit' })
  await vendor(caller).subscriber('acme')
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 5, expires_at })
  const stream = await openStream(`${test.service.url}/org/changes`, { 'x-api-key': caller.key })
  await stream.take('ready')

  test.clock.advance(3_700)
  await test.worker()

  const { data } = await stream.take('entitlements.stale')
  expect(JSON.parse(data)).toMatchObject({
    subscriber_id: 'acme',
    cause: 'expiry',
    features: ['seats'],
    occurred_at: expires_at,
  })
})

it('changes are pruned an hour after the retention period, and older cursors are answered with a reset', async () => {
  const caller = await test.service.organization()
  const { pool } = test.service.database
  const cursorNow = async (): Promise<string> => (await vendor(caller).get('/org/changes')).cursor
  const old = await cursorNow()
  await vendor(caller).feature('old')
  const { signal } = new AbortController()
  const prune = () => pruneChanges({ pool, clock: test.clock, retentionHours: 1, signal })
  await pool.query(`update change set written_at = written_at - interval '119 minutes' where organization_id = $1`, [
    caller.organizationId,
  ])
  const countOwn = async () =>
    (await pool.query('select from change where organization_id = $1', [caller.organizationId])).rowCount
  const ahead = test.clock.now().getTime() - Date.now()
  test.clock.advance(-ahead / 1_000)

  await prune()
  expect(await countOwn()).toBe(1)
  test.clock.advance(90)
  await prune()

  expect(await countOwn()).toBe(0)
  expect(await vendor(caller).get(`/org/changes?after=${old}`)).toMatchObject({ changes: [], reset: true })
  expect(await vendor(caller).get(`/org/changes?after=${await cursorNow()}`)).toMatchObject({ reset: false })
})
