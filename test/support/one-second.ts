import { onTestFinished, vi } from 'vitest'
import { RateLimiter } from '../../src/fairness/rate-limiter.ts'

/**
 * Makes the process's rate limits count all requests of the test in the same second, however long a busy machine takes. The
 * returned function ends this before the test ends.
 */
export function countRequestsInOneSecond(): () => void {
  const { take } = RateLimiter.prototype
  const spy = vi.spyOn(RateLimiter.prototype, 'take')
  spy.mockImplementation(function (this: RateLimiter, operation, ownerId, perSecond) {
    take.call(this, operation, ownerId, perSecond, 0)
  })
  onTestFinished(() => spy.mockRestore())
  return () => spy.mockRestore()
}
