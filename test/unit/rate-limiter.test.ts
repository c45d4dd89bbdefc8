import { expect, it } from 'vitest'
import { RateLimiter } from '../../src/fairness/rate-limiter.ts'

it('a rate limit admits its number of requests from each organization in each second', () => {
  const rates = new RateLimiter()
  const take = (organization: string, nowMs: number) => () => rates.take('explanation', organization, 2, nowMs)

  take('a', 1_000)()
  take('a', 1_999)()

  expect(take('a', 1_999)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  expect(take('b', 1_999)).not.toThrow()
  expect(take('a', 2_000)).not.toThrow()
})
