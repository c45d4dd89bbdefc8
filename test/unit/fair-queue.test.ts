import { expect, it, onTestFinished, vi } from 'vitest'
import { FairQueue } from '../../src/core/fair-queue.ts'

/** Work that ends on request, and the names of the started work, in order. */
function scene(limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue({
    atOnce: 3,
    atOnceOfOne: 2,
    waitingOfOne: 10,
    waiting: 20,
    maxWaitMs: 60_000,
    maxStallMs: 60_000,
    ...limits,
  })
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const run = (owner: string, name: string) => {
    const work = queue.run(owner, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      })
    })
    // What a test leaves waiting is refused a minute later.
    work.catch(() => {})
    return work
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { run, begun, end }
}

it('the queue runs a few of one owner at a time, in order of arrival', async () => {
  const { run, begun, end } = scene()

  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name))
  expect(begun).toEqual(['a1', 'a2'])
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  for (const name of ['a1', 'a3', 'a4']) await end(name)

  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4'])
})

it('the queue keeps a place for others, however many requests one owner sends', async () => {
  const { run, begun } = scene()

  for (let index = 0; index < 9; index++) void run('a', `a${index}`)
  void run('b', 'b')

  expect(begun).toEqual(['a0', 'a1', 'b'])
})

it('the queue serves waiting owners in turn', async () => {
  const { run, begun, end } = scene({ atOnce: 1, atOnceOfOne: 1 })

  for (const name of ['a1', 'a2', 'a3']) void run('a', name)
  for (const name of ['b1', 'b2']) void run('b', name)
  for (const name of ['a1', 'a2', 'b1', 'b2']) await end(name)
  await end('a3')

  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

it('the queue gives the place of failed work to the next', async () => {
  const { run, begun, end } = scene({ atOnce: 1 })

  const failed = run('a', 'a1')
  void run('a', 'a2')
  await Promise.all([expect(failed).rejects.toThrow('broke'), end('a1', new Error('broke'))])

  expect(begun).toEqual(['a1', 'a2'])
})

it('the queue refuses with 503 an owner with too many waiting, and only that owner', async () => {
  const { run, begun } = scene({ waitingOfOne: 1 })

  for (const name of ['a1', 'a2', 'a3']) void run('a', name)

  await expect(run('a', 'a4')).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/fewer at once/) })
  void run('b', 'b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
})

it('the queue refuses with 503 when too many wait altogether', async () => {
  const { run, begun } = scene({ atOnce: 1, waiting: 2 })

  for (const owner of ['a', 'b', 'c']) void run(owner, owner)

  await expect(run('d', 'd')).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/Too many/) })
  expect(begun).toEqual(['a'])
})

it('the queue refuses with 503 work that has waited too long, and continues with the rest', async () => {
  const { run, begun, end } = scene({ atOnce: 1, maxWaitMs: 5 })

  void run('a', 'a1')
  await expect(run('a', 'a2')).rejects.toMatchObject({ status: 503 })
  await end('a1')
  void run('a', 'a3')

  expect(begun).toEqual(['a1', 'a3'])
})

it('the queue refuses waiting work if nothing ends, and keeps it waiting while something does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, begun, end } = scene({ atOnce: 1, atOnceOfOne: 1, maxStallMs: 300 })

  for (const name of ['a1', 'a2', 'a3']) void run('a', name).catch(() => {})
  const last = run('b', 'b1').catch((error) => error.status)
  await vi.advanceTimersByTimeAsync(200)
  await end('a1')
  await vi.advanceTimersByTimeAsync(200)
  expect(begun).toEqual(['a1', 'a2'])

  await vi.advanceTimersByTimeAsync(200)
  expect(await last).toBe(503)
})
