import { describe, expect, it } from 'vitest'
import { type Subscribed, startDeliveryTest } from '../support/delivery.ts'
import { hang } from '../support/receiver.ts'

const test = await startDeliveryTest({ WEBHOOK_ATTEMPT_TIMEOUT_MS: '5000' })
await test.worker()

/** Milliseconds from the answer of each write to the arrival of its event, sorted. */
async function latencies(caller: Subscribed, count: number): Promise<number[]> {
  const answered: number[] = []
  for (let i = 0; i < count; i++) {
    await test.emit(caller)
    answered.push(performance.now())
    await caller.receiver.waitFor(i + 1)
  }
  return caller.receiver.received.map(({ at }, index) => at - (answered[index] ?? 0)).sort((a, b) => a - b)
}

describe('a receiver that hangs', () => {
  it('delays nobody else, with a thousand events queued', async () => {
    const [hanging, other] = [await test.vendor(hang), await test.vendor()]
    await test.queue(hanging, 1000)
    await test.emit(hanging)
    await hanging.receiver.waitFor(8)

    const sorted = await latencies(other, 30)

    expect(sorted.at(-1)).toBeLessThan(1000)
    expect(sorted[15]).toBeLessThan(200)
    // Its own events go on, as many at once as the lane lets.
    expect(hanging.receiver.received.length).toBeLessThanOrEqual(16)
  }, 30_000)

  it('delays nobody else when there are forty', async () => {
    const hanging = await Promise.all(Array.from({ length: 40 }, () => test.vendor(hang)))
    const other = await test.vendor()
    for (const each of hanging) await test.queue(each, 20)
    await test.emit(hanging[0] as Subscribed)
    await Promise.all(hanging.map(({ receiver }) => receiver.waitFor(8)))

    const sorted = await latencies(other, 30)

    expect(sorted.at(-1)).toBeLessThan(1000)
    expect(sorted[15]).toBeLessThan(200)
  }, 60_000)

  it('gets the next event a tenth of a second later, and eight at once at most', async () => {
    const hanging = await test.vendor(hang)
    await test.queue(hanging, 20)
    await test.emit(hanging)

    const received = [...(await hanging.receiver.waitFor(8))]

    const gaps = received.slice(1).map(({ at }, index) => at - (received[index]?.at ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(80)
    expect(hanging.receiver.received).toHaveLength(8)
  })
})

describe('an endpoint that a write holds', () => {
  it('delays nobody else, and what was answered meanwhile is recorded afterwards', async () => {
    const [held, other] = [await test.vendor(), await test.vendor()]
    const client = await test.service.database.pool.connect()
    await client.query('begin')
    await client.query('select from webhook_endpoint where organization_id = $1 for no key update', [
      held.organizationId,
    ])

    await test.emit(held, 3)
    await held.receiver.waitFor(3)
    const sorted = await latencies(other, 10)
    await test.settled(other, 'delivered')
    expect((await test.events(held)).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
    await client.query('rollback')
    client.release()

    expect(sorted.at(-1)).toBeLessThan(1000)
    await test.settled(held, 'delivered')
    expect(held.receiver.received).toHaveLength(3)
  }, 20_000)
})
