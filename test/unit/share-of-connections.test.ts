import { expect, it } from 'vitest'
import { connectionsOf } from '../../src/connections.ts'

it.each([1, 2, 3, 4, 8, 16])(
  'each of %i API processes has a connection left for large data while all its queues are full',
  (processes) => {
    const { all, queued, lookups } = connectionsOf(processes)
    const evals = 1

    expect(all - queued - 2 * lookups - evals).toBeGreaterThanOrEqual(1)
  },
)

it('several API processes divide the connections that one process would have, but have at least 10 each', () => {
  expect([1, 2, 4].map((processes) => connectionsOf(processes).all)).toEqual([20, 10, 10])
})
