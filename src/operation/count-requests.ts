import type { EvalOutcome, Metrics } from '../metrics/metrics.ts'
import type { Observer } from './observation.ts'

/** Counts each request in the metrics. */
export function countRequests(metrics: Metrics): Observer {
  return ({ operation, kind, isWrite, api, organizationId, status, code, durationMs }) => {
    const seconds = durationMs / 1000
    metrics.operations.add(1, operation, api, isWrite ? 'write' : 'read', code ?? 'OK')
    metrics.operationDuration.observe(seconds, operation, api)
    // The evals of a bulk request that is answered are counted one by one, with their own outcomes.
    if (kind === 'bulk_eval' && status !== 200) metrics.countEval(toEvalOutcome(status), organizationId)
    if (kind !== 'eval') return
    metrics.evalDuration.observe(seconds)
    metrics.countEval(toEvalOutcome(status), organizationId)
  }
}

const outcomes: Readonly<Record<number, EvalOutcome>> = {
  304: 'not_modified',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'allotment_used',
  429: 'rate_limited',
}

function toEvalOutcome(status: number): EvalOutcome {
  if (status === 200) return 'granted'
  return outcomes[status] ?? (status < 500 ? 'invalid' : 'unavailable')
}
