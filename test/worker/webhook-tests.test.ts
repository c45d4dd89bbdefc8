import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Metrics } from '../../src/metrics/metrics.ts'
import { TestDelivery } from '../../worker/test-delivery.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { isSignedWith } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusal.ts'
import { trackSentAttempts } from '../support/sent-attempts.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '3600', WEBHOOK_ATTEMPT_TIMEOUT_MS: '60000' })
const { pool, prisma } = test.service.database
await test.worker()

const post = (caller: Caller, path: string) => caller.rest('POST', `/org/webhook/${path}`)
const eventOf = async (caller: Caller, id: string) => (await caller.rest('GET', `/org/webhook/events/${id}`)).body

async function waitForEnd(caller: Caller, id: string) {
  await until(async () => (await eventOf(caller, id)).state !== 'queued')
  return eventOf(caller, id)
}

/** Sets the count of events in a row that ran out of attempts. */
const setCount = ({ organizationId }: Caller, exhaustedInARow: number) =>
  prisma.webhookEndpoint.update({ where: { organizationId }, data: { exhaustedInARow } })
const endpointOf = ({ organizationId }: Caller) =>
  prisma.webhookEndpoint.findUniqueOrThrow({ where: { organizationId } })

describe('a test of the webhook', () => {
  it('is sent at once while deliveries are paused, and does not change the queue, the pause or the failure count', async () => {
    const caller = await test.vendor()
    await post(caller, 'disable')
    const [queued] = await test.emit(caller)
    await setCount(caller, 5)
    const before = await endpointOf(caller)

    const { status, body } = await post(caller, 'test')

    expect(status).toBe(201)
    expect(body).toMatchObject({ type: 'webhook.test', state: 'queued', attempts: 0 })
    expect(await waitForEnd(caller, body.id)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      attempts_made: [{ number: 1, status: 204, error: null }],
    })
    const [received] = await caller.receiver.waitFor(1)
    expect(received && isSignedWith(caller.secret, received)).toBe(true)
    expect(caller.receiver.ids()).toEqual([body.id])
    expect(await endpointOf(caller)).toEqual(before)
    expect(await eventOf(caller, String(queued))).toMatchObject({ state: 'queued', attempts: 0 })
    expect((await caller.rest('GET', '/org/webhook/event-counts')).body).toMatchObject({ queued: 1, retrying: 0 })
  })

  it('has one attempt, and its failure does not count', async () => {
    const caller = await test.vendor(500)
    await setCount(caller, 7)

    const { body } = await post(caller, 'test')

    expect(await waitForEnd(caller, body.id)).toMatchObject({ state: 'failed', attempts: 1, due_at: null })
    expect(await endpointOf(caller)).toMatchObject({ exhaustedInARow: 7, disabled: false })
    const none = { queued: 0, retrying: 0, failed: 0 }
    expect((await caller.rest('GET', '/org/webhook/event-counts')).body).toEqual(none)
    await post(caller, `events/${body.id}/resend`)
    await until(async () => (await eventOf(caller, body.id)).attempts === 2)
    expect(await waitForEnd(caller, body.id)).toMatchObject({ state: 'failed', attempts: 2 })
    expect(await endpointOf(caller)).toMatchObject({ exhaustedInARow: 7, disabled: false })
  })

  it('overtakes events that wait for a receiver that does not answer', async () => {
    const caller = await test.vendor(({ body }) => (body.includes('webhook.test') ? 204 : null))
    await test.queue(caller, 30)
    await caller.receiver.waitFor(1)

    const { body } = await post(caller, 'test')

    expect(await waitForEnd(caller, body.id)).toMatchObject({ state: 'delivered' })
  })

  it('is signed only with the new secret after the request to rotate was answered', async () => {
    const caller = await test.vendor()
    await post(caller, 'test')

    const { body } = await post(caller, 'rotate')
    const seen = caller.receiver.received.length
    const { body: again } = await post(caller, 'test')
    await waitForEnd(caller, again.id)

    expect(caller.receiver.received.slice(seen).every((received) => isSignedWith(body.secret, received))).toBe(true)
  })

  it('is repeated under the same id if the worker that took it has ended', async () => {
    const caller = await test.vendor()
    const { body } = await post(caller, 'test')
    await waitForEnd(caller, body.id)
    await pool.query(
      `update webhook_event set state = 'queued', attempts = 0, finished_at = null,
              due_at = clock_timestamp() + interval '1 second'
        where organization_id = $1`,
      [caller.organizationId],
    )
    await prisma.webhookAttempt.deleteMany({ where: { organizationId: caller.organizationId } })

    await caller.receiver.waitFor(2)

    expect(await waitForEnd(caller, body.id)).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(caller.receiver.ids()).toEqual([body.id, body.id])
  })

  it('is left to the worker that is sending it: neither a retry nor a resume makes the test due again', async () => {
    const caller = await test.vendor()
    const { body } = await post(caller, 'test')
    await waitForEnd(caller, body.id)
    await post(caller, 'disable')
    // The due time that a worker sets when it takes the test event.
    const due_at = new Date(Date.now() + 60_000).toISOString()
    await prisma.webhookEvent.updateMany({
      where: { organizationId: caller.organizationId },
      data: { state: 'queued', dueAt: new Date(due_at), finishedAt: null },
    })

    expect((await post(caller, `events/${body.id}/retry`)).status).toBe(200)
    expect((await post(caller, 'enable')).status).toBe(200)

    expect(await eventOf(caller, body.id)).toMatchObject({ state: 'queued', due_at })
  })

  it('is refused while 20 tests wait to be sent; two are sent at a time, and other organizations are not delayed', async () => {
    const caller = await test.vendor(() => null)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(caller, 'test')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))

    expectRefusal(await post(caller, 'test'), 'CONFLICT', { field: 'tests', value: 20 })

    const other = await test.vendor()
    const { body } = await post(other, 'test')
    expect(await waitForEnd(other, body.id)).toMatchObject({ state: 'delivered' })
    expect(caller.receiver.received.length).toBeLessThanOrEqual(4)
    expect((await caller.rest('DELETE', '/org/webhook')).status).toBe(204)
    const seen = caller.receiver.received.length
    await waitForEnd(other, (await post(other, 'test')).body.id)
    expect(caller.receiver.received.length).toBe(seen)
  })
})

it('no more than 20 tests wait to be sent, however many are requested at the same time', async () => {
  const caller = await test.vendor(() => null)

  const answers = await Promise.all(Array.from({ length: 60 }, () => post(caller, 'test')))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect((await caller.rest('DELETE', '/org/webhook')).status).toBe(204)
})

it('a test that cannot be sent because the database takes no writes is tried again by the next sweep, not at once', async () => {
  const caller = await test.vendor(() => null)
  const readOnly = new pg.Pool({ connectionString: test.url, options: '-c default_transaction_read_only=on' })
  // The running worker sends two of them and leaves the others.
  for (let i = 0; i < 4; i++) await post(caller, 'test')
  let failures = 0
  let queries = 0
  readOnly.on('acquire', () => queries++)
  const tests = new TestDelivery({
    pool: readOnly,
    attempt: () => Promise.reject(new Error('Nothing may be sent.')),
    clock: test.clock,
    logger: { warn: () => failures++ },
    metrics: new Metrics(),
    // As long as the worker's, so that its leases are not void.
    timeoutMs: 60_000,
  })

  await tests.sweep()
  await until(() => failures >= 2)
  await pool.query('select pg_sleep(0.1)')

  expect(failures).toBe(2)
  expect(queries).toBe(3)
  await tests.stop()
  await readOnly.end()
  expect((await caller.rest('DELETE', '/org/webhook')).status).toBe(204)
})

it('a test is not sent while its organization is being moved, but by the installation to which it moves', async () => {
  const [caller, other] = [await test.vendor(), await test.vendor()]
  const { body } = await post(caller, 'test')
  const { body: ofOther } = await post(other, 'test')
  await Promise.all([waitForEnd(caller, body.id), waitForEnd(other, ofOther.id)])
  const queueAgain = `update webhook_event set state = 'queued', finished_at = null, due_at = clock_timestamp() where organization_id = $1`

  await pool.query(
    `with moving as (
       update member set moving_until = clock_timestamp() + interval '1 hour' where organization_id = $1)
     ${queueAgain}`,
    [caller.organizationId],
  )
  // Only sweeps find these test events.
  for (const seen of [2, 3]) {
    await pool.query(queueAgain, [other.organizationId])
    await other.receiver.waitFor(seen)
    await waitForEnd(other, ofOther.id)
  }

  expect(caller.receiver.ids()).toEqual([body.id])
  await pool.query('update member set moving_until = null where organization_id = $1', [caller.organizationId])
  await caller.receiver.waitFor(2)
})

describe('sending all failed events again', () => {
  it('sends failed events in order, under their own ids, and sends no tests', async () => {
    const caller = await test.vendor(500)
    await post(caller, 'disable')
    const ids = await test.queue(caller, 40)
    const { body: failedTest } = await post(caller, 'test')
    await waitForEnd(caller, failedTest.id)
    await pool.query(
      `update webhook_event set state = 'failed', attempts = 8, due_at = null, finished_at = clock_timestamp()
        where organization_id = $1 and type <> 'webhook.test'`,
      [caller.organizationId],
    )
    await post(caller, 'enable')
    const seen = caller.receiver.received.length
    caller.receiver.behave(204)
    const { order } = trackSentAttempts()

    const { status, body } = await caller.rest('POST', '/org/webhook/events/resend', { state: 'failed' })

    expect(status).toBe(200)
    expect(body).toEqual({ resent: 40, has_more: false })
    await caller.receiver.waitFor(seen + 40)
    expect(order(caller.receiver.ids().slice(seen))).toEqual(ids)
    await until(async () => (await caller.rest('GET', '/org/webhook/event-counts')).body.failed === 0)
    expect(await eventOf(caller, failedTest.id)).toMatchObject({ state: 'failed', attempts: 1 })
  })
})
