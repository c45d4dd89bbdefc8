import type { StatementTime } from '../database/statement-times.ts'
import type { KindName } from './definition.ts'

/** The API through which a request came. */
export type Api = 'rest' | 'graphql'

/** A finished request for an operation: run, refused or failed. */
export type Observation = {
  operation: string
  kind: KindName
  /** Whether a request of this kind may change something. */
  isWrite: boolean
  api: Api
  requestId: string
  /** Null if the request concerns no organization, or the caller is not known. */
  organizationId: string | null
  /**
   * The status of the answer in the REST API. If OFREP answers with a status of its own, this is the status of the refusal that
   * it replaces.
   */
  status: number
  /** The code of the error contract; null on success. */
  code: string | null
  /** Measured from the call of the operation, without the time that the body of a REST request took to arrive. */
  durationMs: number
  /** The thrown error itself; absent on success. */
  error?: unknown
  /** Absent unless the request's trace is recorded. */
  traceId?: string
  /** The statements that the request sent; absent for an eval, which shares its statements with others. */
  statements?: readonly StatementTime[]
}

/** Called for every request, including evals: it must neither wait nor throw. */
export type Observer = (observation: Observation) => void

/** Combines observers into one; absent ones are skipped. */
export function notifyAll(...observers: (Observer | undefined)[]): Observer {
  const present = observers.filter((observer) => observer !== undefined)
  const [only] = present
  if (only && present.length === 1) return only
  return (observation) => {
    for (const observer of present) observer(observation)
  }
}
