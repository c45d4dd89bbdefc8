import { onTestFinished, vi } from 'vitest'
import { RateLimiter } from '../../src/fairness/rate-limiter.ts'

/** Lets all requests of the test count in one second of the process's rate limits, however long a busy machine takes. */
export function countInOneSecond(): void {
  const { take } = RateLimiter.prototype
  const spy = vi.spyOn(RateLimiter.prototype, 'take')
  spy.mockImplementation(function (this: RateLimiter, operation, ownerId, perSecond) {
    take.call(this, operation, ownerId, perSecond, 0)
  })
  onTestFinished(() => spy.mockRestore())
}
