import { type Actor, shareOf, type UserActor } from '../access/actor.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { DomainError, forbidden } from '../core/errors.ts'
import type { Subject } from '../recording/entry.ts'
import { recordRejected } from '../recording/insert-entry.ts'
import { isRecorded } from './is-recorded.ts'
import type { AnyOperation, Eval, MemberOperation, OpenRead, SignIn, UserRead, UserWrite } from './operation.ts'
import type { OperationRequest } from './request.ts'
import { runBulkWrite } from './run-bulk-write.ts'
import { runEval, runOpenRead, runRead, runSignIn, runUserRead, runUserWrite, runWrite } from './run-by-kind.ts'
import type { Services } from './services.ts'

/** A caller who may run the operation. */
export type Admission = {
  /** Null if no organization is concerned, or it is not known yet. */
  organizationId(): string | null
  run(readInput: () => unknown, selection?: object): Promise<unknown>
  refuse(refusal: DomainError): Promise<void>
}

/** Authenticates the caller and checks their rights. Everything that differs by kind is here and in run-by-kind.ts. */
export async function admitByKind(
  services: Services,
  operation: AnyOperation,
  request: OperationRequest,
): Promise<Admission> {
  switch (operation.kind) {
    case 'read':
    case 'write':
    case 'bulk_write':
      return admitMember(services, operation, request, await request.callers.member())
    case 'eval':
      return admitEval(services, operation, request)
    case 'user_read':
    case 'user_write':
      return admitPerson(services, operation, request, await request.callers.person())
    case 'sign_in':
      return admitStranger(services, operation, request)
    case 'open_read':
      return admitAnyone(services, operation, request)
  }
}

/** 403 when the role carries none of the labels; a refused write is recorded in the audit log. */
async function admitMember(
  services: Services,
  operation: Exclude<MemberOperation, { kind: 'eval' }>,
  request: OperationRequest,
  actor: Actor,
): Promise<Admission> {
  const { origin, path } = request
  const call = { actor, origin, path }
  const refuse = async (refusal: DomainError) => {
    if (isRecorded(operation)) await recordRefusal(services, { operation, ...call }, refusal)
  }
  if (!hasAnyLabel(actor.role, operation.labels)) {
    const refusal = forbidden(operation.labels)
    await refuse(refusal)
    throw refusal
  }
  return {
    organizationId: () => actor.organizationId,
    run(readInput, selection) {
      if (operation.kind === 'read') return runRead(services, operation, call, readInput, selection)
      if (operation.kind === 'bulk_write') return runBulkWrite(services, operation, call, readInput)
      return runWrite(services, operation, call, readInput)
    },
    refuse,
  }
}

/**
 * The gate authenticates the key of an eval, in the statement that counts it. If this process does not know the key, or the
 * request is refused before that, the key is looked up first: 401 and 403 take precedence over everything else.
 */
export function admitEval(
  services: Services,
  operation: Eval<string, unknown, unknown>,
  { callers, path }: OperationRequest,
): Admission {
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
        return await runEval(services, operation, { caller, path }, readInput)
      } catch (error) {
        const isBeforeGate = error instanceof DomainError && error.status === 422
        if (isBeforeGate) await assertKnown()
        throw error
      }
    },
    refuse: assertKnown,
  }
}

function assertMayEvaluate({ labels }: Eval<string, unknown, unknown>, { role }: Actor): void {
  if (!hasAnyLabel(role, labels)) throw forbidden(labels)
}

function admitPerson(
  services: Services,
  operation: UserRead<string, unknown, unknown> | UserWrite<string, unknown, unknown>,
  request: OperationRequest,
  user: UserActor,
): Admission {
  const { origin, path } = request
  const call = { user, origin, path }
  return {
    organizationId: () => null,
    run: (readInput, selection) =>
      operation.kind === 'user_read'
        ? runUserRead(services, operation, call, readInput, selection)
        : runUserWrite(services, operation, call, readInput),
    async refuse(refusal) {
      if (isRecorded(operation)) await recordRefusal(services, { operation, actor: user, origin, path }, refusal)
    },
  }
}

function admitStranger(
  services: Services,
  operation: SignIn<string, unknown, unknown>,
  { callers, origin }: OperationRequest,
): Admission {
  const sender = { ip: origin.ip, ...callers.stranger() }
  return {
    organizationId: () => null,
    run: (readInput) => runSignIn(services, operation, sender, readInput),
    refuse: async () => {},
  }
}

function admitAnyone(
  services: Services,
  operation: OpenRead<string, unknown, unknown>,
  { origin }: OperationRequest,
): Admission {
  return {
    organizationId: () => null,
    run: (readInput) => runOpenRead(services, operation, origin, readInput),
    refuse: async () => {},
  }
}

/**
 * In the caller's turn: 503 if too many of their requests wait, and 429 if too many were refused already. Nothing ran, so if then
 * the entry cannot be written the refusal stands: it precedes 503 in the order of refusals.
 */
async function recordRefusal(
  { database, queue, refusals, logger }: Services,
  subject: Subject,
  { status }: DomainError,
): Promise<void> {
  refusals.add(subject.actor, status)
  const { requestId } = subject.origin
  await queue.run(shareOf(subject.actor), () =>
    recordRejected(database, subject, status).catch((error) => {
      logger.error({ err: error.cause ?? error, requestId, status }, 'a refused request is missing from the audit log')
    }),
  )
}
