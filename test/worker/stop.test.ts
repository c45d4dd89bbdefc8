import { describe, expect, it } from 'vitest'
import { startDeliveryTest } from '../support/delivery.ts'
import { trackSentAttempts } from '../support/sent-attempts.ts'
import { vendor as vendorApi } from '../support/vendor.ts'

const test = await startDeliveryTest({ WEBHOOK_ATTEMPT_TIMEOUT_MS: '30000' })

describe('a worker that stops', () => {
  it('lets a running attempt end, and schedules the next one if it fails', async () => {
    const vendor = await test.vendor(() => (response) => setTimeout(() => response.writeHead(500).end(), 400))
    const worker = await test.worker()
    await test.emit(vendor)
    await vendor.receiver.waitFor(1)

    await worker.stop()

    const [event] = await test.events(vendor)
    expect(event).toMatchObject({ state: 'queued', attempts: 1 })
    expect(Number(event?.dueAt)).toBeGreaterThan(Date.now())
    const { rows } = await test.service.database.pool.query('select from webhook_lane where lease_until is not null')
    expect(rows).toEqual([])
  })

  it('begins no new attempt', async () => {
    const sentAttempts = trackSentAttempts()
    const vendor = await test.vendor(() => (response) => setTimeout(() => response.writeHead(204).end(), 400))
    const worker = await test.worker()
    await test.queue(vendor, 50)
    await vendor.receiver.waitFor(1)

    const stopping = worker.stop()
    const begunBefore = sentAttempts.count()
    await stopping

    // One more attempt may begin at the moment of the call.
    expect(sentAttempts.count()).toBeLessThanOrEqual(begunBefore + 1)
  })
})

describe('with two workers', () => {
  it('the one that leases the queue sends each event at once, even if the wake reaches the other and a receiver hangs', async () => {
    let answerFirst: (() => void) | undefined
    const vendor = await test.vendor(() => {
      if (answerFirst) return 204
      return (response) => {
        answerFirst = () => response.writeHead(204).end()
      }
    })
    await Promise.all([test.worker(), test.worker()])
    await test.emit(vendor)
    await vendor.receiver.waitFor(1)

    for (let count = 2; count <= 8; count++) {
      await vendorApi(vendor).subscriber(`other-${count}`)
      await vendorApi(vendor).override(`other-${count}`, 'seats', { kind: 'limit', limit: 1 })
      await vendor.receiver.waitFor(count)
    }
    const [first] = await test.events(vendor)
    expect(first).toMatchObject({ state: 'queued', attempts: 0 })
    // Lets the workers stop.
    answerFirst?.()
  })
})
