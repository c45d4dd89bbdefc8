import { toDomainError } from '../database/outage.ts'
import type { FailureLog } from '../http/failure-log.ts'
import type { AnyOperation } from './operation.ts'

/** The way a request came in. */
export type Door = 'rest' | 'graphql'

/** One request for an operation, once it is over: run, refused or failed. */
export type Observation = {
  operation: string
  kind: AnyOperation['kind']
  door: Door
  requestId: string
  /** Null where no organization is concerned, or the caller is not known. */
  organizationId: string | null
  /** Of the answer at the REST door. */
  status: number
  /** Of the error contract; null on success. */
  code: string | null
  /** From the moment when the operation was asked for, without the time that the body took to arrive at REST. */
  durationMs: number
  /** What was thrown, as it was; absent on success. */
  error?: unknown
}

/** Is called for every request, the evals included: it must neither wait nor throw. */
export type Observer = (observation: Observation) => void

/** Writes the log line of a request that failed on our side. */
export function logFailures(failures: FailureLog): Observer {
  return ({ status, error, requestId }) => {
    if (status >= 500) failures.log(toDomainError(error), requestId)
  }
}

/** One observer that notifies all of these; those that are absent are left out. */
export function notifyAll(...observers: (Observer | undefined)[]): Observer {
  const present = observers.filter((observer) => observer !== undefined)
  const [only] = present
  if (only && present.length === 1) return only
  return (observation) => {
    for (const observer of present) observer(observation)
  }
}
