import { describe, expect, it } from 'vitest'
import { type SubscribedOrganization, startDeliveryTest } from '../support/delivery.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest()
const { pool, prisma } = test.service.database
await test.worker()
let refusals = 0

/** Makes the database refuse attempts that match the condition, until the returned function is called. */
async function refuse(condition: string): Promise<() => Promise<unknown>> {
  const name = `refused_${refusals++}`
  await pool.query(`alter table webhook_attempt add constraint ${name} check (not (${condition})) not valid`)
  return () => pool.query(`alter table webhook_attempt drop constraint ${name}`)
}

/** Resolves once the worker has tried to record for a while: by then it has recorded everything that it can. */
async function waitForOtherRecords(other: SubscribedOrganization): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await test.emit(other)
    await test.settled(other, 'delivered')
  }
}

describe('an attempt that the database refuses to record', () => {
  it('blocks no other attempt, is not repeated at once, and is recorded once the database accepts it', async () => {
    const [broken, other] = [await test.vendor(), await test.vendor()]
    const allow = await refuse(`organization_id = '${broken.organizationId}'`)

    await Promise.all([test.emit(broken, 3), test.emit(other, 3)])
    await broken.receiver.waitFor(3)
    await test.settled(other, 'delivered')
    await waitForOtherRecords(other)
    expect((await test.events(broken)).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
    await allow()

    await test.settled(broken, 'delivered')
    expect(broken.receiver.received).toHaveLength(3)
  })

  it('does not block the recording of other attempts of its organization', async () => {
    const vendor = await test.vendor()
    const [first = ''] = await test.queue(vendor, 3)
    const allow = await refuse(`event_id = '${first}' and organization_id = '${vendor.organizationId}'`)

    await until(async () => (await test.events(vendor)).filter(({ state }) => state === 'delivered').length === 2)
    await allow()

    await test.settled(vendor, 'delivered')
    expect(vendor.receiver.received).toHaveLength(3)
  })

  it("is recorded without the receiver's answer if the database refuses only the answer", async () => {
    const vendor = await test.vendor(() => (response) => response.writeHead(200).end('unspeakable'))
    await refuse(`answer = 'unspeakable'`)

    const [eventId] = await test.emit(vendor)
    await test.settled(vendor, 'delivered')

    expect(vendor.receiver.received).toHaveLength(1)
    const { organizationId } = vendor
    const attempts = await prisma.webhookAttempt.findMany({ where: { organizationId, eventId } })
    expect(attempts).toMatchObject([{ number: 1, status: 200, answer: null, error: null }])
  })

  it('is repeated without a restart once it has failed and its wait is over', async () => {
    const quick = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0.1,0.1' })
    await quick.worker()
    const vendor = await quick.vendor(500)
    await quick.service.database.pool.query(`alter table webhook_attempt add constraint refused check (status = 200)`)

    await quick.emit(vendor)
    await vendor.receiver.waitFor(1)
    vendor.receiver.behave(200)
    await quick.settled(vendor, 'delivered')

    const [first, second] = vendor.receiver.received
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(5900)
  })

  it('does not delay a stop', async () => {
    const slow = await startDeliveryTest({ WEBHOOK_ATTEMPT_TIMEOUT_MS: '300000' })
    const worker = await slow.worker()
    const vendor = await slow.vendor()
    await slow.service.database.pool.query(`alter table webhook_attempt add constraint refused check (false) not valid`)
    await slow.emit(vendor)
    await vendor.receiver.waitFor(1)

    await worker.stop()

    const { rows } = await slow.service.database.pool.query('select from webhook_lane where lease_until is not null')
    expect(rows).toEqual([])
    expect(await slow.events(vendor)).toMatchObject([{ state: 'queued', attempts: 0 }])
  })
})
