import type { Actor } from '../access/actor.ts'
import { FromElsewhere } from '../access/allowed-networks.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { DomainError, forbidden } from '../core/errors.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'
import type { MemberFacts, PathOf } from './facts.ts'
import type { Admission, Kind } from './kind.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'

export type Eval<Route extends string, T, Result> = MemberFacts<Route, T> & {
  kind: 'eval'
  run(context: { gate: Gate; caller: EvalCaller; path: PathOf<Route>; input: T }): Promise<Result>
}

export function defineEval<const Route extends string, T, Result>(
  operation: Omit<Eval<Route, T, Result>, 'kind'>,
): Eval<Route, T, Result> {
  return { kind: 'eval', ...operation }
}

type AnyEval = Eval<string, unknown, unknown>

export const evaluation: Kind<AnyEval> = { isWrite: false, isRecorded: () => false, admit: admitEval }

/**
 * The gate authenticates the key of an eval, in the statement that counts it. If this process does not know the key, or the
 * request is refused before that, the key is looked up first: 401 and 403 take precedence over everything else.
 */
export function admitEval(services: Services, operation: AnyEval, { callers, path }: OperationRequest): Admission {
  const { caller, member } = callers.evaluator()
  if (member) assertMayEvaluate(operation, member)
  const assertKnown = async () => assertMayEvaluate(operation, member ?? (await callers.member()))
  return {
    organizationId: () =>
      member?.organizationId ?? (caller.keyHash === undefined ? null : services.gate.organizationOf(caller.keyHash)),
    async run(readInput) {
      // A stranger's key is not looked up in the statement that known callers share.
      if (!member && caller.keyHash !== undefined && !services.lookups.knows(caller.keyHash)) await assertKnown()
      try {
        return await run(services, operation, { caller, path }, readInput)
      } catch (error) {
        const isBeforeGate = error instanceof DomainError && error.status === 422
        if (isBeforeGate) await assertKnown()
        throw error
      }
    },
    refuse: assertKnown,
  }
}

function assertMayEvaluate({ labels }: AnyEval, { role }: Actor): void {
  if (!hasAnyLabel(role, labels)) throw forbidden(labels)
}

async function run(
  { gate, lastUses, lookups }: Services,
  operation: AnyEval,
  { caller, path }: { caller: EvalCaller; path: Record<string, string> },
  readInput: () => unknown,
): Promise<unknown> {
  const { keyHash } = caller
  const input = operation.input.parse(readInput())
  try {
    const result = await operation.run({ gate, caller, path, input })
    if (keyHash !== undefined) lastUses.key(keyHash)
    return result
  } catch (error) {
    const hasEnded = error instanceof DomainError && error.status === 401 && !(error instanceof FromElsewhere)
    if (keyHash !== undefined && hasEnded) lookups.forget(keyHash)
    throw error
  }
}
