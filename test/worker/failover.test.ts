import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Worker } from '../../worker/main.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { startDeliveryTest } from '../support/delivery.ts'

const test = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0.1,600', WEBHOOK_ATTEMPT_TIMEOUT_MS: '60000' })

async function startWorkerBehindProxy(): Promise<{ proxy: DatabaseProxy; worker: Pick<Worker, 'stop'> }> {
  const proxy = await startDatabaseProxy(test.url)
  onTestFinished(() => proxy.close())
  return { proxy, worker: await test.worker({ databaseUrl: proxy.url }) }
}

// The silence is first shorter than every time limit, and then longer than every time limit.
it.each([2000, 12_000])(
  'events queued while the database was silent (for %i ms) are sent without a reset, and their attempts are recorded',
  async (silentMs) => {
    const { proxy, worker } = await startWorkerBehindProxy()
    const [vendor, failing] = [await test.vendor(), await test.vendor()]
    await test.emit(vendor)
    await test.settled(vendor, 'delivered')
    failing.receiver.behave((_received, index) => (response) => {
      // The first attempt ends during the silence, and cannot be recorded.
      if (index === 0) proxy.freeze()
      response.writeHead(index === 0 ? 500 : 204).end()
    })

    await test.emit(failing)
    await failing.receiver.waitFor(1)
    const ids = await test.emit(vendor, 3)
    await wait(silentMs)
    proxy.thaw({ failover: true })

    await vendor.receiver.waitFor(4)
    const [event] = await test.settled(failing, 'delivered')
    expect(vendor.receiver.ids().slice(1).toSorted()).toEqual(ids)
    expect(event).toMatchObject({ attempts: 2 })
    await worker.stop()
  },
)

it('a worker stops during a silence, and another worker repeats the attempt that could not be recorded', async () => {
  const { proxy, worker } = await startWorkerBehindProxy()
  const vendor = await test.vendor()
  vendor.receiver.behave((_received, index) => (response) => {
    if (index === 0) proxy.freeze()
    response.writeHead(204).end()
  })
  await test.emit(vendor)
  await vendor.receiver.waitFor(1)

  await worker.stop()

  expect(await test.events(vendor)).toMatchObject([{ state: 'queued', attempts: 0 }])
  await test.worker()
  await test.settled(vendor, 'delivered')
})
