import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AnonymousQueue } from '../../src/fairness/anonymous-queue.ts'

it('the anonymous queue starts a request at once if none waits, but at most four in one turn of the event loop', async () => {
  const queue = new AnonymousQueue()
  let started = 0
  for (let n = 0; n < 100; n++) queue.add('a', () => void started++, { atOnce: true })

  expect(started).toBe(4)
  await turn()
  expect(started).toBe(8)
})

it('the anonymous queue alternates between addresses', async () => {
  const queue = new AnonymousQueue()
  const started: string[] = []
  const add = (address: string) => queue.add(address, () => void started.push(address), { atOnce: false })
  for (let n = 0; n < 10; n++) add('a')
  add('b')
  add('c')

  await turn()
  expect(started).toEqual(['a', 'b', 'c', 'a'])
  await turn()
  await turn()
  expect(started).toHaveLength(12)
})

it('the anonymous queue is full for an address with a thousand waiting requests, but not for other addresses', () => {
  const queue = new AnonymousQueue()
  const add = (address: string) => queue.add(address, () => {}, { atOnce: false })

  expect(Array.from({ length: 1_001 }, () => add('a')).indexOf(false)).toBe(1_000)
  expect(add('b')).toBe(true)
})

it('the anonymous queue accepts requests of further addresses, although a few addresses have filled it', () => {
  const queue = new AnonymousQueue()
  const add = (address: string) => queue.add(address, () => {}, { atOnce: false })
  const addMany = (address: string, count: number) => Array.from({ length: count }, () => add(address))
  for (const address of ['a', 'b', 'c', 'd']) addMany(address, 1_000)

  expect(addMany('e', 1_000).indexOf(false)).toBe(800)
  expect(add('a')).toBe(false)
  expect(Array.from({ length: 5_000 }, (_, n) => add(`f${n}`)).indexOf(false)).toBe(3_995)
})
