import { describe, expect, it } from 'vitest'
import { DeliveryQueueStore } from '../../worker/delivery-queue-store.ts'
import { shortenWaits } from '../../worker/jobs/shorten-waits.ts'
import { createTestClock, startDeliveryTest } from '../support/delivery.ts'
import { trackSentAttempts } from '../support/sent-attempts.ts'

/*
 * The rows that remain when the database's clock steps back by an hour: leases, waits and due times an hour ahead. The tests
 * write such rows.
 */

const test = await startDeliveryTest()
const { pool, prisma } = test.service.database
const { order } = trackSentAttempts()
await test.worker()

async function leaseQueue(organizationId: string, owner: string): Promise<void> {
  await pool.query(
    `insert into webhook_lane (organization_id, owner, lease_until)
     values ($1, $2, clock_timestamp() + interval '1 hour')
     on conflict (organization_id) do update set owner = excluded.owner, lease_until = excluded.lease_until`,
    [organizationId, owner],
  )
}

describe('a lease that ends an hour too late', () => {
  it("is void: the organization's events are sent once a lease of normal length has passed", async () => {
    const vendor = await test.vendor()
    await leaseQueue(vendor.organizationId, 'gone')

    const ids = await test.emit(vendor, 2)
    await vendor.receiver.waitFor(2)

    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
  })

  it('stays with a worker that is still sending: no event is sent twice', async () => {
    const vendor = await test.vendor(() => (response) => setTimeout(() => response.writeHead(204).end(), 20))
    const ids = await test.queue(vendor, 200, 1)
    await vendor.receiver.waitFor(20)
    await pool.query(
      `update webhook_lane set lease_until = lease_until + interval '1 hour' where organization_id = $1`,
      [vendor.organizationId],
    )
    await test.worker()

    await test.settled(vendor, 'delivered')

    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
  })
})

describe('events queued before the clock stepped back', () => {
  it('are sent at once, and before events queued after the step', async () => {
    const vendor = await test.vendor()
    const { organizationId } = vendor
    await vendor.rest('POST', '/org/webhook/disable')
    const before = await test.emit(vendor, 3)
    await prisma.webhookEvent.updateMany({
      where: { organizationId },
      data: { dueAt: new Date(Date.now() + 3_600_000) },
    })
    const after = await test.emit(vendor, 3)

    await vendor.rest('POST', '/org/webhook/enable')
    await vendor.receiver.waitFor(6)

    expect(order(vendor.receiver.ids())).toEqual([...before, ...after])
  })

  it('are sent without a wake', async () => {
    const vendor = await test.vendor()
    const ids = await test.queue(vendor, 2)
    await pool.query(`update webhook_event set due_at = due_at + interval '1 hour' where organization_id = $1`, [
      vendor.organizationId,
    ])

    await vendor.receiver.waitFor(2)

    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
  })
})

describe('the wait before a queued attempt', () => {
  const waitsSeconds = [30, 300]

  /** Shortens the waits; returns the milliseconds from now to the next attempt of the event. */
  async function shortenWait(fields: { attempts: number; once?: boolean; dueInMs: number }): Promise<number> {
    const vendor = await test.vendor()
    await vendor.rest('POST', '/org/webhook/disable')
    const [id = ''] = await test.emit(vendor)
    const { dueInMs, ...data } = fields
    const where = { organizationId_id: { organizationId: vendor.organizationId, id } }
    await prisma.webhookEvent.update({ where, data: { ...data, dueAt: new Date(Date.now() + dueInMs) } })

    await shortenWaits({ pool, clock: createTestClock(), waitsSeconds })

    return Number((await prisma.webhookEvent.findUniqueOrThrow({ where })).dueAt) - Date.now()
  }

  it.each([
    ['the first wait', { attempts: 1, dueInMs: 3_620_000 }, 30_000],
    ['the second wait', { attempts: 2, dueInMs: 3_620_000 }, 300_000],
    ['a wait that is no longer configured', { attempts: 5, dueInMs: 3_620_000 }, 300_000],
    ['an event that was sent again', { attempts: 2, once: true, dueInMs: 3_600_000 }, 0],
  ])('is shortened to the configured wait if it is longer: %s', async (_, event, expectedMs) => {
    const waitMs = await shortenWait(event)
    expect(Math.abs(waitMs - expectedMs)).toBeLessThan(25_000)
  })

  it('stays unchanged if it is no longer than the configured wait', async () => {
    const waitMs = await shortenWait({ attempts: 2, dueInMs: 290_000 })
    expect(Math.abs(waitMs - 290_000)).toBeLessThan(25_000)
  })

  it('is shortened when a worker starts', async () => {
    const quick = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0.1' })
    const vendor = await quick.vendor()
    await quick.emit(vendor)
    await quick.service.database.prisma.webhookEvent.updateMany({
      data: { attempts: 1, dueAt: new Date(Date.now() + 3_600_000) },
    })

    await quick.worker()

    await quick.settled(vendor, 'delivered')
  })
})

describe('a wake of a delivery queue that another worker leases', () => {
  it('writes a value that is never repeated, even if a failover lost the last value', async () => {
    const { organizationId } = await test.vendor()
    const loadWoken = async () =>
      (await prisma.webhookLane.findUniqueOrThrow({ where: { organizationId }, select: { woken: true } })).woken
    const clock = createTestClock()
    const holder = new DeliveryQueueStore({ pool, owner: 'holder', clock })
    const other = new DeliveryQueueStore({ pool, owner: 'other', clock })
    /** The other worker asks for the queue just after the holder has leased it: on a slow machine, the lease may end soon. */
    const askForLeased = async (wakesOwner: boolean) => {
      expect(await holder.leaseQueues([{ organizationId, wakesOwner: true }], 250)).toEqual([organizationId])
      expect(await other.leaseQueues([{ organizationId, wakesOwner }], 250)).toEqual([])
    }
    await holder.leaseQueues([{ organizationId, wakesOwner: true }], 250)
    const before = await loadWoken()
    await askForLeased(false)
    expect(await loadWoken()).toBe(before)

    await askForLeased(true)
    const lost = await loadWoken()
    await prisma.webhookLane.update({ where: { organizationId }, data: { woken: before } })
    await askForLeased(true)
    const after = await loadWoken()

    expect(new Set([before, lost, after]).size).toBe(3)
    expect(await holder.release([{ organizationId, woken: lost }])).toEqual([])
  })
})
