import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FairShare } from '../../src/fairness/fair-share.ts'
import { Hold } from '../../src/fairness/hold.ts'
import { Turns } from '../../src/fairness/turns.ts'

const limits = { maxRunning: 2, maxRunningLarge: 2, largeBytes: 1000, maxBytes: 100, maxTenantBytes: 60, restFactor: 0 }

/** Tasks that record when they begin, and end on request. */
function taskList(share: FairShare) {
  const begun: string[] = []
  const cancelled: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    cancelled,
    add(tenant: string, name: string, bytes = 10) {
      share.run(tenant, {
        bytes,
        cancel: () => cancelled.push(name),
        run: () => {
          begun.push(name)
          return new Promise((resolve) => ends.set(name, resolve))
        },
      })
    },
    async end(name: string) {
      ends.get(name)?.()
      await nextTurn()
    },
  }
}

describe('FairShare', () => {
  it('runs one task of a tenant at a time, with others in between', async () => {
    const tasks = taskList(new FairShare({ ...limits, maxRunning: 1 }))
    for (const name of ['a1', 'a2', 'a3']) tasks.add('a', name)
    tasks.add('b', 'b1')
    expect(tasks.begun).toEqual(['a1'])

    await tasks.end('a1')
    await tasks.end('b1')

    expect(tasks.begun).toEqual(['a1', 'b1', 'a2'])
  })

  it('runs tasks of several tenants at once, up to its limit', async () => {
    const tasks = taskList(new FairShare(limits))
    for (const name of ['a1', 'a2']) tasks.add('a', name)
    tasks.add('b', 'b1')
    tasks.add('c', 'c1')
    expect(tasks.begun).toEqual(['a1', 'b1'])

    await tasks.end('b1')

    expect(tasks.begun).toEqual(['a1', 'b1', 'c1'])
  })

  it('reserves a place for small tasks while large ones run', async () => {
    const tasks = taskList(new FairShare({ ...limits, maxRunningLarge: 1, largeBytes: 30 }))
    tasks.add('a', 'large a', 30)
    tasks.add('b', 'large b', 30)
    tasks.add('c', 'small c', 29)
    expect(tasks.begun).toEqual(['large a', 'small c'])

    await tasks.end('large a')

    expect(tasks.begun).toEqual(['large a', 'small c', 'large b'])
  })

  it('makes a tenant rest for a multiple of the time that its task took', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const tasks = taskList(new FairShare({ ...limits, restFactor: 10 }))
    tasks.add('a', 'a1')
    tasks.add('a', 'a2')
    vi.advanceTimersByTime(50)
    await tasks.end('a1')

    vi.advanceTimersByTime(499)
    expect(tasks.begun).toEqual(['a1'])
    vi.advanceTimersByTime(2)
    expect(tasks.begun).toEqual(['a1', 'a2'])
  })

  it('keeps a tenant within its bytes, unsent answers included', async () => {
    const share = new FairShare(limits)
    const tasks = taskList(share)
    const release = share.hold('a', 40)
    tasks.add('a', 'too much', 30)
    tasks.add('b', 'b1', 30)
    expect(tasks.begun).toEqual(['b1'])

    release()

    expect(tasks.begun).toEqual(['b1', 'too much'])
  })

  it('keeps all tenants together within the total bytes', async () => {
    const tasks = taskList(new FairShare(limits))
    tasks.add('a', 'a1', 60)
    tasks.add('b', 'b1', 50)
    expect(tasks.begun).toEqual(['a1'])

    await tasks.end('a1')

    expect(tasks.begun).toEqual(['a1', 'b1'])
  })

  it('runs a task above the limit once its tenant holds nothing else', async () => {
    const tasks = taskList(new FairShare(limits))
    tasks.add('a', 'a1', 1)
    tasks.add('a', 'huge', 1000)
    expect(tasks.begun).toEqual(['a1'])

    await tasks.end('a1')

    expect(tasks.begun).toEqual(['a1', 'huge'])
  })

  it('lets running tasks end when it closes, and cancels waiting and new ones', async () => {
    const share = new FairShare(limits)
    const tasks = taskList(share)
    for (const name of ['a1', 'a2']) tasks.add('a', name)

    const closing = share.close()
    tasks.add('b', 'b1')
    await tasks.end('a1')
    await closing

    expect(tasks.begun).toEqual(['a1'])
    expect(tasks.cancelled).toEqual(['a2', 'b1'])
  })
})

describe('Hold', () => {
  it('holds its bytes until the last answer that shares them releases them', () => {
    const share = new FairShare(limits)
    const tasks = taskList(share)
    const hold = new Hold(share, 'a', { bytes: 60, maxMs: 30_000 })
    const [one, other] = [hold.keep(), hold.keep()]
    tasks.add('a', 'a1')

    one()
    one()
    expect(tasks.begun).toEqual([])
    other()

    expect(tasks.begun).toEqual(['a1'])
  })

  it('releases its bytes by itself if nobody takes them in time', () => {
    vi.useFakeTimers()
    const share = new FairShare(limits)
    const tasks = taskList(share)
    const hold = new Hold(share, 'a', { bytes: 60, maxMs: 30_000 })
    hold.keep()
    tasks.add('a', 'a1')

    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()

    expect(hold.isReleased).toBe(true)
    expect(tasks.begun).toEqual(['a1'])
  })
})

describe('Turns', () => {
  it('gives each slice its own turn of the event loop, and alternates between tenants', async () => {
    const turns = new Turns()
    const order: string[] = []
    let turn = 0
    const counting = setImmediate(function count() {
      turn += 1
      immediate = setImmediate(count)
    })
    let immediate = counting
    const slice = async (tenant: string, name: string) => {
      await turns.next(tenant)
      order.push(`${name} in ${turn}`)
    }

    await Promise.all([slice('a', 'a1'), slice('a', 'a2'), slice('a', 'a3'), slice('b', 'b1')])
    clearImmediate(immediate)

    expect(order.map((entry) => entry.split(' ')[0])).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(new Set(order.map((entry) => entry.split(' ')[2])).size).toBe(4)
  })

  it('makes a tenant rest between its slices', async () => {
    const turns = new Turns()
    const startedAt = performance.now()

    for (let slice = 0; slice < 20; slice++) await turns.next('a')

    expect(performance.now() - startedAt).toBeGreaterThan(19)
  })
})
