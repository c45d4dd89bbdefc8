import { describe, expect, it } from 'vitest'
import { batchLength } from '../../src/gate/loop/batch-length.ts'

const evals = (count: number, features: string[] | null, subscriberId = 'acme') =>
  Array.from({ length: count }, () => ({ request: { subscriberId, features } }))

describe('one statement of the gate', () => {
  it('takes as many small evals as allowed', () => {
    expect(batchLength(evals(700, ['seats']), 500)).toBe(500)
    expect(batchLength(evals(3, ['seats']), 500)).toBe(3)
    expect(batchLength([], 500)).toBe(0)
  })

  it('takes fewer evals if they read much data', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `feature-${index}`)

    expect(batchLength(evals(500, hundred), 500)).toBe(61)
    expect(batchLength(evals(500, null), 500)).toBe(127)
    expect(batchLength(evals(500, ['seats'], 'x'.repeat(1000)), 500)).toBe(123)
  })

  it('takes at least one eval, however much it reads', () => {
    expect(
      batchLength(
        evals(
          2,
          Array.from({ length: 50_000 }, () => 'seats'),
        ),
        500,
      ),
    ).toBe(1)
  })
})
