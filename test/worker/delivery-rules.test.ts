import { describe, expect, it } from 'vitest'
import { startDeliveryTest } from '../support/delivery.ts'
import { timestamp } from '../support/matchers.ts'
import { type Behaviour, inTurn, isSignedWith, startReceiver } from '../support/receiver.ts'
import { trackSentAttempts } from '../support/sent-attempts.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A slow machine may need longer for an attempt than the default limit allows. */
const patient = { WEBHOOK_ATTEMPT_TIMEOUT_MS: '60000' }
const test = await startDeliveryTest(patient)
const { clock, service } = test
await test.worker()

const { firstOrder, leftAt, order } = trackSentAttempts()

/** Answers slowly, so that a backlog takes at least ten seconds: longer than a request takes on a slow machine. */
const answerSlowly: Behaviour = () => (response) => setTimeout(() => response.writeHead(204).end(), 80)
const backlog = { events: 500, subscribers: 4 }

const waits = [30, 300, 1800, 7200, 18_000, 36_000, 86_400]

/** Resolves when a new event of another vendor has arrived: by then, everything that was due before has been sent. */
async function passSweeps(): Promise<void> {
  const other = await test.vendor()
  await test.emit(other)
  await other.receiver.waitFor(1)
  // Nothing wakes the worker for this event: when its sweep has found the event twice, it has also found everything that was
  // due before.
  for (let seen = 2; seen <= 3; seen++) {
    await test.settled(other, 'delivered')
    await service.database.pool.query(
      `update webhook_event set state = 'queued', due_at = clock_timestamp(), finished_at = null where organization_id = $1`,
      [other.organizationId],
    )
    await other.receiver.waitFor(seen)
  }
}

/** A vendor whose slow receiver has got the first of many events. */
async function startBacklog() {
  const caller = await test.vendor(answerSlowly)
  await post(caller, 'disable')
  await test.queue(caller, backlog.events, backlog.subscribers)
  await post(caller, 'enable')
  await caller.receiver.waitFor(50)
  return caller
}

function post(caller: Caller, path: string) {
  return caller.rest('POST', `/org/webhook/${path}`)
}

async function attemptsOf(organizationId: string, eventId: string) {
  return service.database.prisma.webhookAttempt.findMany({
    where: { organizationId, eventId },
    orderBy: { number: 'asc' },
    omit: { organizationId: true, eventId: true },
  })
}

describe('the service, by delivery rule 1,', () => {
  it('sends the stored body once, signed, and treats a 2xx as acknowledgement', async () => {
    const caller = await test.vendor((_received) => (response) => response.writeHead(202).end('thanks'))
    const { organizationId, receiver } = caller

    const [id = ''] = await test.emit(caller)
    const [event] = await test.settled(caller, 'delivered')

    expect(receiver.received).toHaveLength(1)
    const [received] = await receiver.waitFor(1)
    expect(received).toMatchObject({ method: 'POST', path: '/hook?from=test', id, body: event?.body })
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-webhook-id': id,
      'x-service-webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-service-webhook-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(isSignedWith(caller.secret, received as never)).toBe(true)
    expect(JSON.parse(received?.body ?? '')).toEqual({
      id,
      type: 'entitlements.stale',
      occurred_at: timestamp,
      organization_id: organizationId,
      subscriber_id: 'acme',
      cause: 'override',
      features: ['seats'],
    })
    expect(event).toMatchObject({ attempts: 1, dueAt: null, finishedAt: expect.any(Date) })
    expect(await attemptsOf(organizationId, id)).toEqual([
      {
        number: 1,
        startedAt: expect.any(Date),
        durationMs: expect.any(Number),
        status: 202,
        error: null,
        answer: 'thanks',
        headers: expect.stringContaining('"content-type":"application/json"'),
      },
    ])
  })

  it('does not make a write wait for a receiver that hangs', async () => {
    const caller = await test.vendor(() => null)

    await test.emit(caller, 3)

    await caller.receiver.waitFor(1)
    expect((await test.events(caller)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(3).fill(['queued', 0]),
    )
  })
})

describe('the service, by delivery rule 2,', () => {
  it('waits 30s, 5m, 30m, 2h, 5h, 10h, 24h after a failed attempt, and stops after the eighth', async () => {
    const caller = await test.vendor(500)
    const { organizationId, receiver } = caller

    const [id = ''] = await test.emit(caller)
    for (const [index, waitSeconds] of waits.entries()) {
      await until(async () => (await test.events(caller))[0]?.attempts === index + 1)
      const [event] = await test.events(caller)
      const last = (await attemptsOf(organizationId, id)).at(-1)
      const endedAt = Number(last?.startedAt) + Number(last?.durationMs)
      expect(event).toMatchObject({ state: 'queued', finishedAt: null })
      expect(Math.abs(Number(event?.dueAt) - endedAt - waitSeconds * 1000)).toBeLessThan(5000)
      clock.advance(waitSeconds)
    }
    const [event] = await test.settled(caller, 'failed')

    expect(event).toMatchObject({ attempts: 8, dueAt: null, finishedAt: expect.any(Date) })
    clock.advance(7 * 86_400)
    await passSweeps()
    expect(receiver.ids()).toEqual(Array(8).fill(id))
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-webhook-timestamp'])).size).toBe(8)
    expect(receiver.received.every((each) => isSignedWith(caller.secret, each))).toBe(true)
    const attempts = await attemptsOf(organizationId, id)
    expect(attempts.map(({ number, status, error }) => ({ number, status, error }))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
        number,
        status: 500,
        error: 'the receiver answered 500, which is not a 2xx',
      })),
    )
  })

  it('starts the next attempt when the wait is over, without another event', async () => {
    const other = await startDeliveryTest({ ...patient, WEBHOOK_RETRY_WAITS_SECONDS: '0.3,0.6' })
    await other.worker()
    const caller = await other.vendor(inTurn(503, 503, 200))

    await other.emit(caller)
    const received = await caller.receiver.waitFor(3)

    await other.settled(caller, 'delivered')
    const gaps = received.slice(1).map(({ at }, index) => at - (received[index]?.at ?? 0))
    expect(gaps[0]).toBeGreaterThan(295)
    expect(gaps[1]).toBeGreaterThan(595)
  })
})

describe('the service, by delivery rule 3,', () => {
  it('signs a retry with the current secret', async () => {
    const caller = await test.vendor(inTurn(500, 200))
    await test.emit(caller)
    await until(async () => (await test.events(caller))[0]?.attempts === 1)

    const { body } = await post(caller, 'rotate')
    clock.advance(30)
    const [first, second] = await caller.receiver.waitFor(2)

    expect(isSignedWith(caller.secret, first as never)).toBe(true)
    expect(isSignedWith(caller.secret, second as never)).toBe(false)
    expect(isSignedWith(body.secret, second as never)).toBe(true)
  })

  it('signs nothing with the old secret after the request to rotate was answered, even during a backlog', async () => {
    const caller = await startBacklog()
    const { receiver } = caller

    const { body } = await post(caller, 'rotate')
    const answeredAt = performance.now()
    receiver.behave(204)
    await test.settled(caller, 'delivered')

    const [before, after] = [true, false].map((isBefore) =>
      receiver.received.filter(({ id }) => leftAt(id) < answeredAt === isBefore),
    )
    expect(before?.length).toBeGreaterThanOrEqual(50)
    expect(after?.length).toBeGreaterThan(0)
    expect(before?.some((each) => isSignedWith(caller.secret, each))).toBe(true)
    expect(after?.every((each) => isSignedWith(body.secret, each))).toBe(true)
    expect(receiver.received).toHaveLength(500)
  })
})

describe('the service, by delivery rule 4,', () => {
  it('pauses deliveries when eight events in a row run out of attempts, without an audit entry', async () => {
    const caller = await test.vendor(500)
    const { organizationId, receiver } = caller
    const ids = await test.emit(caller, 8)
    const entries = await service.database.prisma.auditEvent.count({ where: { organizationId } })
    for (const [index, waitSeconds] of waits.entries()) {
      await until(async () => (await test.events(caller)).every(({ attempts }) => attempts === index + 1))
      expect((await caller.rest('GET', '/org/webhook')).body.disabled).toBe(false)
      clock.advance(waitSeconds)
    }
    await test.settled(caller, 'failed')

    expect((await caller.rest('GET', '/org/webhook')).body.disabled).toBe(true)
    expect(await service.database.prisma.auditEvent.count({ where: { organizationId } })).toBe(entries)
    expect(receiver.received).toHaveLength(64)
    for (const id of ids) expect(receiver.ids().filter((each) => each === id)).toHaveLength(8)
    await test.emit(caller)
    await passSweeps()
    expect(receiver.received).toHaveLength(64)
  })

  it('resets the count after a 2xx, and after a resume', async () => {
    const other = await startDeliveryTest({ ...patient, WEBHOOK_RETRY_WAITS_SECONDS: '0.05' })
    await other.worker()
    const caller = await other.vendor(500)
    const isDisabled = async () => (await caller.rest('GET', '/org/webhook')).body.disabled
    const exhaustAttempts = async (count: number) => {
      const ids = await other.emit(caller, count)
      await until(async () =>
        (await other.events(caller)).filter(({ id }) => ids.includes(id)).every(({ state }) => state === 'failed'),
      )
    }

    await exhaustAttempts(7)
    caller.receiver.behave(200)
    await other.emit(caller)
    await until(async () => (await other.events(caller)).some(({ state }) => state === 'delivered'))
    caller.receiver.behave(500)
    await exhaustAttempts(7)
    expect(await isDisabled()).toBe(false)
    await exhaustAttempts(1)
    expect(await isDisabled()).toBe(true)

    await post(caller, 'enable')
    await exhaustAttempts(7)
    expect(await isDisabled()).toBe(false)
    await exhaustAttempts(1)
    expect(await isDisabled()).toBe(true)
  })

  it('does not count failed tests or failed events sent again, but a 2xx to an event sent again resets the count', async () => {
    const other = await startDeliveryTest({ ...patient, WEBHOOK_RETRY_WAITS_SECONDS: '0.05' })
    await other.worker()
    const caller = await other.vendor(500)
    const ids = await other.emit(caller, 7)
    await other.settled(caller, 'failed')

    await post(caller, `events/${ids[0]}/resend`)
    await post(caller, 'test')
    await caller.receiver.waitFor(16)
    await other.settled(caller, 'failed')

    expect(
      caller.receiver
        .ids()
        .slice(14)
        .includes(ids[0] as string),
    ).toBe(true)
    const kinds = caller.receiver.received.slice(14).map(({ body }) => JSON.parse(body).type)
    expect(kinds.sort()).toEqual(['entitlements.stale', 'webhook.test'])
    expect((await caller.rest('GET', '/org/webhook')).body.disabled).toBe(false)
    await other.emit(caller)
    await other.settled(caller, 'failed')
    expect((await caller.rest('GET', '/org/webhook')).body.disabled).toBe(true)
    await post(caller, 'enable')
    await other.emit(caller, 7)
    await other.settled(caller, 'failed')

    caller.receiver.behave(200)
    await post(caller, `events/${ids[0]}/resend`)
    await until(async () => (await other.events(caller)).some(({ state }) => state === 'delivered'))
    caller.receiver.behave(500)
    const [last] = await other.emit(caller)
    await until(async () => (await other.events(caller)).find(({ id }) => id === last)?.state === 'failed')
    expect((await caller.rest('GET', '/org/webhook')).body.disabled).toBe(false)
  })
})

describe('the service, by delivery rule 5,', () => {
  it('queues events and sends nothing while paused, not even retries', async () => {
    const caller = await test.vendor(500)
    await test.emit(caller)
    await until(async () => (await test.events(caller))[0]?.attempts === 1)

    expect((await post(caller, 'disable')).status).toBe(200)
    await test.emit(caller, 2)
    clock.advance(86_400)
    await passSweeps()

    expect(caller.receiver.received).toHaveLength(1)
    expect((await test.events(caller)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['queued', 1],
      ['queued', 0],
      ['queued', 0],
    ])
  })

  it('sends nothing after the request to pause was answered, even during a backlog', async () => {
    const caller = await startBacklog()
    const { receiver } = caller

    await post(caller, 'disable')
    const answeredAt = performance.now()
    await passSweeps()

    expect(receiver.received.filter(({ id }) => leftAt(id) > answeredAt)).toEqual([])
    expect(receiver.received.length).toBeLessThan(500)
    receiver.behave(204)
    await post(caller, 'enable')
    await test.settled(caller, 'delivered')
  })

  it.each([
    ['to pause', (caller: Caller) => post(caller, 'disable')],
    [
      'to set a new address',
      (caller: Caller) => caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/elsewhere' }),
    ],
  ])('sends nothing after any of several equal requests %s was answered, even during a backlog', async (_, request) => {
    const caller = await startBacklog()
    const { receiver } = caller

    await Promise.race([request(caller), request(caller)])
    const answeredAt = performance.now()
    await passSweeps()

    expect(receiver.received.filter(({ id }) => leftAt(id) > answeredAt)).toEqual([])
    expect(receiver.received.length).toBeLessThan(500)
    await caller.rest('DELETE', '/org/webhook')
  })
})

describe.each([
  ['a request to the enable route', (caller: Caller & { receiver: { url: string } }) => post(caller, 'enable')],
  [
    'saving a URL',
    (caller: Caller & { receiver: { url: string } }) =>
      caller.rest('PUT', '/org/webhook', { url: `${caller.receiver.url}/saved` }),
  ],
])('the service, by delivery rule 6, after %s,', (_way, resume) => {
  it('sends all queued events immediately, in the order in which they were due, and keeps their attempt counts', async () => {
    const caller = await test.vendor(500)
    const { receiver } = caller
    const failing = await test.emit(caller, 2)
    await until(async () => (await test.events(caller)).every(({ attempts }) => attempts === 1))
    await post(caller, 'disable')
    const waiting = await test.emit(caller, 3)
    receiver.behave(200)

    expect((await resume(caller)).status).toBe(200)
    await receiver.waitFor(7)
    await test.settled(caller, 'delivered')

    // Events queued during the pause were due at once, the others half a minute after their failure.
    expect(order(receiver.ids())).toEqual([...waiting, ...failing])
    expect(receiver.ids().slice(2).toSorted()).toEqual([...failing, ...waiting].toSorted())
    const attempts = new Map((await test.events(caller)).map(({ id, attempts }) => [id, attempts]))
    expect(failing.map((id) => attempts.get(id))).toEqual([2, 2])
    expect(waiting.map((id) => attempts.get(id))).toEqual([1, 1, 1])
  })
})

describe('the service, by delivery rule 7,', () => {
  it('sends nothing that was queued once the endpoint is deleted, not even to a later endpoint', async () => {
    const caller = await startBacklog()
    const { receiver } = caller

    expect((await caller.rest('DELETE', '/org/webhook')).status).toBe(204)
    const answeredAt = performance.now()
    const later = await startReceiver()
    await caller.rest('PUT', '/org/webhook', { url: later.url })
    const ids = await test.emit(caller)
    await later.waitFor(1)
    await passSweeps()

    expect(receiver.received.filter(({ id }) => leftAt(id) > answeredAt)).toEqual([])
    expect(later.ids()).toEqual(ids)
    expect((await test.events(caller)).filter(({ state }) => state === 'queued')).toEqual([])
    await later.close()
  })

  it('sends nothing to an old address after the request that set a new address was answered', async () => {
    const caller = await test.vendor(answerSlowly)
    const next = await startReceiver()
    await post(caller, 'disable')
    const ids = await test.queue(caller, backlog.events, backlog.subscribers)
    await post(caller, 'enable')
    await caller.receiver.waitFor(50)

    await caller.rest('PUT', '/org/webhook', { url: next.url })
    const answeredAt = performance.now()
    await test.settled(caller, 'delivered')

    expect(caller.receiver.received.filter(({ id }) => leftAt(id) > answeredAt)).toEqual([])
    expect([...caller.receiver.ids(), ...next.ids()].toSorted()).toEqual(ids)
    for (let subscriber = 0; subscriber < backlog.subscribers; subscriber++) {
      const its = ids.filter((_, index) => index % backlog.subscribers === subscriber)
      expect(firstOrder(its)).toEqual(its)
    }
    await next.close()
  })
})

describe('the order of events', () => {
  it('is kept for a receiver that answers, however long the backlog', async () => {
    const sentAttempts = trackSentAttempts()
    const caller = await test.vendor()
    await post(caller, 'disable')
    const ids = await test.queue(caller, 500)

    await post(caller, 'enable')
    await caller.receiver.waitFor(500)

    expect(caller.receiver.ids().toSorted()).toEqual(ids)
    expect(sentAttempts.firstOrder(ids)).toEqual(ids)
  })
})
