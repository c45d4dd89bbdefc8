import type { Actor, UserActor } from '../access/actor.ts'
import { newRequestId } from '../core/ids.ts'
import type { AnyOperation, ResultOf } from '../operation/operation.ts'
import type { OperationRequest } from '../operation/request.ts'
import { admit } from '../operation/run-operation.ts'
import type { Services } from '../operation/services.ts'
import type { DemoClock } from './clock.ts'

/** The caller and its address. */
export type DemoCaller = { member?: Actor; person?: UserActor; ip: string; userAgent: string }

export type RunOperation = <Operation extends AnyOperation>(
  asking: DemoCaller,
  operation: Operation,
  body?: object,
  path?: Record<string, string>,
) => Promise<ResultOf<Operation>>

/** Runs operations as the APIs do: with rights, audit entry, transaction and events. */
export function createOperationRunner(
  services: Services,
  { clock, baseUrl }: { clock: DemoClock; baseUrl: string },
): RunOperation {
  return async (asking, operation, body = {}, path = {}) => {
    const now = clock.now()
    const member = () => ({ ...(asking.member as Actor), authenticatedAt: now })
    const requestId = newRequestId()
    const { ip, userAgent } = asking
    const request: OperationRequest = {
      api: 'rest',
      requestId,
      origin: { requestId, receivedAt: now, ip, userAgent, baseUrl },
      path,
      callers: {
        member,
        tokenSubject: () => null,
        evaluator: () => {
          throw new Error('The demo sends no evals.')
        },
        person: () => ({ ...(asking.person as UserActor), authenticatedAt: now }),
        anonymousClient: () => ({ browserMark: null }),
      },
    }
    const admitted = await admit(services, operation, request)
    return admitted.run(() => body)
  }
}
