import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AnonymousQueue } from '../../src/fairness/anonymous-queue.ts'

it('starts work at once if nobody waits, but only a few in one turn of the event loop', async () => {
  const queue = new AnonymousQueue()
  let begun = 0
  for (let n = 0; n < 100; n++) queue.add('a', () => void begun++, { atOnce: true })

  expect(begun).toBe(4)
  await turn()
  expect(begun).toBe(8)
})

it('alternates between addresses', async () => {
  const queue = new AnonymousQueue()
  const begun: string[] = []
  const add = (address: string) => queue.add(address, () => void begun.push(address), { atOnce: false })
  for (let n = 0; n < 10; n++) add('a')
  add('b')
  add('c')

  await turn()
  expect(begun).toEqual(['a', 'b', 'c', 'a'])
  await turn()
  await turn()
  expect(begun).toHaveLength(12)
})

it('is full at a thousand waiting requests of one address, while others can still wait in it', () => {
  const queue = new AnonymousQueue()
  const add = (address: string) => queue.add(address, () => {}, { atOnce: false })

  expect(Array.from({ length: 1_001 }, () => add('a')).indexOf(false)).toBe(1_000)
  expect(add('b')).toBe(true)
})
