import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type SubscribedOrganization, startDeliveryTest } from '../support/delivery.ts'
import { type Behaviour, hang } from '../support/receiver.ts'
import { trackSentAttempts } from '../support/sent-attempts.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest({
  WEBHOOK_RETRY_WAITS_SECONDS: '0.05,0.05,0.05,0.05,0.05,0.05,0.05,0.05,0.05',
  WEBHOOK_MAX_IN_FLIGHT: '12',
  WEBHOOK_ATTEMPT_TIMEOUT_MS: '120000',
})
const { pool } = test.service.database
await test.worker()
await test.worker()
const pause = (caller: SubscribedOrganization) => caller.rest('POST', '/org/webhook/disable')
const resume = (caller: SubscribedOrganization) => caller.rest('POST', '/org/webhook/enable')

/** A receiver that answers after random times, and by chance with 500. It counts the open requests by their subscribers. */
function answerAtRandom({ failures }: { failures: number }) {
  const open = new Map<string, number>()
  const seen = { most: 0, mostOfOne: 0 }
  let subscriberOf: (id: string) => string = (id) => id
  const behaviour: Behaviour =
    ({ id }) =>
    (response) => {
      const subscriber = subscriberOf(id)
      open.set(subscriber, (open.get(subscriber) ?? 0) + 1)
      seen.mostOfOne = Math.max(seen.mostOfOne, open.get(subscriber) as number)
      seen.most = Math.max(
        seen.most,
        [...open.values()].reduce((sum, count) => sum + count, 0),
      )
      setTimeout(() => {
        open.set(subscriber, (open.get(subscriber) as number) - 1)
        response.writeHead(Math.random() < failures ? 500 : 204).end()
      }, Math.random() * 40)
    }
  return {
    behaviour,
    seen,
    group(ids: readonly string[], subscribers: number) {
      subscriberOf = (id) => `${ids.indexOf(id) % subscribers}`
    },
  }
}

/** A receiver that answers a request only when the test tells it to. */
function answerByHand() {
  const open = new Map<string, ServerResponse>()
  const behaviour: Behaviour =
    ({ id }) =>
    (response) =>
      void open.set(id, response)
  return {
    behaviour,
    open,
    answer(status: number, ids: readonly string[] = [...open.keys()]) {
      for (const id of ids) {
        open.get(id)?.writeHead(status).end()
        open.delete(id)
      }
    },
  }
}

/** Resolves once the worker has sent events of another vendor, after it could have started more attempts for the first one. */
async function waitForOtherDeliveries(): Promise<void> {
  const other = await test.vendor()
  for (let count = 1; count <= 3; count++) {
    await test.emit(other)
    await test.settled(other, 'delivered')
  }
}

describe('the events of one subscriber', () => {
  it('are sent one at a time and in order, whatever fails, while events of other subscribers overlap', async () => {
    const { firstOrder } = trackSentAttempts()
    const receiver = answerAtRandom({ failures: 0.2 })
    const vendor = await test.vendor(receiver.behaviour)
    await pause(vendor)
    const ids = await test.queue(vendor, 240, 16)
    receiver.group(ids, 16)

    await resume(vendor)
    await test.settled(vendor, 'delivered')

    expect(receiver.seen.mostOfOne).toBe(1)
    expect(receiver.seen.most).toBeGreaterThan(1)
    expect(receiver.seen.most).toBeLessThanOrEqual(12)
    for (let subscriber = 0; subscriber < 16; subscriber++) {
      const its = ids.filter((_, index) => index % 16 === subscriber)
      expect(firstOrder(its)).toEqual(its)
    }
    const { rows } = await pool.query(`select count(*)::int as made from webhook_attempt where organization_id = $1`, [
      vendor.organizationId,
    ])
    expect(rows[0].made).toBe(vendor.receiver.received.length)
  })

  it('do not overlap, and arrive once, with two workers and without failures', async () => {
    const receiver = answerAtRandom({ failures: 0 })
    const vendor = await test.vendor(receiver.behaviour)
    const ids = await test.queue(vendor, 200, 8)
    receiver.group(ids, 8)

    await test.settled(vendor, 'delivered')

    expect(receiver.seen.mostOfOne).toBe(1)
    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
  })

  it("wait for the subscriber's attempt under way, and other events overtake them, however many of them wait", async () => {
    const { firstOrder } = trackSentAttempts()
    const receiver = answerByHand()
    const vendor = await test.vendor(receiver.behaviour)
    await pause(vendor)
    const ids = await test.queue(vendor, 600)
    await pool.query(
      `update webhook_event set subscriber_id = 'busy' where organization_id = $1 and event_id = any($2)`,
      [vendor.organizationId, ids.slice(0, 590)],
    )

    await resume(vendor)
    await vendor.receiver.waitFor(8)
    expect(vendor.receiver.ids().toSorted()).toEqual([ids[0], ...ids.slice(590, 597)])
    receiver.answer(204, [ids[0] as string])
    await vendor.receiver.waitFor(9)

    expect(vendor.receiver.ids()[8]).toBe(ids[1])
    receiver.answer(204)
    vendor.receiver.behave(204)
    await test.settled(vendor, 'delivered')
    expect(firstOrder(ids.slice(0, 590))).toEqual(ids.slice(0, 590))
  })
})

describe('events about plans', () => {
  it('are sent one at a time and in their order', async () => {
    const receiver = answerAtRandom({ failures: 0 })
    const vendor = await test.vendor(receiver.behaviour)
    await pause(vendor)
    const ids = await test.queue(vendor, 40)
    receiver.group(ids, 1)
    await pool.query(
      `update webhook_event set subscriber_id = null, type = 'plan.grants.updated' where organization_id = $1`,
      [vendor.organizationId],
    )

    await resume(vendor)
    await test.settled(vendor, 'delivered')

    expect(receiver.seen.mostOfOne).toBe(1)
    expect(vendor.receiver.ids()).toEqual(ids)
  })
})

describe('a resume', () => {
  it('starts the attempts of 600 events in the order in which they were due', async () => {
    const { firstOrder } = trackSentAttempts()
    const receiver = answerAtRandom({ failures: 0 })
    const vendor = await test.vendor(receiver.behaviour)
    await pause(vendor)
    const ids = await test.queue(vendor, 600)

    await resume(vendor)
    await test.settled(vendor, 'delivered')

    expect(firstOrder(ids)).toEqual(ids)
    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
    expect(receiver.seen.most).toBeGreaterThan(1)
  })
})

describe('attempts in flight', () => {
  it('never exceed the limit, and drop to one when the receiver fails', async () => {
    const receiver = answerByHand()
    const vendor = await test.vendor(receiver.behaviour)
    await test.queue(vendor, 60)
    await until(() => receiver.open.size === 8)

    receiver.answer(500)
    for (let count = 9; count <= 12; count++) {
      await vendor.receiver.waitFor(count)
      await waitForOtherDeliveries()
      expect(receiver.open.size).toBe(1)
      receiver.answer(500)
    }

    await until(() => receiver.open.size === 1)
    receiver.answer(204)
    vendor.receiver.behave(204)
    await test.settled(vendor, 'delivered')
  })

  it('never exceed `WEBHOOK_MAX_IN_FLIGHT`, however well the receiver performs', async () => {
    const few = await startDeliveryTest({ WEBHOOK_MAX_IN_FLIGHT: '3', WEBHOOK_ATTEMPT_TIMEOUT_MS: '120000' })
    await few.worker()
    const receiver = answerAtRandom({ failures: 0 })
    const vendor = await few.vendor(receiver.behaviour)

    await few.queue(vendor, 200)
    await few.settled(vendor, 'delivered')

    expect(receiver.seen.most).toBeLessThanOrEqual(3)
  })
})

describe('the automatic pause', () => {
  /** Queues nine events whose next attempt is the last; the attempts of the first eight are under way. */
  async function startLastAttempts() {
    const receiver = answerByHand()
    const vendor = await test.vendor(receiver.behaviour)
    await pause(vendor)
    const ids = await test.queue(vendor, 9)
    await pool.query(
      `update webhook_event set attempts = 9, due_at = clock_timestamp() - (10 - (body::jsonb ->> 'number')::int) * interval '1 second'
        where organization_id = $1`,
      [vendor.organizationId],
    )
    await resume(vendor)
    await until(() => receiver.open.size === 8)
    const stateOf = async (id: string | undefined) => (await test.events(vendor)).find((each) => each.id === id)?.state
    const isPaused = async () => (await vendor.rest('GET', '/org/webhook')).body.disabled
    return { vendor, receiver, ids, stateOf, isPaused }
  }

  it('counts events in the order in which they were due, not in that of their answers', async () => {
    const { receiver, ids, stateOf, isPaused } = await startLastAttempts()
    receiver.answer(500, ids.slice(1, 8))
    await until(async () => (await stateOf(ids[7])) === 'failed')

    receiver.answer(204, ids.slice(0, 1))
    await until(() => receiver.open.size === 1)
    expect(await isPaused()).toBe(false)
    receiver.answer(500)

    await until(async () => (await stateOf(ids[8])) === 'failed')
    expect(await isPaused()).toBe(true)
  })

  it('takes a 2xx into account only for events that were due before it', async () => {
    const { receiver, ids, stateOf, isPaused } = await startLastAttempts()
    receiver.answer(204, ids.slice(7, 8))
    await until(async () => (await stateOf(ids[7])) === 'delivered')

    receiver.answer(500, ids.slice(0, 7))
    await until(() => receiver.open.size === 1)
    receiver.answer(500)

    await until(async () => (await stateOf(ids[8])) === 'failed')
    expect(await isPaused()).toBe(false)
  })
})

describe('a receiver that hangs', () => {
  it('gets no attempts beyond its first eight, and delays nobody else', async () => {
    const hanging = await test.vendor(hang)
    await test.queue(hanging, 1000)
    await hanging.receiver.waitFor(8)

    await waitForOtherDeliveries()

    expect(hanging.receiver.received).toHaveLength(8)
  })
})
