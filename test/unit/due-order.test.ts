import { expect, it } from 'vitest'
import { mergeByDueTime } from '../../worker/due-order.ts'

const eventAt = (id: string, second: number) => ({ id, due_at: new Date(second * 1000) })
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id).join('')

it('retries and first attempts are merged by due time', () => {
  const first = [eventAt('a', 1), eventAt('b', 3), eventAt('c', 5)]
  const later = [eventAt('x', 0), eventAt('y', 4), eventAt('z', 9)]

  expect(idsOf(mergeByDueTime(first, later))).toBe('xabycz')
})

it('a first attempt comes before a retry that is due at the same moment', () => {
  expect(idsOf(mergeByDueTime([eventAt('a', 1)], [eventAt('x', 1)]))).toBe('ax')
})

it('first attempts keep their own order, and so do retries, after the clock stepped back', () => {
  const first = [eventAt('a', 3600), eventAt('b', 1)]
  const later = [eventAt('x', 1800), eventAt('y', 1801)]

  expect(idsOf(mergeByDueTime(first, later))).toBe('xyab')
})

it('a list of first attempts or of retries stays unchanged if the other list is empty', () => {
  expect(idsOf(mergeByDueTime([eventAt('b', 2), eventAt('a', 1)], []))).toBe('ba')
  expect(idsOf(mergeByDueTime([], [eventAt('x', 2), eventAt('y', 1)]))).toBe('xy')
})
