import type { Logger } from 'pino'
import { type DomainError, Overloaded } from '../core/errors.ts'

/** Logs requests that failed because of the service. */
export type FailureLog = {
  /** One line for each cause and request, however many fields of the request failed because of it. */
  log(failure: DomainError, requestId: string): void
}

export function createFailureLog(logger: Logger): FailureLog {
  const requestsByCause = new WeakMap<object, Set<string>>()

  function isNew(cause: unknown, requestId: string): boolean {
    if (typeof cause !== 'object' || cause === null) return true
    const requests = requestsByCause.get(cause) ?? new Set()
    if (requests.has(requestId)) return false
    requestsByCause.set(cause, requests.add(requestId))
    return true
  }

  return {
    log(failure, requestId) {
      // A limit that protects the process logs its own line; its refusals are not logged.
      if (failure.status < 500 || failure instanceof Overloaded) return
      const cause = failure.cause ?? failure
      if (isNew(cause, requestId)) logger.error({ err: cause, requestId }, failure.message)
    },
  }
}
