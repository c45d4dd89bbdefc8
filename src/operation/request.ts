import type { Actor, UserActor } from '../access/actor.ts'
import type { TokenSubject } from '../access/subscriber-token.ts'
import type { EvalCaller } from '../gate/gate.ts'
import type { Origin } from '../http/origin.ts'
import type { OpenSpan } from '../tracing/open-span.ts'
import type { IdempotentRequest } from './idempotent-request.ts'
import type { Api } from './observation.ts'

/** A request for an operation, as an API passes it on. */
export type OperationRequest = {
  readonly api: Api
  readonly requestId: string
  readonly origin: Origin
  /** The values of the route's parameters. */
  readonly path: Record<string, string>
  readonly callers: Callers
  /** The relations of the rows that a GraphQL document selects, as an `include` for Prisma Client. */
  readonly selection?: object
  /** Set if the request has an `Idempotency-Key`; read when its operation runs. */
  readonly idempotentRequest?: IdempotentRequest | null
  /** The span of the HTTP request, then of the operation; null unless the trace is recorded. */
  span?: OpenSpan | null
}

/** The client of a sign-in. `browserMark` is set in a browser where somebody has signed in before. */
export type AnonymousClient = { ip: string; browserMark: string | null }

/** Functions that find the caller, one for each kind of caller; each throws 401 if there is none. */
export type Callers = {
  member(): Actor | Promise<Actor>
  /** Like `member`, but from this process's memory, or null. Absent where the member is known anyway. */
  remembered?(): Actor | null
  /** The subscriber whose token was sent to an operation that accepts tokens; null if a member calls instead. */
  tokenSubject(): Promise<TokenSubject> | null
  /**
   * For an eval: the member, if the API knows them already; with a key, the member is unknown until the gate looks the key up.
   */
  evaluator(): { caller: EvalCaller; member: Actor | null }
  person(): UserActor | Promise<UserActor>
  /** The client that signs somebody up or in; throws if a page of another site sent the request. */
  anonymousClient(): Pick<AnonymousClient, 'browserMark'>
}
