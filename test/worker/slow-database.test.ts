import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { isSignedWith } from '../support/receiver.ts'
import { trackSentAttempts } from '../support/sent-attempts.ts'

const test = await startDeliveryTest()

const proxy = await startDatabaseProxy(test.url)
atEnd(() => proxy.close())
await test.worker({ databaseUrl: proxy.url })
// Longer than batch leases usually last.
proxy.slow(400)

describe('a worker whose database answers slowly', () => {
  it('sends queued events in order', async () => {
    const { firstOrder } = trackSentAttempts()
    const vendor = await test.vendor()

    const ids = await test.queue(vendor, 12)
    await test.settled(vendor, 'delivered')

    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
    expect(firstOrder(ids)).toEqual(ids)
  })

  it('signs nothing with the old secret after the request to rotate was answered', async () => {
    const { leftAt } = trackSentAttempts()
    const vendor = await test.vendor(() => (response) => setTimeout(() => response.writeHead(204).end(), 20))
    await test.queue(vendor, 80)
    await vendor.receiver.waitFor(12)

    const { body } = await vendor.rest('POST', '/org/webhook/rotate')
    const answeredAt = performance.now()
    // On a slow machine, all earlier events may have been sent already.
    await test.queue(vendor, 1)
    await test.settled(vendor, 'delivered')

    const after = vendor.receiver.received.filter(({ id }) => leftAt(id) >= answeredAt)
    expect(after.length).toBeGreaterThan(0)
    expect(after.every((each) => isSignedWith(body.secret, each))).toBe(true)
  })
})
