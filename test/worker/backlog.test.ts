import pg from 'pg'
import { expect, it } from 'vitest'
import { Metrics } from '../../src/metrics/metrics.ts'
import { type ExpireOptions, expireOverrides } from '../../worker/jobs/expire-overrides.ts'
import { type FinishedAttempt, recordAttempts } from '../../worker/record-attempts.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest()
const { pool, prisma } = test.service.database

/** The number of rows of events that were read so far by connections that have closed. */
async function rowsRead(): Promise<number> {
  const text = `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'webhook_event'`
  return (await pool.query(text)).rows[0].read
}

it('a worker that records attempts finds events by primary key, even if the queue was empty at the last ANALYZE', async () => {
  const caller = await test.vendor()
  await test.queue(caller, 3000)
  await pool.query(
    `update webhook_event set event_id = 'old-' || event_id, state = 'delivered', due_at = null, finished_at = clock_timestamp()`,
  )
  await pool.query('vacuum analyze webhook_event')
  const ids = (await test.queue(caller, 500)).slice(0, 3)
  await pool.query('select pg_stat_force_next_flush()')
  const before = await rowsRead()

  const attempts = ids.map((eventId) => acknowledged(caller.organizationId, eventId))
  const result = await withOwnConnection((own) =>
    recordAttempts({ pool: own, boss: null as never, clock: test.clock, waitsSeconds: [] }, attempts),
  )

  expect(result).toMatchObject({ finished: attempts, lockedOrganizationIds: [], paused: [], next: [] })
  expect((await rowsRead()) - before).toBeLessThan(100)
})

it('events that ran out of attempts are counted once, even if their record is repeated because the reply to COMMIT was lost', async () => {
  const vendor = await test.vendor()
  const { organizationId } = vendor
  const [first = '', second = ''] = await test.queue(vendor, 2)
  const options = { pool, boss: null as never, clock: test.clock, waitsSeconds: [] }
  const failed = (eventId: string) => ({ ...acknowledged(organizationId, eventId), status: 500, error: 'refused' })
  const last = { ...failed(first), counted: [failed(first), failed(second)] }

  await recordAttempts(options, [failed(second)])
  await recordAttempts(options, [last])
  const repeated = await recordAttempts(options, [last])

  expect(repeated.finished).toEqual([last])
  expect(await prisma.webhookEndpoint.findUnique({ where: { organizationId } })).toMatchObject({ exhaustedInARow: 2 })
})

it('organizations share the batches of ended overrides, so that none waits for one with many', async () => {
  const callers = await Promise.all([test.vendor(), test.vendor()])
  const [first = '', second = ''] = callers.map(({ organizationId }) => organizationId).sort()
  await endOverrides(first, 300)
  await endOverrides(second, 1)
  const woken: (readonly string[])[] = []
  const wake = (organizationIds: readonly string[]) => void woken.push(organizationIds)

  expect(await expireAll(new Set([first, second]), wake)).toEqual([])
  expect(woken.length).toBeGreaterThan(1)
  expect(woken[0]?.toSorted()).toEqual([first, second])
  const causes = await pool.query(
    `select organization_id as id, count(*)::int as events from webhook_event
      where organization_id = any($1) and body like '%"expiry"%' group by 1 order by 1`,
    [[first, second]],
  )
  expect(causes.rows).toEqual([
    { id: first, events: 300 },
    { id: second, events: 1 },
  ])
})

it('an organization whose override ends while overrides of another are marked gets a share of the next batch', async () => {
  const [large, small] = await Promise.all([test.vendor(), test.vendor()])
  await endOverrides(large.organizationId, 1000)
  await endOverrides(small.organizationId, 1)
  const waiting = new Set([large.organizationId])
  const woken: (readonly string[])[] = []
  const wake = (organizationIds: readonly string[]) => {
    woken.push(organizationIds)
    if (woken.length === 1) waiting.add(small.organizationId)
  }

  await expireAll(waiting, wake)

  expect(woken[0]).toEqual([large.organizationId])
  expect(woken[1]?.toSorted()).toEqual([large.organizationId, small.organizationId].sort())
})

/** Repeats the call while organizations wait, as the worker does: each call ends after half a second. */
async function expireAll(waiting: Set<string>, wake: ExpireOptions['wake']): Promise<string[]> {
  const { signal } = new AbortController()
  const options = { pool, clock: test.clock, wake, wakeFollowers: () => {}, metrics: new Metrics(), signal }
  let remaining: string[] = []
  while (waiting.size > 0) remaining = await expireOverrides(options, waiting)
  return remaining
}

async function endOverrides(organizationId: string, count: number): Promise<void> {
  await pool.query(
    `with added as (
       insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
       select $1, 's' || number, now(), now() from generate_series(1, $2::int) as number
       returning subscriber_id)
     insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", expires_at, created_at,
                           updated_at)
     select $1, subscriber_id, 'seats', subscriber_id, 'limit', 1, now() - interval '1 second', now(), now() from added`,
    [organizationId, count],
  )
}

/** Resolves once the connection has ended, because its reads are counted only then. */
async function withOwnConnection<Result>(run: (own: pg.Pool) => Promise<Result>): Promise<Result> {
  const own = new pg.Pool({ connectionString: test.url, max: 1 })
  const { rows } = await own.query('select pg_backend_pid() as pid')
  const result = await run(own).finally(() => own.end())
  const isOpen = async () => (await pool.query('select from pg_stat_activity where pid = $1', [rows[0].pid])).rowCount
  await until(async () => (await isOpen()) === 0)
  return result
}

function acknowledged(organizationId: string, eventId: string): FinishedAttempt {
  const now = performance.now()
  const result = { status: 200, error: null, answer: null, headers: null, queuedAt: null, counted: [] }
  return { ...result, organizationId, eventId, attemptsBefore: 0, once: false, startedAt: now, finishedAt: now }
}
