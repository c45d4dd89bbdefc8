import { expect, it } from 'vitest'
import { mergeByDue } from '../../worker/due-order.ts'

const at = (id: string, second: number) => ({ id, due_at: new Date(second * 1000) })
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id).join('')

it('retries and first attempts are merged by due time', () => {
  const first = [at('a', 1), at('b', 3), at('c', 5)]
  const later = [at('x', 0), at('y', 4), at('z', 9)]

  expect(idsOf(mergeByDue(first, later))).toBe('xabycz')
})

it('a first attempt comes before a retry that was due at the same moment', () => {
  expect(idsOf(mergeByDue([at('a', 1)], [at('x', 1)]))).toBe('ax')
})

it('first attempts, and retries, keep their order after the clock stepped back', () => {
  const first = [at('a', 3600), at('b', 1)]
  const later = [at('x', 1800), at('y', 1801)]

  expect(idsOf(mergeByDue(first, later))).toBe('xyab')
})

it('either list stays unchanged if the other is empty', () => {
  expect(idsOf(mergeByDue([at('b', 2), at('a', 1)], []))).toBe('ba')
  expect(idsOf(mergeByDue([], [at('x', 2), at('y', 1)]))).toBe('xy')
})
