import type { Actor, UserActor } from '../access/actor.ts'
import type { EvalCaller } from '../gate/gate.ts'
import type { Origin } from '../http/origin.ts'
import type { Door } from './observation.ts'

/** A request for an operation, as a door passes it on. */
export type OperationRequest = {
  readonly door: Door
  readonly requestId: string
  readonly origin: Origin
  /** The values of the route's braces. */
  readonly path: Record<string, string>
  readonly callers: Callers
}

/** Who asks, by what the kind of the operation needs; each throws 401 where nobody is. */
export type Callers = {
  member(): Actor | Promise<Actor>
  /** Of an eval: the member, where the door knows them already; a key that the gate looks up has none yet. */
  evaluator(): { caller: EvalCaller; member: Actor | null }
  person(): UserActor | Promise<UserActor>
  /** Whoever signs up or in; throws where they may not from there. */
  stranger(): void
}
