import type { Logger } from 'pino'
import { type DomainError, Overloaded } from '../core/errors.ts'

/** Logs requests that failed because of the service. */
export type FailureLog = {
  /** Logs one line for each cause and request, however many fields of the request failed because of it. */
  log(failure: DomainError, requestId: string, request?: object): void
}

/** `onOverloaded` is called once for each request that is refused to protect the process. */
export function createFailureLog(logger: Logger, onOverloaded?: (reason: Overloaded['reason']) => void): FailureLog {
  const requestsByCause = new WeakMap<object, Set<string>>()

  function isNew(cause: unknown, requestId: string): boolean {
    if (typeof cause !== 'object' || cause === null) return true
    const requests = requestsByCause.get(cause) ?? new Set()
    if (requests.has(requestId)) return false
    requestsByCause.set(cause, requests.add(requestId))
    return true
  }

  return {
    log(failure, requestId, request = {}) {
      const cause = failure.cause ?? failure
      if (failure.status < 500 || !isNew(cause, requestId)) return
      if (failure instanceof Overloaded) {
        onOverloaded?.(failure.reason)
        const { reason, status } = failure
        logger.warn({ ...request, requestId, reason, status }, 'a request was refused to protect the process')
      } else {
        logger.error({ err: cause, ...request, requestId }, 'a request failed')
      }
    },
  }
}
