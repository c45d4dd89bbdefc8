import { describe, expect, it } from 'vitest'
import type { WebhookEvent } from '../../src/modules/webhook/event.ts'
import { type SubscribedOrganization, startDeliveryTest } from '../support/delivery.ts'
import { hang } from '../support/receiver.ts'

const test = await startDeliveryTest({ WEBHOOK_ATTEMPT_TIMEOUT_MS: '120000' })
await test.worker()

/** Writes this many times, each time after the event of the previous write has arrived. */
async function writeInTurn(caller: SubscribedOrganization, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await test.emit(caller)
    await caller.receiver.waitFor(i + 1)
  }
}

/** Resolves when the delivery queue has begun as many attempts as it may at once, and none has ended. */
async function expectAllHanging(hanging: SubscribedOrganization): Promise<void> {
  expect((await test.events(hanging)).every(({ attempts }) => attempts === 0)).toBe(true)
  expect(hanging.receiver.received).toHaveLength(8)
}

const causesOf = (events: readonly WebhookEvent[]) => events.map(({ body }) => JSON.parse(body).cause)

describe('a receiver that hangs', () => {
  it('delays no other organization, even with a thousand events queued', async () => {
    const [hanging, other] = [await test.vendor(hang), await test.vendor()]
    await test.queue(hanging, 1000)
    await test.emit(hanging)
    await hanging.receiver.waitFor(8)

    await writeInTurn(other, 30)

    await expectAllHanging(hanging)
  })

  it('delays no other organization, even if forty receivers hang', async () => {
    const hanging: SubscribedOrganization[] = []
    // A few at a time, because the service of a busy machine would refuse writes that wait too long behind others.
    while (hanging.length < 40) hanging.push(...(await Promise.all(Array.from({ length: 5 }, () => test.vendor(hang)))))
    const other = await test.vendor()
    await Promise.all(hanging.map((each) => test.queue(each, 20)))
    await test.emit(hanging[0] as SubscribedOrganization)
    await Promise.all(hanging.map(({ receiver }) => receiver.waitFor(8)))

    await writeInTurn(other, 30)

    for (const each of hanging) await expectAllHanging(each)
  })

  it('still gets its next events, with at most eight attempts at once', async () => {
    const hanging = await test.vendor(hang)
    await test.queue(hanging, 20)
    await test.emit(hanging)

    await hanging.receiver.waitFor(8)

    await expectAllHanging(hanging)
  })
})

describe('an endpoint whose row a write has locked', () => {
  it('delays nobody else, and answers that arrived meanwhile are recorded afterwards', async () => {
    const [lockedVendor, other] = [await test.vendor(), await test.vendor()]
    const client = await test.service.database.pool.connect()
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select from webhook_endpoint where organization_id = $1 for no key update', [
      lockedVendor.organizationId,
    ])

    await test.emit(lockedVendor, 3)
    await lockedVendor.receiver.waitFor(3)
    await writeInTurn(other, 10)
    await test.settled(other, 'delivered')
    expect((await test.events(lockedVendor)).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
    await client.query('rollback')
    client.release()

    await test.settled(lockedVendor, 'delivered')
    expect(lockedVendor.receiver.received).toHaveLength(3)
  })

  it('delays neither the ends of overrides of others nor writes to them, and its own are reported once afterwards', async () => {
    const [lockedVendor, other] = [await test.vendor(), await test.vendor()]
    for (const each of [lockedVendor, other]) {
      await test.emit(each)
      await test.settled(each, 'delivered')
    }
    const client = await test.service.database.pool.connect()
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('delete from webhook_endpoint where organization_id = $1', [lockedVendor.organizationId])

    await test.service.database.pool.query(
      `update override set expires_at = now() - interval '1 second' where organization_id = any($1)`,
      [[lockedVendor.organizationId, other.organizationId]],
    )
    await other.receiver.waitFor(2)
    await test.emit(other)
    await other.receiver.waitFor(3)
    expect(lockedVendor.receiver.received).toHaveLength(1)
    await client.query('rollback')
    client.release()

    await lockedVendor.receiver.waitFor(2)
    expect(causesOf(await test.settled(lockedVendor, 'delivered'))).toEqual(['override', 'expiry'])
    expect(causesOf(await test.settled(other, 'delivered'))).toEqual(['override', 'expiry', 'override'])
  })
})
