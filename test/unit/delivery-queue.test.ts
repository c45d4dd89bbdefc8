import { beforeEach, describe, expect, it, vi } from 'vitest'
import { AdaptiveLimit } from '../../worker/adaptive-limit.ts'
import { DeliveryQueue, type DeliveryQueueOptions } from '../../worker/delivery-queue.ts'
import type { BatchRequest, LeasedEvent } from '../../worker/delivery-queue-store.ts'
import type { FinishedAttempt } from '../../worker/record-attempts.ts'
import type { SendResult } from '../../worker/send.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  return () => vi.useRealTimers()
})

/** Advances the timers by this time, and waits for the effects. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const acknowledged: SendResult = { status: 200, error: null, answer: null, headers: null }

const refused: SendResult = { status: 500, error: 'refused', answer: null, headers: null }

type StartedAttempt = {
  eventId: string
  remainingMs: number
  maySend: () => boolean
  onWritten?: () => void
  answer: (result: SendResult) => void
}

/** A delivery queue whose attempts the test answers; their requests are written at once, unless the test writes them. */
function startQueue({
  isWritten = true,
  hasFreeSlot = () => true,
}: {
  isWritten?: boolean
  hasFreeSlot?: DeliveryQueueOptions['hasFreeSlot']
} = {}) {
  const started: StartedAttempt[] = []
  const finished: FinishedAttempt[] = []
  const options: DeliveryQueueOptions = {
    organizationId: 'acme',
    timeoutMs: 5000,
    limit: new AdaptiveLimit(32),
    hasFreeSlot,
    attempt: ({ eventId }, limits) =>
      new Promise((answer) => {
        started.push({ eventId, ...limits, answer })
        if (isWritten) limits.onWritten?.()
      }),
    onFinished: (attempt) => void finished.push(attempt),
    onChange() {},
  }
  return { queue: new DeliveryQueue(options), started, finished }
}

/** An event whose subscriber is the first letter of its id. */
function event(eventId: string): LeasedEvent {
  const url = 'http://receiver.example'
  const fields = { body: '{}', attempts: 0, once: false, queuedAt: null, url, sealedSecret: Buffer.alloc(0) }
  return { organizationId: 'acme', eventId, subscriber: eventId[0] as string, ...fields }
}

/** Gives the queue a batch of these events, which may be sent within this time. */
function lease(queue: DeliveryQueue, eventIds: string[], lifetimeMs = 1000): void {
  const request = queue.findBatchToLease() as BatchRequest
  queue.beginBatch()
  const until = performance.now() + lifetimeMs
  queue.setBatch({ organizationId: 'acme', woken: '0', events: eventIds.map(event) }, request, until)
}

/** Lets the batch lease of event `a` lapse after 30 ms, while its attempt connects. Returns the attempt. */
async function lapse({ queue, started }: Pick<ReturnType<typeof startQueue>, 'queue' | 'started'>) {
  lease(queue, ['a'], 30)
  const first = started[0] as StartedAttempt
  await pass(30)
  first.answer('lapsed')
  return first
}

const idsOf = (attempts: readonly { eventId: string }[]) => attempts.map(({ eventId }) => eventId)

describe('a delivery queue', () => {
  it("begins a subscriber's attempts in order, each after the previous one was answered", async () => {
    const { queue, started, finished } = startQueue()

    lease(queue, ['a1', 'a2', 'a3'], 10_000)
    for (const count of [1, 2, 3]) {
      await pass(1000)
      expect(started).toHaveLength(count)
      started.at(-1)?.answer(acknowledged)
      await pass(0)
      expect(finished).toHaveLength(count)
    }

    expect(idsOf(started)).toEqual(['a1', 'a2', 'a3'])
    expect(idsOf(finished)).toEqual(['a1', 'a2', 'a3'])
  })

  it('begins an attempt for the next subscriber once the previous request is written', async () => {
    const { queue, started } = startQueue({ isWritten: false })

    lease(queue, ['a', 'b', 'c'], 10_000)
    for (const count of [1, 2]) {
      await pass(1000)
      expect(started).toHaveLength(count)
      started.at(-1)?.onWritten?.()
      await pass(0)
    }

    expect(idsOf(started)).toEqual(['a', 'b', 'c'])
  })

  it('skips a subscriber whose attempt is running, and returns to this subscriber afterwards', async () => {
    const { queue, started } = startQueue()

    lease(queue, ['a1', 'a2', 'b1', 'b2', 'a3'])
    expect(idsOf(started)).toEqual(['a1', 'b1'])
    started[1]?.answer(acknowledged)
    await pass(0)
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(idsOf(started)).toEqual(['a1', 'b1', 'b2', 'a2'])
  })

  it('runs at most eight attempts at first, and only one once all of them failed', async () => {
    const { queue, started } = startQueue()

    lease(queue, [...'abcdefghij'], 10_000)
    await pass(1000)
    expect(started).toHaveLength(8)
    expect(queue.findBatchToLease()).toBeNull()
    for (const each of [...started]) each.answer(refused)
    await pass(0)

    expect(started).toHaveLength(9)
    started[8]?.answer(acknowledged)
    await pass(0)
    expect(started).toHaveLength(10)
  })

  it('runs one attempt at a time while the process has no slot for more', async () => {
    const { queue, started } = startQueue({ hasFreeSlot: (ofOne) => ofOne === 0 })

    lease(queue, ['a', 'b'])
    expect(started).toHaveLength(1)
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(started).toHaveLength(2)
  })

  it('reads past the events of subscribers whose attempts are running, until an attempt is answered', async () => {
    const { queue, started } = startQueue()
    const { rows } = queue.findBatchToLease() as BatchRequest
    lease(
      queue,
      Array.from({ length: rows }, (_, index) => `a${index}`),
      10_000,
    )
    expect(queue.findBatchToLease()).toMatchObject({ scan: 10_000, skipped: ['a'] })

    lease(queue, ['b0', 'c0'], 10_000)
    expect(idsOf(started)).toEqual(['a0', 'b0', 'c0'])
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(queue.findBatchToLease()).toMatchObject({ skipped: [] })
    lease(queue, ['b0', 'c0', 'a1', 'd0'], 10_000)
    expect(idsOf(started)).toEqual(['a0', 'b0', 'c0', 'a1', 'd0'])
  })

  it('rejects a batch that skipped a subscriber whose attempt ended while the batch was read', async () => {
    const { queue, started } = startQueue()
    const { rows } = queue.findBatchToLease() as BatchRequest
    lease(queue, [...Array.from({ length: rows - 1 }, (_, index) => `a${index}`), 'b0'], 10_000)
    expect(idsOf(started)).toEqual(['a0', 'b0'])
    const request = queue.findBatchToLease() as BatchRequest
    expect(request.skipped).toEqual(['a', 'b'])
    queue.beginBatch()
    started[1]?.answer(acknowledged)
    await pass(0)

    queue.setBatch({ organizationId: 'acme', woken: '0', events: [event('c0')] }, request, performance.now() + 10_000)

    expect(idsOf(started)).toEqual(['a0', 'b0'])
  })

  it('counts results in the order in which the attempts started', async () => {
    const { queue, started, finished } = startQueue()
    lease(queue, ['a', 'b', 'c'])

    started[1]?.answer(refused)
    await pass(0)
    expect(finished[0]?.counted).toEqual([])
    started[0]?.answer(acknowledged)
    await pass(0)
    expect(idsOf(finished[1]?.counted ?? [])).toEqual(['a', 'b'])
    started[2]?.answer(acknowledged)
    await pass(0)

    expect(idsOf(finished[2]?.counted ?? [])).toEqual(['c'])
  })

  it('drops a batch once its lease has lapsed, and reads its events again', async () => {
    const { queue, started, finished } = startQueue()

    lease(queue, ['a1', 'a2'], 30)
    expect(started[0]?.maySend()).toBe(true)
    await pass(30)
    expect(started[0]?.maySend()).toBe(false)
    started[0]?.answer(acknowledged)
    await pass(0)

    expect(finished).toHaveLength(1)
    expect(started.map(({ eventId }) => eventId)).toEqual(['a1'])
    expect(queue.findBatchToLease()).not.toBeNull()
  })

  it('does not restart the time-out of an attempt whose batch lease lapsed while it connected', async () => {
    const { queue, started, finished } = startQueue()
    const first = await lapse({ queue, started })
    await pass(0)
    expect(queue.findBatchToLease()).not.toBeNull()
    expect(finished).toEqual([])

    lease(queue, ['a'])
    const second = started[1] as StartedAttempt
    second.answer(acknowledged)
    await pass(0)

    expect(second.eventId).toBe('a')
    expect(second.remainingMs).toBe(first.remainingMs - 30)
    expect((finished[0]?.finishedAt ?? 0) - (finished[0]?.startedAt ?? 0)).toBe(30)
  })

  it('does not count the time between a lapsed attempt and the next one, such as a wait for other attempts', async () => {
    const { queue, started, finished } = startQueue()
    const first = await lapse({ queue, started })
    await pass(6000)

    lease(queue, ['a'])
    const second = started[1] as StartedAttempt
    second.answer(acknowledged)
    await pass(0)

    expect(second.remainingMs).toBe(first.remainingMs - 30)
    expect((finished[0]?.finishedAt ?? 0) - (finished[0]?.startedAt ?? 0)).toBe(30)
  })

  it('reads another batch if it was woken while reading one', () => {
    const { queue } = startQueue()
    const request = queue.findBatchToLease() as BatchRequest
    queue.beginBatch()
    expect(queue.findBatchToLease()).toBeNull()

    queue.wake()
    queue.setBatch({ organizationId: 'acme', woken: '0', events: [] }, request, performance.now() + 250)

    expect(queue.isIdle).toBe(false)
    expect(queue.findBatchToLease()).not.toBeNull()
  })

  it('does not resend an event that it reads again before its attempt is recorded', async () => {
    const { queue, started, finished } = startQueue()
    lease(queue, ['a'])
    started[0]?.answer(acknowledged)
    await pass(0)
    expect(finished).toHaveLength(1)
    expect(queue.isIdle).toBe(false)

    queue.wake()
    lease(queue, ['a'])
    expect(started).toHaveLength(1)

    queue.markRecorded('a')
    expect(queue.isIdle).toBe(true)
  })
})
