import type { DomainError } from '../core/errors.ts'
import type { OperationRequest } from './request.ts'
import type { Services } from './services.ts'

/** How the operations of one kind are admitted and run. */
export type Kind<Operation> = {
  /** Whether a request may change something. */
  isWrite: boolean
  /** Whether the audit log has an entry for each request. Contract: Audit 1. */
  isRecorded(operation: Operation): boolean
  /** Authenticates the caller and checks their rights. */
  admit(services: Services, operation: Operation, request: OperationRequest): Admission | Promise<Admission>
}

/** A caller who may run the operation. */
export type Admission = {
  /** Null if the request concerns no organization, or the organization is not known yet. */
  organizationId(): string | null
  /** A long answer uses this owner's share of the event loop. Absent for anonymous clients; the result of an eval has its own. */
  ownerId?: string
  run(readInput: () => unknown): Promise<unknown>
  /** Records a refusal before the operation runs, if such requests are recorded. */
  refuse(refusal: DomainError): Promise<void>
}

/** Returns the admission to an operation that concerns no organization and is not recorded. `owner` has the `ownerId`, if any. */
export function toAdmission(run: Admission['run'], owner: Pick<Admission, 'ownerId'> = {}): Admission {
  return { ...owner, organizationId: () => null, run, refuse: async () => {} }
}
