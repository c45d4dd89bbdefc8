import { expect, it, onTestFinished, vi } from 'vitest'
import { FairQueue, type Share } from '../../src/fairness/fair-queue.ts'

/** Work that ends on request, and the names of the started work in order. */
function startQueue(limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue({
    atOnce: 3,
    atOnceOfOne: 2,
    waitingOfOne: 10,
    waiting: 20,
    maxWaitMs: 60_000,
    maxStallMs: 60_000,
    ...limits,
  })
  const started: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const run = (owner: Share | string, name: string) => {
    const work = queue.run(owner, () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      })
    })
    // Work that a test leaves waiting is refused a minute later.
    work.catch(() => {})
    return work
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { run, started, end, owners: () => queue.owners }
}

it('the queue runs a few requests of one owner at a time, in order of arrival', async () => {
  const { run, started, end } = startQueue()

  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name))
  expect(started).toEqual(['a1', 'a2'])
  await end('a2')
  expect(started).toEqual(['a1', 'a2', 'a3'])
  for (const name of ['a1', 'a3', 'a4']) await end(name)

  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4'])
})

it('the queue keeps a slot for other owners, however many requests one owner sends', async () => {
  const { run, started } = startQueue()

  for (let index = 0; index < 9; index++) void run('a', `a${index}`)
  void run('b', 'b')

  expect(started).toEqual(['a0', 'a1', 'b'])
})

it('the queue serves waiting owners in turn', async () => {
  const { run, started, end } = startQueue({ atOnce: 1, atOnceOfOne: 1 })

  for (const name of ['a1', 'a2', 'a3']) void run('a', name)
  for (const name of ['b1', 'b2']) void run('b', name)
  for (const name of ['a1', 'a2', 'b1', 'b2']) await end(name)
  await end('a3')

  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

it('the queue gives the slot of a failed request to the next one', async () => {
  const { run, started, end } = startQueue({ atOnce: 1 })

  const failed = run('a', 'a1')
  void run('a', 'a2')
  await Promise.all([expect(failed).rejects.toThrow('broke'), end('a1', new Error('broke'))])

  expect(started).toEqual(['a1', 'a2'])
})

it('the queue refuses, with 503, only the owner that has too many waiting requests', async () => {
  const { run, started } = startQueue({ waitingOfOne: 1 })

  for (const name of ['a1', 'a2', 'a3']) void run('a', name)

  await expect(run('a', 'a4')).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/fewer at once/) })
  void run('b', 'b1')
  expect(started).toEqual(['a1', 'a2', 'b1'])
})

it('the queue refuses with 503 when too many requests wait altogether', async () => {
  const { run, started } = startQueue({ atOnce: 1, waiting: 2 })

  for (const owner of ['a', 'b', 'c']) void run(owner, owner)

  await expect(run('d', 'd')).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/Too many/) })
  expect(started).toEqual(['a'])
})

it('the queue lets an owner wait for its turn although a few others have filled the queue', async () => {
  const { run, started, end } = startQueue({ atOnce: 1, atOnceOfOne: 1, waitingOfOne: 10, waiting: 20 })
  for (let index = 0; index < 11; index++) void run('a', `a${index}`)
  for (let index = 0; index < 10; index++) void run('b', `b${index}`)

  const late = run('c', 'c')
  await expect(run('b', 'b10')).rejects.toMatchObject({ status: 503 })
  for (const name of ['a0', 'a1', 'b0', 'c']) await end(name)

  expect(await late).toBe('c')
  expect(started).toEqual(['a0', 'a1', 'b0', 'c', 'a2'])
})

it('the queue does not remember owners that it refused because too many requests of all owners were waiting', async () => {
  const { run, owners } = startQueue({ atOnce: 1, waiting: 1 })

  for (const owner of ['a', 'b']) void run(owner, owner)
  for (let index = 0; index < 20; index++) await expect(run(`c${index}`, 'c')).rejects.toMatchObject({ status: 503 })

  expect(owners()).toBe(2)
})

it('the queue refuses, with 503, a request that has waited too long, and continues with the others', async () => {
  const { run, started, end } = startQueue({ atOnce: 1, maxWaitMs: 5 })

  void run('a', 'a1')
  await expect(run('a', 'a2')).rejects.toMatchObject({ status: 503 })
  await end('a1')
  void run('a', 'a3')

  expect(started).toEqual(['a1', 'a3'])
})

it('the queue refuses waiting requests if no running request has ended for too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, started, end } = startQueue({ atOnce: 1, atOnceOfOne: 1, maxStallMs: 300 })

  for (const name of ['a1', 'a2', 'a3']) void run('a', name).catch(() => {})
  const last = run('b', 'b1').catch((error) => error.status)
  await vi.advanceTimersByTimeAsync(200)
  await end('a1')
  await vi.advanceTimersByTimeAsync(200)
  expect(started).toEqual(['a1', 'a2'])

  await vi.advanceTimersByTimeAsync(200)
  expect(await last).toBe(503)
})

it("the queue alternates between the parts of an owner, which share the owner's limit", async () => {
  const { run, started, end } = startQueue({ atOnce: 1, atOnceOfOne: 1 })
  const [first, second] = [
    { owner: 'a', part: 'a1' },
    { owner: 'a', part: 'a2' },
  ]

  for (const name of ['first 1', 'first 2', 'first 3']) void run(first, name)
  for (const name of ['second 1', 'second 2']) void run(second, name)
  for (const name of ['b 1', 'b 2']) void run('b', name)
  for (let ended = 0; ended < 6; ended++) await end(started[ended] as string)

  expect(started).toEqual(['first 1', 'first 2', 'b 1', 'second 1', 'b 2', 'first 3', 'second 2'])
})

it('the queue makes an owner wait for as long as its work took, and serves other owners meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, started, end } = startQueue({ atOnce: 1, atOnceOfOne: 1, restsAfterMs: 100 })

  for (const name of ['a1', 'a2']) void run('a', name)
  void run('b', 'b1')
  await vi.advanceTimersByTimeAsync(200)
  await end('a1')
  await end('b1')
  await vi.advanceTimersByTimeAsync(199)
  expect(started).toEqual(['a1', 'b1'])

  await vi.advanceTimersByTimeAsync(10)
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

it("the queue starts an owner's next request after its rest, even if the timer fires too early", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const queue = new FairQueue({ atOnce: 1, atOnceOfOne: 1, restsAfterMs: 0, restFactor: 200 })
    await queue.run('owner', async () => {
      for (const end = performance.now() + 1; performance.now() < end; );
    })
    let hasRun = false
    const next = queue.run('owner', async () => {
      hasRun = true
    })

    vi.advanceTimersByTime(10_000)
    expect(hasRun).toBe(false)
    while (!hasRun) {
      vi.advanceTimersByTime(10_000)
      await new Promise(setImmediate)
    }

    await next
  } finally {
    vi.useRealTimers()
  }
})
