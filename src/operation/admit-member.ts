import type { Actor } from '../access/actor.ts'
import { beingMoved } from '../access/moving.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { type DomainError, forbidden } from '../core/errors.ts'
import type { MemberFacts } from './facts.ts'
import type { Admission } from './kind.ts'
import { recordRefusal } from './record-refusal.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'

/** A member's request for an operation. */
export type MemberCall = Pick<OperationRequest, 'api' | 'origin' | 'path'> & { actor: Actor }

type Run = (call: MemberCall, readInput: () => unknown) => Promise<unknown>

/** 403 when the role carries none of the labels. */
export async function admitMember(
  services: Services,
  { operation, isRecorded }: { operation: MemberFacts<string, unknown>; isRecorded: boolean },
  { api, origin, path, callers }: OperationRequest,
  run: Run,
): Promise<Admission> {
  const actor = await callers.member()
  if (isRecorded && actor.isMoving) throw beingMoved()
  const refuse = async (refusal: DomainError) => {
    if (isRecorded) await recordRefusal(services, { operation, actor, origin, path }, refusal)
  }
  if (!hasAnyLabel(actor.role, operation.labels)) {
    const refusal = forbidden(operation.labels)
    await refuse(refusal)
    throw refusal
  }
  return {
    organizationId: () => actor.organizationId,
    run: (readInput) => run({ api, actor, origin, path }, readInput),
    refuse,
  }
}
