import { expect, it } from 'vitest'
import { memoizeAsync } from '../../src/core/memoize-async.ts'

it('a memoized promise is shared by all callers, and created again after a failure', async () => {
  let times = 0
  const make = memoizeAsync(async () => {
    times += 1
    if (times === 1) throw new Error('no memory')
    return times
  })

  const first = await Promise.allSettled([make(), make()])
  const later = await Promise.all([make(), make(), make()])

  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(later).toEqual([2, 2, 2])
})
