import type { Actor } from '../access/actor.ts'
import { AddressNotAllowed } from '../access/allowed-networks.ts'
import { hasAnyLabel } from '../access/roles.ts'
import type { TokenSubject } from '../access/subscriber-token.ts'
import type { ChangeFeed } from '../changes/feed.ts'
import { DomainError, type ForeignCode, forbidden } from '../core/errors.ts'
import type { EvalCaller, Gate } from '../gate/gate.ts'
import type { OpenSpan } from '../tracing/open-span.ts'
import type { MemberDefinition, PathOf } from './definition.ts'
import type { Admission, Kind } from './kind.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'
import { assertTokenSubject, consumeRateLimit } from './token-subject.ts'

export type Eval<Route extends string, T, Result> = MemberDefinition<Route, T> & {
  kind: 'eval'
  /** Whether the answer has an ETag, so that callers can ask whether the answer has changed. */
  hasEtag?: true
  /**
   * The refusals of another protocol, such as OFREP, if callers of the operation use it; by the code of the refusal that each
   * one replaces.
   */
  refusesAs?: ReadonlyMap<string, ForeignCode>
  run(context: { gate: Gate; changes: ChangeFeed; caller: EvalCaller; path: PathOf<Route>; input: T }): Promise<Result>
}

export function defineEval<const Route extends string, T, Result>(
  operation: Omit<Eval<Route, T, Result>, 'kind'>,
): Eval<Route, T, Result> {
  return { kind: 'eval', ...operation }
}

type AnyEval = Eval<string, unknown, unknown>

export const evaluation: Kind<AnyEval> = {
  isWrite: false,
  isRecorded: () => false,
  async admit(services, operation, request) {
    const tokenSubject = await request.callers.tokenSubject()
    return tokenSubject
      ? admitTokenSubject(services, operation, request, tokenSubject)
      : admitEval(services, operation, request)
  },
}

/**
 * The gate authenticates the key of an eval, in the statement that counts it. If this process does not know the key, or the
 * request is refused before that, the key is looked up first: 401 and 403 take precedence over everything else.
 */
export function admitEval(services: Services, operation: AnyEval, request: OperationRequest): Admission {
  const { callers, path, span } = request
  const { caller, member } = callers.evaluator()
  if (member) assertMayEvaluate(operation, member)
  const assertKnown = async () => assertMayEvaluate(operation, member ?? (await callers.member()))
  const { changes, lastUses, lookups } = services
  const gate = span ? traceGate(services.gate, span) : services.gate
  const { keyHash } = caller
  return {
    organizationId: () => member?.organizationId ?? (keyHash === undefined ? null : gate.organizationOf(keyHash)),
    async run(readInput) {
      // An anonymous client's key is not looked up in the statement that known callers share.
      if (!member && keyHash !== undefined && !lookups.hasSeen(keyHash)) await assertKnown()
      const input = await parse(operation, readInput, assertKnown)
      try {
        const result = await operation.run({ gate, changes, caller, path, input })
        if (keyHash !== undefined) lastUses.key(keyHash)
        return result
      } catch (error) {
        const hasEnded = error instanceof DomainError && error.status === 401 && !(error instanceof AddressNotAllowed)
        if (keyHash !== undefined && hasEnded) lookups.forget(keyHash)
        throw error
      }
    },
    refuse: assertKnown,
  }
}

/** Like `admitEval`, for a subscriber's token whose signature has been verified; the gate looks up whether it has ended. */
function admitTokenSubject(
  services: Services,
  operation: AnyEval,
  { path, span }: OperationRequest,
  tokenSubject: TokenSubject,
): Admission {
  const { changes } = services
  const gate = span ? traceGate(services.gate, span) : services.gate
  const assertKnown = async () => void (await assertTokenSubject(services, operation, tokenSubject))
  return {
    organizationId: () => tokenSubject.organizationId,
    async run(readInput) {
      const input = await parse(operation, readInput, assertKnown)
      consumeRateLimit(services, tokenSubject)
      return operation.run({ gate, changes, caller: { tokenSubject }, path, input })
    },
    refuse: assertKnown,
  }
}

/** Adds the eval's span to its request, so that the statement's span is linked to it. */
function traceGate(gate: Gate, span: OpenSpan): Gate {
  return { ...gate, evaluate: (request) => gate.evaluate({ ...request, span }) }
}

/** Parses the input. If it is invalid and the caller may not evaluate, throws the 401 or 403 instead. */
async function parse({ input }: AnyEval, readInput: () => unknown, assertKnown: () => Promise<void>): Promise<unknown> {
  try {
    return input.parse(readInput())
  } catch (error) {
    await assertKnown()
    throw error
  }
}

function assertMayEvaluate({ labels }: AnyEval, { role }: Actor): void {
  if (!hasAnyLabel(role, labels)) throw forbidden(labels)
}
