import { describe, expect, it } from 'vitest'
import { startDeliveryTest } from '../support/delivery.ts'
import { startApiProcess, startWorkerProcess } from '../support/server-process.ts'
import { callerOf } from '../support/service.ts'
import { until } from '../support/until.ts'

const env = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }
const test = await startDeliveryTest()
const processEnv = { ...env, DATABASE_URL: test.url }

/** Sends writes, eight at a time, until `isEnough` returns true for their number. Resolves to this number. */
async function sendWritesUntil(
  caller: ReturnType<typeof callerOf>,
  isEnough: (written: number) => boolean,
): Promise<number> {
  let next = 0
  const writeOn = async () => {
    while (!isEnough(next)) {
      const limit = next++
      const path = `/org/subscribers/s${limit % 8}/overrides/seats`
      const answer = await caller.rest('PUT', path, { kind: 'limit', limit })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: 8 }, writeOn))
  return next
}

describe('workers in their own processes', () => {
  it('lose no event of hundreds of writes while they are killed again and again', async () => {
    const vendor = await test.vendor()
    const { organizationId, receiver } = vendor
    for (let i = 0; i < 8; i++) await vendor.rest('POST', '/org/subscribers', { subscriber_id: `s${i}` })
    const api = await startApiProcess(processEnv)
    const caller = callerOf(api.url, vendor)
    await startWorkerProcess(processEnv)
    let victim = await startWorkerProcess(processEnv)
    const writing = new AbortController()
    let kills = 0
    let unrecorded = 0
    const countRecorded = () => test.service.database.prisma.webhookAttempt.count({ where: { organizationId } })

    const killing = (async () => {
      while (!writing.signal.aborted) {
        const seen = receiver.received.length
        await until(() => receiver.received.length > seen + 20 || writing.signal.aborted)
        await victim.end('SIGKILL')
        kills++
        unrecorded += Math.max(0, new Set(receiver.ids()).size - (await countRecorded()))
        victim = await startWorkerProcess(processEnv)
      }
    })()
    const written = await sendWritesUntil(caller, (count) => count >= 300 && kills > 1)
    writing.abort()
    await killing
    const events = await test.settled(vendor, 'delivered')

    expect(events).toHaveLength(written)
    expect(new Set(receiver.ids())).toEqual(new Set(events.map(({ id }) => id)))
    // After each kill, attempts that were answered and not recorded yet are repeated, and at most the attempts in flight of one
    // delivery queue.
    expect(receiver.received.length).toBeLessThanOrEqual(written + unrecorded + kills * 8)
    expect(await countRecorded()).toBe(written)
  })

  it('repeat the attempt during which they were killed', async () => {
    const vendor = await test.vendor(() => null)
    const worker = await startWorkerProcess(processEnv)
    const [id = ''] = await test.emit(vendor)
    await vendor.receiver.waitFor(1)

    await worker.end('SIGKILL')
    vendor.receiver.behave(200)
    await startWorkerProcess(processEnv)
    const [event] = await test.settled(vendor, 'delivered')

    expect(event).toMatchObject({ id, attempts: 1 })
    expect(vendor.receiver.ids()).toEqual([id, id])
  })

  it('stop cleanly at SIGTERM: running attempts are recorded, and the next worker sends the remaining events', async () => {
    const vendor = await test.vendor(() => (response) => setTimeout(() => response.writeHead(204).end(), 300))
    const worker = await startWorkerProcess(processEnv)
    const ids = await test.queue(vendor, 40)
    await vendor.receiver.waitFor(3)

    expect(await worker.end('SIGTERM')).toBe(0)
    const under = vendor.receiver.received.length
    const states = (await test.events(vendor)).map(({ state }) => state)
    expect(states.filter((state) => state === 'delivered')).toHaveLength(under)
    // Only the queue of this organization, because a worker that an earlier test killed has left the lease of another.
    const where = { organizationId: vendor.organizationId, leaseUntil: { not: null } }
    expect(await test.service.database.prisma.webhookLane.count({ where })).toBe(0)

    await startWorkerProcess(processEnv)
    await test.settled(vendor, 'delivered')
    expect(vendor.receiver.ids().toSorted()).toEqual(ids)
  })
})
