import type { Logger } from 'pino'
import { toDomainError } from '../database/outage.ts'
import type { FailureLog } from '../http/failure-log.ts'
import type { KindName } from './definition.ts'
import type { Observation, Observer } from './observation.ts'

type RequestLogOptions = {
  logger: Logger
  failures: FailureLog
  /** A request that takes longer gets a log line with the times of its statements. */
  slowRequestMs: number
}

/** Kinds of operations whose requests last as long as the client keeps them open. */
const clientPacedKinds: readonly KindName[] = ['follow', 'bulk_write']

/** Logs refusals and failures, slow requests, and at level `debug` every request. */
export function logRequests({ logger, failures, slowRequestMs }: RequestLogOptions): Observer {
  const logsAll = logger.isLevelEnabled('debug')
  return (observation) => {
    const { code, status, durationMs, kind } = observation
    // A 503 is not also logged as slow, because the line about the refusal has the reason.
    const isSlow = durationMs >= slowRequestMs && !clientPacedKinds.includes(kind) && status !== 503
    if (code === null && !isSlow && !logsAll) return
    const fields = toFields(observation)
    if (logsAll) logger.debug(fields, 'a request')
    if (code !== null) logRefusal(observation, fields)
    if (isSlow) logger.warn({ ...fields, statements: observation.statements ?? [] }, 'a slow request')
  }

  function logRefusal({ error, status, requestId }: Observation, fields: object): void {
    if (status >= 500) failures.log(toDomainError(error), requestId, fields)
    else logger.warn(fields, 'a request was refused')
  }
}

function toFields({ operation, api, organizationId, code, status, durationMs, requestId, traceId }: Observation) {
  const request = { operation, api, organizationId, code, status, durationMs: Math.round(durationMs), requestId }
  return traceId === undefined ? request : { ...request, trace_id: traceId }
}
