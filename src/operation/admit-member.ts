import type { Actor } from '../access/actor.ts'
import { organizationMoveInProgress } from '../access/organization-move.ts'
import { hasAnyLabel } from '../access/roles.ts'
import { type DomainError, forbidden } from '../core/errors.ts'
import { CallerChanged } from '../recording/insert-entry.ts'
import type { MemberDefinition } from './definition.ts'
import type { Admission } from './kind.ts'
import { recordRefusal } from './record-refusal.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'

/** A member's request for an operation. */
export type MemberCall = Pick<OperationRequest, 'api' | 'origin' | 'path' | 'selection'> & { actor: Actor }

type Run = (call: MemberCall, readInput: () => unknown) => Promise<unknown>

type AdmissionOptions = {
  operation: MemberDefinition<string, unknown>
  isRecorded: boolean
  /** Whether the operation may run for a remembered caller; its entry is then recorded only if the caller is unchanged. */
  takesRemembered?: boolean
}

/** Admits a member whose role has one of the operation's labels; otherwise throws 403. */
export async function admitMember(
  services: Services,
  { operation, isRecorded, takesRemembered = false }: AdmissionOptions,
  { api, origin, path, selection, callers }: OperationRequest,
  run: Run,
): Promise<Admission> {
  const { labels } = operation
  const remembered = takesRemembered ? callers.remembered?.() : null
  let actor = remembered && hasAnyLabel(remembered.role, labels) ? remembered : await findMember()

  async function findMember(): Promise<Actor> {
    const member = await callers.member()
    if (isRecorded && member.isMoving) throw organizationMoveInProgress()
    if (hasAnyLabel(member.role, labels)) return member
    const refusal = forbidden(labels)
    await record(member, refusal)
    throw refusal
  }

  async function record(actor: Actor, refusal: DomainError): Promise<void> {
    if (isRecorded) await recordRefusal(services, { operation, actor, origin, path }, refusal)
  }

  const runOperation = (readInput: () => unknown) => run({ api, actor, origin, path, selection }, readInput)
  return {
    organizationId: () => actor.organizationId,
    ownerId: actor.ownerId,
    run: (readInput) =>
      runOperation(readInput).catch(async (error) => {
        if (!(error instanceof CallerChanged)) throw error
        actor = await findMember()
        return runOperation(readInput)
      }),
    async refuse(refusal) {
      if (actor.isRemembered) actor = await findMember()
      await record(actor, refusal)
    },
  }
}
