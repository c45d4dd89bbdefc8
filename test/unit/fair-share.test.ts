import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FairQueue } from '../../src/fairness/fair-queue.ts'
import { LoopSlices } from '../../src/fairness/loop-slices.ts'
import { MemoryReservation } from '../../src/fairness/memory-reservation.ts'

const memory = { ofOne: 60, ofAll: 100, largeBytes: 1000, largeAtOnce: 2 }
const limits = { atOnce: 2, atOnceOfOne: 1, restsAfterMs: 0, restFactor: 0, memory }

/** Tasks that record when they begin, and end on request. */
function taskList(queue: FairQueue) {
  const started: string[] = []
  const cancelled: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    cancelled,
    add(tenant: string, name: string, bytes = 10) {
      const run = () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      }
      queue.run(tenant, run, bytes).catch(() => cancelled.push(name))
    },
    async end(name: string) {
      ends.get(name)?.()
      await nextTurn()
    },
  }
}

describe('FairQueue, with a limit of bytes,', () => {
  it('runs one task of an owner at a time, and tasks of other owners in between', async () => {
    const tasks = taskList(new FairQueue({ ...limits, atOnce: 1 }))
    for (const name of ['a1', 'a2', 'a3']) tasks.add('a', name)
    tasks.add('b', 'b1')
    expect(tasks.started).toEqual(['a1'])

    await tasks.end('a1')
    await tasks.end('b1')

    expect(tasks.started).toEqual(['a1', 'b1', 'a2'])
  })

  it('runs tasks of several owners at once, up to its limit of tasks', async () => {
    const tasks = taskList(new FairQueue(limits))
    for (const name of ['a1', 'a2']) tasks.add('a', name)
    tasks.add('b', 'b1')
    tasks.add('c', 'c1')
    expect(tasks.started).toEqual(['a1', 'b1'])

    await tasks.end('b1')

    expect(tasks.started).toEqual(['a1', 'b1', 'c1'])
  })

  it('reserves a slot for small tasks while large ones run', async () => {
    const tasks = taskList(new FairQueue({ ...limits, memory: { ...memory, largeBytes: 30, largeAtOnce: 1 } }))
    tasks.add('a', 'large a', 30)
    tasks.add('b', 'large b', 30)
    tasks.add('c', 'small c', 29)
    expect(tasks.started).toEqual(['large a', 'small c'])

    await tasks.end('large a')

    expect(tasks.started).toEqual(['large a', 'small c', 'large b'])
  })

  it('makes an owner wait for a multiple of the time that its task took', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const tasks = taskList(new FairQueue({ ...limits, restFactor: 10 }))
    tasks.add('a', 'a1')
    tasks.add('a', 'a2')
    vi.advanceTimersByTime(50)
    await tasks.end('a1')

    vi.advanceTimersByTime(499)
    expect(tasks.started).toEqual(['a1'])
    await vi.advanceTimersByTimeAsync(2)
    expect(tasks.started).toEqual(['a1', 'a2'])
  })

  it('keeps an owner within its limit of bytes, including unsent answers', async () => {
    const queue = new FairQueue(limits)
    const tasks = taskList(queue)
    const release = queue.reserve('a', 40)
    tasks.add('a', 'too much', 30)
    tasks.add('b', 'b1', 30)
    expect(tasks.started).toEqual(['b1'])

    release()
    await Promise.resolve()

    expect(tasks.started).toEqual(['b1', 'too much'])
  })

  it('keeps all owners together within the total limit of bytes', async () => {
    const tasks = taskList(new FairQueue(limits))
    tasks.add('a', 'a1', 60)
    tasks.add('b', 'b1', 50)
    expect(tasks.started).toEqual(['a1'])

    await tasks.end('a1')

    expect(tasks.started).toEqual(['a1', 'b1'])
  })

  it('runs a task above the limit once its owner holds no other bytes', async () => {
    const tasks = taskList(new FairQueue(limits))
    tasks.add('a', 'a1', 1)
    tasks.add('a', 'huge', 1000)
    expect(tasks.started).toEqual(['a1'])

    await tasks.end('a1')

    expect(tasks.started).toEqual(['a1', 'huge'])
  })

  it('lets running tasks end when it closes, and cancels waiting and new tasks', async () => {
    const queue = new FairQueue(limits)
    const tasks = taskList(queue)
    for (const name of ['a1', 'a2']) tasks.add('a', name)

    const closing = queue.close()
    tasks.add('b', 'b1')
    await tasks.end('a1')
    await closing

    expect(tasks.started).toEqual(['a1'])
    expect(tasks.cancelled.sort()).toEqual(['a2', 'b1'])
  })
})

describe('MemoryReservation', () => {
  it('holds its bytes until every answer that shares them has released them', async () => {
    const queue = new FairQueue(limits)
    const tasks = taskList(queue)
    const hold = new MemoryReservation(queue, 'a', { bytes: 60, maxMs: 30_000 })
    const [one, other] = [hold.keep(), hold.keep()]
    tasks.add('a', 'a1')

    one()
    one()
    expect(tasks.started).toEqual([])
    other()
    await Promise.resolve()

    expect(tasks.started).toEqual(['a1'])
  })

  it('releases its bytes by itself if the client does not read the answer in time', async () => {
    vi.useFakeTimers()
    const queue = new FairQueue(limits)
    const tasks = taskList(queue)
    const hold = new MemoryReservation(queue, 'a', { bytes: 60, maxMs: 30_000 })
    hold.keep()
    tasks.add('a', 'a1')

    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    await Promise.resolve()

    expect(hold.isReleased).toBe(true)
    expect(tasks.started).toEqual(['a1'])
  })
})

describe('LoopSlices', () => {
  it('gives each slice its own turn of the event loop, and alternates between owners', async () => {
    const loopSlices = new LoopSlices()
    const order: string[] = []
    let turn = 0
    const counting = setImmediate(function count() {
      turn += 1
      immediate = setImmediate(count)
    })
    let immediate = counting
    const slice = async (tenant: string, name: string) => {
      await loopSlices.next(tenant)
      order.push(`${name} in ${turn}`)
    }

    await Promise.all([slice('a', 'a1'), slice('a', 'a2'), slice('a', 'a3'), slice('b', 'b1')])
    clearImmediate(immediate)

    expect(order.map((entry) => entry.split(' ')[0])).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(new Set(order.map((entry) => entry.split(' ')[2])).size).toBe(4)
  })

  it('makes an owner wait at least a millisecond between its slices', async () => {
    const loopSlices = new LoopSlices()
    const startedAt = performance.now()

    for (let slice = 0; slice < 20; slice++) await loopSlices.next('a')

    expect(performance.now() - startedAt).toBeGreaterThan(19)
  })
})
