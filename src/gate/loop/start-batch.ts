import type { OpenSpan } from '../../tracing/open-span.ts'
import { postgresAttributes } from '../../tracing/start-statement.ts'
import type { WaitingEval } from './batch-loop.ts'

/** Starts a span for the statement that these evals share, linked to the evals' own spans; null if no eval has a span. */
export function startBatchSpan(batch: readonly WaitingEval[]): OpenSpan | null {
  const spans = batch.flatMap(({ request }) => request.span ?? [])
  const attributes = { ...postgresAttributes, 'db.query.summary': 'eval-gate', 'db.operation.batch.size': batch.length }
  return spans[0]?.startSharedCall(spans, 'eval-gate', attributes) ?? null
}
