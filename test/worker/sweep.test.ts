import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { wakeChannel } from '../../src/events/wakes.ts'
import { pruneEvalBatches } from '../../worker/jobs/prune-eval-batches.ts'
import { pruneEvents } from '../../worker/jobs/prune-events.ts'
import { pruneTokenCounters } from '../../worker/jobs/prune-token-counters.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { inTurn, wallTimeOf } from '../support/receiver.ts'
import { refuseDeletions } from '../support/refuse-deletions.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0.05' })
const { pool, prisma } = test.service.database
await test.worker()
const running = new AbortController().signal

describe('the sweep', () => {
  it('finds events whose wake was lost', async () => {
    const caller = await test.vendor()

    const ids = await test.queue(caller, 3)
    await caller.receiver.waitFor(3)

    expect(caller.receiver.ids().toSorted()).toEqual(ids)
  })

  it('takes over the queue of a dead worker once its lease has ended', async () => {
    const caller = await test.vendor()
    const { rows } = await pool.query(
      `insert into webhook_lane (organization_id, owner, lease_until)
       values ($1, 'gone', clock_timestamp() + interval '1500 milliseconds') returning lease_until`,
      [caller.organizationId],
    )

    await test.emit(caller)
    const [received] = await caller.receiver.waitFor(1)

    expect(wallTimeOf(received)).toBeGreaterThan(rows[0].lease_until.getTime())
  })
})

describe('a delivery queue', () => {
  it('is released once there is nothing to send', async () => {
    const caller = await test.vendor()
    await test.emit(caller)
    await caller.receiver.waitFor(1)

    await until(async () => {
      const where = { organizationId: caller.organizationId }
      return (await prisma.webhookLane.findUnique({ where }))?.leaseUntil === null
    })
  })

  it('does not exist for an organization without an endpoint, such as one that was deleted before its next retry', async () => {
    const [caller, organizationId] = [await test.vendor(), newId()]

    await pool.query('select pg_notify($1, $2)', [wakeChannel, `${organizationId},${caller.organizationId}`])
    await until(
      async () => (await prisma.webhookLane.count({ where: { organizationId: caller.organizationId } })) === 1,
    )

    expect(await prisma.webhookLane.count({ where: { organizationId } })).toBe(0)
  })
})

describe('pruning', () => {
  it('deletes finished events with their attempts after the retention period, but no queued events', async () => {
    const caller = await test.vendor(inTurn(200, 500))
    const { organizationId } = caller
    await test.emit(caller, 2)
    await until(async () => (await test.events(caller)).every(({ state }) => state !== 'queued'))
    await caller.rest('POST', '/org/webhook/disable')
    const waiting = await test.emit(caller)
    const clock = createTestClock()

    clock.advance(29 * 86_400)
    await pruneEvents({ pool, clock, retentionDays: 30, signal: running })
    expect(await test.events(caller)).toHaveLength(3)
    expect(await prisma.webhookAttempt.count({ where: { organizationId } })).toBe(3)

    clock.advance(86_401)
    const pruned = await pruneEvents({ pool, clock, retentionDays: 30, signal: running })
    expect(pruned).toBeGreaterThanOrEqual(2)
    expect((await test.events(caller)).map(({ id }) => id)).toEqual(waiting)
    expect(await prisma.webhookAttempt.count({ where: { organizationId } })).toBe(0)
  })

  it('deletes the batch rows of connections that have counted no eval for a day', async () => {
    await pool.query(
      `insert into eval_batch (gate_id, place, number, counted_at)
       values ('gone', 0, 5, now() - interval '25 hours'), ('kept', 0, 5, now() - interval '23 hours')`,
    )

    expect(await pruneEvalBatches({ pool, clock: createTestClock() })).toBe(1)

    const remaining = await pool.query(`select gate_id from eval_batch where gate_id in ('gone', 'kept')`)
    expect(remaining.rows).toEqual([{ gate_id: 'kept' }])
  })

  it("deletes the counters of subscribers' tokens after a minute, but none that an eval has locked", async () => {
    const organizationId = newId()
    await pool.query(
      `insert into token_counter (organization_id, subscriber_id, second, used)
       values ($1, 'gone', now() - interval '2 minutes', 5), ($1, 'held', now() - interval '2 minutes', 5), ($1, 'kept', now(), 5)`,
      [organizationId],
    )
    const holding = await pool.connect()
    await holding.query('begin')
    await holding.query(`select from token_counter where organization_id = $1 and subscriber_id = 'held' for update`, [
      organizationId,
    ])

    expect(await pruneTokenCounters({ pool, clock: createTestClock(), signal: running })).toBeGreaterThanOrEqual(1)

    await holding.query('rollback')
    holding.release()
    const remaining = await pool.query(
      'select subscriber_id as id from token_counter where organization_id = $1 order by subscriber_id',
      [organizationId],
    )
    expect(remaining.rows).toEqual([{ id: 'held' }, { id: 'kept' }])
  })

  it('works in batches, however many events there are, and ends when the worker stops', async () => {
    const caller = await test.vendor()
    await caller.rest('POST', '/org/webhook/disable')
    await test.queue(caller, 10_000)
    await pool.query(
      `update webhook_event set state = 'failed', due_at = null, finished_at = clock_timestamp() where organization_id = $1`,
      [caller.organizationId],
    )
    const clock = createTestClock()
    clock.advance(31 * 86_400)
    const remaining = () => prisma.webhookEvent.count({ where: { organizationId: caller.organizationId } })

    const worker = await test.worker({ clock })
    await until(async () => (await remaining()) < 10_000)
    await worker.stop()
    expect(await remaining()).toBeGreaterThan(0)

    await pruneEvents({ pool, clock, retentionDays: 30, signal: running })
    expect(await remaining()).toBe(0)
  })

  it('reads events in batches too, so that any number of queued events delays only their organization', async () => {
    const caller = await test.vendor()
    await caller.rest('POST', '/org/webhook/disable')
    await test.queue(caller, 3_000)
    const [finished] = await test.queue(caller, 1)
    await pool.query(
      `update webhook_event set state = 'failed', due_at = null, finished_at = clock_timestamp()
        where organization_id = $1 and event_id = $2`,
      [caller.organizationId, finished],
    )
    const clock = createTestClock()
    clock.advance(31 * 86_400)
    const remaining = () => prisma.webhookEvent.count({ where: { organizationId: caller.organizationId } })
    const stopping = new AbortController()
    const query = async (text: string, values: unknown[]) => {
      const result = await pool.query(text, values)
      if (text.includes('delete from webhook_event') && values[0] === caller.organizationId) stopping.abort()
      return result
    }

    await pruneEvents({ pool: { query } as never, clock, retentionDays: 30, signal: stopping.signal })
    expect(await remaining()).toBe(3_001)

    await pruneEvents({ pool, clock, retentionDays: 30, signal: running })
    expect(await remaining()).toBe(3_000)
  })

  it("deletes the events of all other organizations if one organization's cannot be deleted", async () => {
    const vendors = [await test.vendor(), await test.vendor()]
    const [first = '', second = ''] = vendors.map(({ organizationId }) => organizationId).toSorted()
    for (const caller of vendors) {
      await caller.rest('POST', '/org/webhook/disable')
      await test.queue(caller, 1)
      await pool.query(
        `update webhook_event set state = 'failed', due_at = null, finished_at = clock_timestamp() where organization_id = $1`,
        [caller.organizationId],
      )
    }
    await refuseDeletions(pool, 'webhook_event', `old.organization_id = '${first}'`)
    const clock = createTestClock()
    clock.advance(31 * 86_400)
    const failures: unknown[] = []

    const onFailure = (error: unknown) => void failures.push(error)
    await pruneEvents({ pool, clock, retentionDays: 30, signal: running, onFailure })

    const remaining = (organizationId: string) => prisma.webhookEvent.count({ where: { organizationId } })
    expect([await remaining(first), await remaining(second)]).toEqual([1, 0])
    expect(failures.map(String)).toEqual([expect.stringContaining(first)])
  })
})
