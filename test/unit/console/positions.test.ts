import { expect, it } from 'vitest'
import { sortByPosition } from '../../../src/console/components/order/by-position.ts'
import { type Positioned, positionsAfterMove } from '../../../src/console/pages/plans/order/positions-after-move.ts'

const list = (positions: Record<string, number | null>): Positioned[] =>
  Object.entries(positions).map(([key, position]) => ({ key, position }))

/** Moves an object; returns the keys in their new order, and the positions that were written. */
function moved(before: Positioned[], key: string, side: 'before' | 'after', neighbor: string) {
  const written = positionsAfterMove(before, key, side, neighbor)
  const after = sortByPosition(before.map((each) => ({ ...each, position: written.get(each.key) ?? each.position })))
  return { order: after.map(({ key }) => key).join(''), written: Object.fromEntries(written) }
}

it('objects are sorted by position, and objects without a position come last, in their original order', () => {
  const items = list({ a: null, b: 2, c: null, d: -1, e: 2 })
  expect(sortByPosition(items).map(({ key }) => key)).toEqual(['d', 'b', 'e', 'a', 'c'])
})

it('a move writes only the position of the moved object if a number fits between its neighbors', () => {
  const three = list({ a: 1, b: 2, c: 3 })
  expect(moved(three, 'c', 'before', 'b')).toEqual({ order: 'acb', written: { c: 1.5 } })
  expect(moved(three, 'c', 'before', 'a')).toEqual({ order: 'cab', written: { c: 0 } })
  expect(moved(three, 'a', 'after', 'c')).toEqual({ order: 'bca', written: { a: 4 } })
  expect(moved(list({ a: 1, b: null, c: null }), 'c', 'after', 'a')).toEqual({ order: 'acb', written: { c: 2 } })
  expect(moved(list({ a: null, b: null }), 'b', 'before', 'a')).toEqual({ order: 'ba', written: { b: 1 } })
})

it('a move also gives a position to each object before the moved one that has none', () => {
  const none = list({ a: null, b: null, c: null, d: null })
  expect(moved(none, 'a', 'after', 'b')).toEqual({ order: 'bacd', written: { b: 1, a: 2 } })
  expect(moved(none, 'd', 'before', 'c')).toEqual({ order: 'abdc', written: { a: 1, b: 2, d: 3 } })
})

it('a move renumbers all objects that have a position if no number fits between two of them', () => {
  const close = list({ a: 1, b: 1 + Number.EPSILON, c: 7, d: null })
  expect(moved(close, 'c', 'before', 'b').order).toBe('acbd')
  const equal = list({ a: 5, b: 5, c: 5 })
  expect(moved(equal, 'c', 'before', 'b')).toEqual({ order: 'acb', written: { a: 1, c: 2, b: 3 } })
  const huge = list({ a: -Number.MAX_VALUE, b: Number.MAX_VALUE })
  expect(moved(huge, 'b', 'before', 'a').order).toBe('ba')
})
