import { DomainError } from '../core/errors.ts'
import { toDomainError } from '../database/outage.ts'
import { StatementTimes } from '../database/statement-times.ts'
import type { OpenSpan } from '../tracing/open-span.ts'
import { admitEval } from './eval.ts'
import { Replayed } from './idempotent-request.ts'
import type { Admission } from './kind.ts'
import { kindOf } from './kinds.ts'
import type { Observation } from './observation.ts'
import type { AnyOperation, ResultOf } from './operation.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'

/** A request whose caller is known and has the rights. Next, it runs, or its body is refused. */
export type Admitted<Result> = Pick<Admission, 'ownerId'> & {
  /** `readInput` runs once the request is recorded, and may refuse. */
  run(readInput: () => unknown): Promise<Result>
  /** Runs the operation and converts the result to a reply. Observers get the reply's status. */
  reply<Reply extends { status: number }>(
    readInput: () => unknown,
    toReply: (result: Result) => Promise<Reply>,
  ): Promise<Reply>
  /**
   * Records the refusal of a body (400, 413 or 415) before the operation runs. Throws if another error must be answered
   * instead.
   */
  refuse(refusal: DomainError): Promise<void>
}

/**
 * The only way to run an operation of any kind: authenticates the caller and checks their rights before the body is read, and
 * returns an object that runs the operation.
 */
export async function admit<Operation extends AnyOperation>(
  services: Services,
  operation: Operation,
  request: OperationRequest,
): Promise<Admitted<ResultOf<Operation>>> {
  const span = startSpan(operation, request)
  const times = operation.kind === 'eval' || operation.kind === 'follow' ? null : new StatementTimes(span)
  const observe = startObservation(services, operation, request, times, span)
  const admitOperation = () => kindOf(operation).admit(services, operation, request)
  try {
    services.assertCurrent()
    return observeAdmission(await (times ? times.run(admitOperation) : admitOperation()), observe, times)
  } catch (error) {
    observe(null, error)
    throw error
  }
}

/** Like `admit` for an eval, without waiting: the gate authenticates the caller in the statement that answers. */
export function admitEvalSync<Operation extends AnyOperation & { kind: 'eval' }>(
  services: Services,
  operation: Operation,
  request: OperationRequest,
): Admitted<ResultOf<Operation>> {
  const span = startSpan(operation, request)
  const observe = startObservation(services, operation, request, null, span)
  try {
    services.assertCurrent()
    return observeAdmission(admitEval(services, operation, request), observe)
  } catch (error) {
    observe(null, error)
    throw error
  }
}

type Observe = (organizationId: string | null, error?: unknown, status?: number) => void

function observeAdmission<Result>(
  admission: Admission,
  observe: Observe,
  times: StatementTimes | null = null,
): Admitted<Result> {
  const runAdmitted = (readInput: () => unknown) =>
    (times ? times.run(() => admission.run(readInput)) : admission.run(readInput)) as Promise<Result>
  const { ownerId } = admission
  return {
    ...(ownerId !== undefined && { ownerId }),
    async run(readInput) {
      try {
        const result = await runAdmitted(readInput)
        observe(admission.organizationId())
        return result
      } catch (error) {
        observe(admission.organizationId(), error)
        throw error
      }
    },
    async reply(readInput, toReply) {
      try {
        const reply = await toReply(await runAdmitted(readInput))
        observe(admission.organizationId(), undefined, reply.status)
        return reply
      } catch (error) {
        observe(admission.organizationId(), error)
        throw error
      }
    },
    async refuse(refusal) {
      try {
        await admission.refuse(refusal)
        observe(admission.organizationId(), refusal)
      } catch (error) {
        observe(admission.organizationId(), error)
        throw error
      }
    },
  }
}

/** Starts the operation's span, and makes it the request's span from here on. */
function startSpan({ name }: AnyOperation, request: OperationRequest): OpenSpan | null {
  if (!request.span) return null
  request.span = request.span.startChild(name, { 'entitlements.api': request.api })
  return request.span
}

function startObservation(
  { observe }: Services,
  operation: AnyOperation,
  { api, requestId }: OperationRequest,
  times: StatementTimes | null,
  span: OpenSpan | null,
): Observe {
  const startedAt = performance.now()
  const { name, kind } = operation
  const { isWrite } = kindOf(operation)
  return (organizationId, error, status) => {
    const durationMs = performance.now() - startedAt
    const common: Omit<Observation, 'status' | 'code'> = {
      operation: name,
      kind,
      isWrite,
      api,
      requestId,
      organizationId,
      durationMs,
      ...(times && { statements: times.end() }),
      ...(span && { traceId: span.traceId }),
    }
    const outcome = toOutcome(operation, error, status)
    if (span) endSpan(span, organizationId, outcome)
    observe({ ...common, ...outcome })
  }
}

type Outcome = Pick<Observation, 'status' | 'code' | 'error'>

function toOutcome(operation: AnyOperation, error: unknown, status?: number): Outcome {
  if (error instanceof Replayed) return { status: error.storedAnswer.status, code: error.code }
  if (error !== undefined) return toFailure(error)
  return { status: status ?? ('status' in operation ? operation.status : 200), code: null }
}

function endSpan(span: OpenSpan, organizationId: string | null, { status, code }: Outcome): void {
  const attributes = {
    'entitlements.code': code ?? 'OK',
    ...(organizationId !== null && { 'entitlements.organization_id': organizationId }),
  }
  span.end(attributes, code === null ? null : { code, isFault: status >= 500 })
}

function toFailure(error: unknown): Outcome {
  const { status, code } = error instanceof DomainError ? error : toDomainError(error)
  return { status, code, error }
}
