import { fairQueueKey } from '../access/actor.ts'
import { unauthorized } from '../core/errors.ts'
import type { Share } from '../fairness/fair-queue.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'
import { admitMember, type MemberCall } from './admit-member.ts'
import type { Answers, MemberDefinition } from './definition.ts'
import type { Kind } from './kind.ts'
import type { Limits } from './limits.ts'
import type { Services } from './services.ts'

type BulkEvalCall<T> = {
  gate: Gate
  /** The caller for the gate: the request's API key and its network address. */
  caller: EvalCaller
  organizationId: string
  /** The request uses this owner's share of the process. */
  share: Share
  api: MemberCall['api']
  input: T
  limits: Limits
  /** Counts the answered evals in the metrics. */
  answered(evals: number): void
}

/** Many evals in one request, which must have a key. */
export type BulkEval<Route extends string, T, Result> = MemberDefinition<Route, T> &
  Answers<Result> & { kind: 'bulk_eval'; run(call: BulkEvalCall<T>): Promise<Result> }

export function defineBulkEval<const Route extends string, T, Result>(
  operation: Omit<BulkEval<Route, T, Result>, 'kind' | 'method' | 'service'>,
): BulkEval<Route, T, Result> {
  return { kind: 'bulk_eval', method: 'POST', service: 'api', ...operation }
}

type AnyBulkEval = BulkEval<string, unknown, unknown>

export const bulkEvaluation: Kind<AnyBulkEval> = {
  isWrite: false,
  isRecorded: () => false,
  admit: (services, operation, request) =>
    admitMember(services, { operation, isRecorded: false }, request, (call, readInput) =>
      run(services, operation, call, readInput),
    ),
}

function run(
  { gate, keyOrigins, limits, metrics }: Services,
  operation: AnyBulkEval,
  { api, actor, origin }: MemberCall,
  readInput: () => unknown,
): Promise<unknown> {
  const { organizationId } = actor
  if (actor.authType !== 'member_apikey') {
    throw unauthorized('Only an API key can read many snapshots at once. Send one in the X-API-Key header.')
  }
  return operation.run({
    gate,
    caller: { keyHash: actor.credentialHash, from: { keyAddress: keyOrigins.addressOf(origin.ip) } },
    organizationId,
    share: fairQueueKey(actor),
    api,
    input: operation.input.parse(readInput()),
    limits,
    answered: (evals) => metrics.countEval('granted', organizationId, evals),
  })
}
